#include <map>
#include <set>

#include "pricing/seen_paths.hpp"
#include "test.hpp"
#include "tiny_roads.hpp"

using namespace tailgate::pricing;
using namespace tailgate::tests;

namespace {

struct Seen {
    Money reduced_cost;
    Money cost;
    double departure;
    std::vector<SubsetRows::Word> halves;
};

// What the first must pay at most that the second need not, row by row.
Money difference(const SubsetRows& rows, const Seen& first, const Seen& second) {
    return rows.words() == 0 ? 0
                             : rows.first_only(first.halves.data(), second.halves.data(), no_way);
}

TEST(a_path_is_known_if_one_was_better_in_all_respects) {
    TinyProblems dice(1);
    int known = 0;
    int unknown = 0;
    for (int round = 0; round < 40; ++round) {
        constexpr std::size_t customers = 7;
        SubsetRows rows(customers + 1);
        rows.set(draw_rows(dice, customers, round % 2 == 0 ? 0 : 9));
        SeenPaths paths(customers + 1);
        for (int again = 0; again < 2; ++again) {
            paths.clear(rows);
            std::map<std::pair<std::set<Node>, Node>, std::vector<Seen>> seen;
            for (int i = 0; i < 200; ++i) {
                const Path path =
                    draw_sequence(dice, customers, static_cast<std::size_t>(dice.draw(1, 4)));
                Seen now{dice.draw(0, 9), dice.draw(0, 4), static_cast<double>(dice.draw(0, 2)),
                         std::vector<SubsetRows::Word>(rows.words(), 0)};
                for (const Node customer : path) {
                    paths.push(customer);
                    if (rows.words() > 0) rows.visit(customer, now.halves.data());
                }
                auto& before = seen[{{path.begin(), path.end()}, path.back()}];
                const bool expected =
                    std::any_of(before.begin(), before.end(), [&](const Seen& other) {
                        return other.cost <= now.cost && other.departure <= now.departure &&
                               other.reduced_cost + difference(rows, other, now) <=
                                   now.reduced_cost;
                    });
                const SeenPaths::Merits merits{now.reduced_cost, now.cost, now.departure,
                                               now.halves.data()};
                CHECK(paths.is_known(path.back(), merits) == expected);
                before.push_back(now);
                ++(expected ? known : unknown);
                for (const Node customer : path) paths.pop(customer);
            }
        }
    }
    CHECK(known > 2'000 && unknown > 2'000);
}

// Where waiting costs or limits count, a path must be better in these respects as well.
TEST(a_path_is_known_only_if_one_was_better_at_any_time) {
    TinyProblems dice(3);
    int known = 0;
    int unknown = 0;
    for (int round = 0; round < 40; ++round) {
        RoadRules rules = RoadRules::drawn(dice);
        rules.windows = rules.waiting_cost = true;
        const RouteData data = tiny_road_data(dice, 4, rules);
        const Timetable timetable(data);
        const WaitingRates rates{dice.draw(0, 4) / 2.0, dice.draw(0, 6) / 3.0};
        SubsetRows rows(data.nodes);
        rows.set(draw_rows(dice, 4, round % 2 == 0 ? 0 : 5));
        SeenPaths paths(data.nodes);
        paths.clear(rows, &timetable, rates);
        paths.push(2);
        std::vector<std::pair<Seen, Timing>> seen;
        for (int i = 0; i < 100; ++i) {
            Seen now{dice.draw(0, 30), dice.draw(0, 30), 0.0,
                     std::vector<SubsetRows::Word>(rows.words(), 0)};
            for (auto& word : now.halves) word = static_cast<unsigned>(dice.draw(0, 31));
            Timing timing;
            timing.end = now.departure = dice.draw(20, 26);
            timing.worked = dice.draw(8, 14);
            timing.latest_departure = dice.draw(0, 9) == 0 ? unlimited : dice.draw(5, 11);
            timing.distance = dice.draw(0, 2);
            const bool expected = std::any_of(seen.begin(), seen.end(), [&](const auto& before) {
                const auto& [other, its_timing] = before;
                return timetable.is_no_tighter(its_timing, timing) && other.cost <= now.cost &&
                       Timetable::advantage(other.cost, its_timing, now.cost, timing,
                                            rates.true_cost) >= 0 &&
                       other.reduced_cost <= now.reduced_cost &&
                       Timetable::advantage(other.reduced_cost, its_timing, now.reduced_cost,
                                            timing, rates.reduced) >= difference(rows, other, now);
            });
            CHECK(paths.is_known(2, {now.reduced_cost, now.cost, now.departure, now.halves.data(),
                                     timing}) == expected);
            seen.emplace_back(now, timing);
            ++(expected ? known : unknown);
        }
    }
    CHECK(known > 500 && unknown > 500);
}

// Beyond 64 customers a set takes more than a word.
TEST(customers_of_any_number_are_kept_apart) {
    SubsetRows rows(300);
    SeenPaths paths(300);
    paths.clear(rows);
    for (Node customer = 1; customer < 300; ++customer) {
        paths.push(customer);
        CHECK(!paths.is_known(customer, {0, 0, 0.0, nullptr}));
        CHECK(paths.is_known(customer, {0, 0, 0.0, nullptr}));
        if (customer > 1) CHECK(!paths.is_known(1, {0, 0, 0.0, nullptr}));
    }
}

}  // namespace
