#include <map>

#include "pricing/tightened.hpp"
#include "pricing/timetable.hpp"
#include "test.hpp"
#include "tiny_roads.hpp"

using namespace tailgate::pricing;
using namespace tailgate::tests;

namespace {

// As long as loads allow it, every order of every set of customers.
RouteData roomy(RouteData data) {
    data.single_customer_routes = true;
    data.capacity = data.floor_area = 1'000;
    data.max_stops = 0;
    return data;
}

std::vector<Path> all_orders(RouteData data) {
    data.has_windows = false;
    return all_routes(data);
}

bool can_be_driven(const RouteData& data, const Path& route) {
    return !std::isinf(sum_along(data, data.cost, route)) &&
           (!data.has_windows || !std::isinf(sum_along(data, data.duration, route))) &&
           (data.max_distance == unlimited || !std::isinf(sum_along(data, data.distance, route)));
}

TEST(a_route_is_allowed_if_some_departure_keeps_all_limits_and_waits_as_little_as_any) {
    TinyProblems dice(1);
    int allowed = 0;
    int refused = 0;
    int waits = 0;
    for (int round = 0; round < 300; ++round) {
        const RouteData data = roomy(tiny_road_data(dice, 5, RoadRules::drawn(dice)));
        const Timetable timetable(data);
        for (const Path& route : all_orders(data)) {
            if (!can_be_driven(data, route)) continue;
            const auto known = known_route(data, route);
            CHECK(timetable.allows(route) == known.has_value());
            ++(known.has_value() ? allowed : refused);
            if (!known.has_value() || data.waiting_cost == 0.0) continue;
            const double waiting = timetable.waiting(route);
            waits += waiting > 0.0;
            CHECK(sum_along(data, data.cost, route) + data.waiting_cost * waiting == known->cost);
        }
    }
    CHECK(allowed > 5'000 && refused > 5'000 && waits > 300);
}

TEST(waiting_never_becomes_less_by_going_on) {
    TinyProblems dice(2);
    for (int round = 0; round < 100; ++round) {
        RoadRules rules;
        rules.windows = rules.waiting_cost = true;
        rules.shift = round % 2 == 0;
        const RouteData data = roomy(tiny_road_data(dice, 5, rules));
        const Timetable timetable(data);
        for (const Path& route : all_orders(data)) {
            Timing timing = timetable.at_depot();
            Node at = 0;
            double waited = 0.0;
            for (const Node next : route) {
                if (!timetable.advance(timing, at, next)) break;
                CHECK(timing.waiting() >= waited);
                CHECK(timing.duration() == timing.worked + timing.waiting());
                waited = timing.waiting();
                at = next;
            }
        }
    }
}

// A path over the given customers from the depot, with what it costs so far.
struct Begun {
    Path path;
    Timing timing;
    Money cost = 0;
};

// What remains of it after these customers and the way home, if that is allowed; without arcs.
std::optional<Money> cost_after(const Timetable& timetable, const Begun& begun, const Path& rest,
                                double rate) {
    Timing timing = begun.timing;
    Node at = begun.path.back();
    for (const Node next : rest) {
        if (!timetable.advance(timing, at, next)) return std::nullopt;
        at = next;
    }
    if (!timetable.advance(timing, at, 0)) return std::nullopt;
    return begun.cost + waiting_money(timing.waiting(), rate) -
           waiting_money(begun.timing.waiting(), rate);
}

TEST(a_path_that_is_better_stays_better_whatever_follows) {
    TinyProblems dice(3);
    int better = 0;
    int rests = 0;
    int ahead = 0;
    for (int round = 0; round < 1'500; ++round) {
        RoadRules rules = RoadRules::drawn(dice);
        rules.gaps = false;
        rules.windows = true;
        rules.max_duration = rules.max_duration || round % 2 == 0;
        RouteData data = roomy(tiny_road_data(dice, 6, rules));
        // Windows that are wide enough for some routes of all.
        for (double& due : data.windows.due) due += 40.0;
        if (rules.max_duration) data.max_duration += dice.draw(0, 50);
        if (rules.max_distance) data.max_distance += dice.draw(0, 50);
        const Timetable timetable(data);
        const double rate = data.waiting_cost * dice.draw(1, 999) / 300.0;
        const Path chosen = draw_sequence(dice, 6, 3);
        Path order(chosen.begin(), chosen.begin() + 2);
        std::vector<Begun> all;
        for (int swap = 0; swap < 2; ++swap) {
            Begun begun{{order[0], order[1], chosen[2]}, timetable.at_depot(), dice.draw(0, 60)};
            bool in_time = true;
            Node at = 0;
            for (const Node next : begun.path) {
                in_time = in_time && timetable.advance(begun.timing, at, next);
                at = next;
            }
            begun.cost += waiting_money(begun.timing.waiting(), rate);
            if (in_time) all.push_back(begun);
            std::swap(order[0], order[1]);
        }
        if (all.size() < 2) continue;
        Path left;
        for (Node customer = 1; customer <= 6; ++customer) {
            if (std::find(chosen.begin(), chosen.end(), customer) == chosen.end())
                left.push_back(customer);
        }
        for (const std::size_t direction : {std::size_t{0}, std::size_t{1}}) {
            const Begun& first = all[direction];
            const Begun& second = all[1 - direction];
            if (!timetable.is_no_tighter(first.timing, second.timing)) continue;
            const Money advantage =
                Timetable::advantage(first.cost, first.timing, second.cost, second.timing, rate);
            if (advantage <= -no_way) continue;
            ++better;
            ahead += advantage >= 0;
            for (const Path& picked : all_orders(data)) {
                const auto is_left = [&](Node customer) {
                    return std::find(left.begin(), left.end(), customer) != left.end();
                };
                if (!std::all_of(picked.begin(), picked.end(), is_left)) continue;
                const auto cost = cost_after(timetable, second, picked, rate);
                if (!cost.has_value()) continue;
                const auto with_first = cost_after(timetable, first, picked, rate);
                CHECK(with_first.has_value() && *with_first + advantage <= *cost);
                ++rests;
            }
        }
    }
    CHECK(better > 150 && ahead > 50 && rests > 500);
}

TEST(a_better_path_is_recognised) {
    RoadRules rules;
    rules.windows = rules.waiting_cost = true;
    TinyProblems dice(4);
    const RouteData data = tiny_road_data(dice, 3, rules);
    const Timetable timetable(data);
    const Timing early{10.0, 12.0, 9.0, 5.0, 0.0};
    CHECK(timetable.is_no_tighter(early, early));
    CHECK(Timetable::advantage(7, early, 7, early, 1.5) == 0);
    CHECK(Timetable::advantage(7, early, 9, early, 1.5) == 2);
    const Timing late{20.0, 22.0, 9.0, 15.0, 0.0};
    CHECK(timetable.is_no_tighter(early, late) && !timetable.is_no_tighter(late, early));
    // Whoever must leave ten earlier may wait ten longer.
    CHECK(Timetable::advantage(100, early, 110, late, 1.5) < 0);
    CHECK(Timetable::advantage(100, early, 120, late, 1.5) > 0);
}

TEST(what_is_tightened_allows_the_same_routes_at_the_same_costs) {
    TinyProblems dice(5);
    int reversible = 0;
    int simpler = 0;
    int routes = 0;
    for (int round = 0; round < 500; ++round) {
        RoadRules rules = RoadRules::drawn(dice);
        rules.symmetric = round % 2 == 0;
        if (round % 3 == 0) rules.windows = rules.late_starts = false;
        const RouteData data = tiny_road_data(dice, 5, rules);
        const RouteData tight = tightened(data);
        const bool symmetric = tight.is_symmetric();
        reversible += symmetric && tight.has_windows;
        simpler += data.has_windows && !tight.has_windows;
        std::map<Path, double> costs;
        for (const KnownRoute& route : known_routes(data)) costs[route.customers] = route.cost;
        std::map<Path, double> tight_costs;
        for (const KnownRoute& route : known_routes(tight))
            tight_costs[route.customers] = route.cost;
        CHECK(costs == tight_costs);
        routes += static_cast<int>(costs.size());
        if (!symmetric) continue;
        for (const auto& [route, cost] : costs) {
            const auto reverse = costs.find({route.rbegin(), route.rend()});
            CHECK(reverse != costs.end() && reverse->second == cost);
        }
    }
    CHECK(reversible > 20 && simpler > 10 && routes > 10'000);
}

TEST(a_limit_on_duration_or_distance_keeps_what_is_symmetric_so) {
    TinyProblems dice(6);
    RoadRules rules;
    rules.symmetric = true;
    for (const bool by_distance : {false, true}) {
        for (const bool has_shift : {false, true}) {
            rules.max_distance = by_distance;
            rules.max_duration = !by_distance;
            rules.shift = has_shift;
            const RouteData data = tiny_road_data(dice, 5, rules);
            CHECK(tightened(data).is_symmetric());
            RouteData one_way = data;
            auto& table = by_distance ? one_way.distance : one_way.duration;
            table[1] += 1.0;
            CHECK(!tightened(one_way).is_symmetric());
        }
    }
    // Old data, whose hours are hours: they run in one direction.
    rules = {};
    rules.symmetric = rules.shift = true;
    rules.time_tolerance = 1e-9;
    CHECK(!tightened(tiny_road_data(dice, 5, rules)).is_symmetric());
}

}  // namespace
