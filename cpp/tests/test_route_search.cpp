#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "problems.hpp"
#include "routing/fill_experience.hpp"
#include "routing/loading_memo.hpp"
#include "routing/route_pool.hpp"
#include "routing/route_search.hpp"
#include "test.hpp"

using namespace tailgate::routing;
using namespace tailgate::tests;
namespace packing = tailgate::packing;

namespace {

using Customers = std::vector<std::vector<packing::Rectangle>>;

constexpr packing::Length floor_width = 6;
constexpr packing::Length floor_length = 8;

struct Case {
    RoutingProblem problem;
    Customers items;
};

Case random_case(TinyProblems& dice, Place customers, std::int32_t vehicles, bool whole_fleet,
                 std::int32_t min_stops, bool windows) {
    Case made;
    RoutingProblem& problem = made.problem;
    problem.customers = customers;
    problem.vehicles = vehicles;
    problem.whole_fleet = whole_fleet;
    problem.min_stops = min_stops;
    problem.capacity = 40;
    problem.floor_area = std::int64_t{floor_width} * floor_length;
    std::vector<std::pair<int, int>> points;
    for (Place place = 0; place <= customers; ++place) {
        points.emplace_back(dice.draw(0, 30), dice.draw(0, 30));
        problem.weights.push_back(place == 0 ? 0 : dice.draw(1, 15));
        problem.ready_times.push_back(windows && place > 0 ? dice.draw(0, 60) : 0);
        problem.due_times.push_back(windows && place > 0
                                        ? problem.ready_times.back() + dice.draw(40, 90)
                                        : std::numeric_limits<double>::infinity());
        problem.service_times.push_back(windows && place > 0 ? dice.draw(0, 5) : 0);
        std::int64_t area = 0;
        if (place > 0) {
            auto& own = made.items.emplace_back();
            for (int i = dice.draw(1, 2); i > 0; --i) {
                own.push_back({dice.draw(1, 4), dice.draw(1, 4)});
                area += own.back().area();
            }
        }
        problem.areas.push_back(area);
    }
    for (const auto& [x, y] : points) {
        for (const auto& [other_x, other_y] : points)
            problem.costs.push_back(std::floor(std::hypot(x - other_x, y - other_y)));
    }
    return made;
}

packing::LoadingOracle oracle_of(const Case& made, bool lifo) {
    return packing::LoadingOracle(floor_width, floor_length, made.items,
                                  {lifo, std::size_t{1} << 22, true});
}

bool can_load(packing::LoadingOracle& oracle, const std::vector<Place>& route) {
    std::vector<std::int32_t> query;
    for (const Place stop : route) query.push_back(stop - 1);
    return oracle.check(query, {}).verdict == packing::Verdict::feasible;
}

void check_route(const Case& made, packing::LoadingOracle& oracle,
                 const std::vector<Place>& route) {
    std::int64_t weight = 0;
    std::int64_t area = 0;
    for (const Place stop : route) {
        weight += made.problem.weights[static_cast<std::size_t>(stop)];
        area += made.problem.areas[static_cast<std::size_t>(stop)];
    }
    CHECK(static_cast<std::int32_t>(route.size()) >= made.problem.min_stops);
    CHECK(weight <= made.problem.capacity);
    CHECK(area <= made.problem.floor_area);
    CHECK(made.problem.is_in_time(route));
    CHECK(can_load(oracle, route));
}

TEST(solutions_keep_every_rule_and_pools_hold_only_loadable_routes) {
    TinyProblems dice(5);
    int solved = 0;
    for (int round = 0; round < 48; ++round) {
        const bool lifo = round % 2 == 0;
        const bool whole_fleet = round / 2 % 2 == 0;
        const std::int32_t min_stops = round / 4 % 2 == 0 ? 2 : 1;
        const bool windows = round / 8 % 2 == 0;
        const Case made =
            random_case(dice, dice.draw(4, 14), dice.draw(2, 6), whole_fleet, min_stops, windows);
        packing::LoadingOracle oracle = oracle_of(made, lifo);
        SearchOptions options;
        options.seed = static_cast<std::uint64_t>(round);
        options.lifo = lifo;
        RouteSearch search(made.problem, {&oracle}, options);
        search.run({300, -1.0, {}});
        packing::LoadingOracle judge = oracle_of(made, lifo);
        for (const auto& route : search.pool()) check_route(made, judge, route.stops);
        if (!search.best()) continue;
        ++solved;
        const auto& routes = search.best()->routes;
        const auto count = static_cast<std::int32_t>(routes.size());
        CHECK(whole_fleet ? count == made.problem.vehicles : count <= made.problem.vehicles);
        std::vector<Place> visited;
        double cost = 0.0;
        for (const auto& route : routes) {
            check_route(made, judge, route.stops);
            visited.insert(visited.end(), route.stops.begin(), route.stops.end());
            cost += made.problem.cost(route.stops);
        }
        CHECK(std::abs(cost - search.best()->cost) < 1e-6);
        std::sort(visited.begin(), visited.end());
        std::vector<Place> everybody(static_cast<std::size_t>(made.problem.customers));
        std::iota(everybody.begin(), everybody.end(), 1);
        CHECK(visited == everybody);
    }
    CHECK(solved > 20);
}

TEST(the_same_seed_gives_the_same_search_in_one_run_or_in_several) {
    TinyProblems dice(6);
    const Case made = random_case(dice, 12, 5, true, 2, false);
    std::vector<std::vector<Route>> pools;
    for (const int parts : {1, 1, 4}) {
        packing::LoadingOracle oracle = oracle_of(made, true);
        RouteSearch search(made.problem, {&oracle}, {});
        for (int part = 0; part < parts; ++part) search.run({400 / parts, -1.0, {}});
        CHECK(search.statistics().iterations == 400);
        pools.push_back(search.pool());
    }
    CHECK(pools[0] == pools[1]);
    CHECK(pools[0] == pools[2]);
}

TEST(a_fleet_that_cannot_be_filled_has_no_solution) {
    TinyProblems dice(7);
    const Case made = random_case(dice, 5, 3, true, 2, false);
    packing::LoadingOracle oracle = oracle_of(made, true);
    RouteSearch search(made.problem, {&oracle}, {});
    search.run({-1, -1.0, {}});
    CHECK(!search.best());
}

TEST(an_interrupted_search_goes_on_later) {
    TinyProblems dice(8);
    const Case made = random_case(dice, 12, 6, false, 1, false);
    packing::LoadingOracle oracle = oracle_of(made, true);
    RouteSearch search(made.problem, {&oracle}, {});
    search.run({-1, -1.0, [] { return true; }});
    CHECK(!search.best());
    int looks = 0;
    search.run({-1, -1.0, [&looks] { return ++looks > 500; }});
    search.run({200, -1.0, {}});
    CHECK(search.best());
}

TEST(a_solution_from_elsewhere_is_taken_if_it_is_better) {
    TinyProblems dice(8);
    const Case made = random_case(dice, 12, 6, false, 1, false);
    packing::LoadingOracle oracle = oracle_of(made, true);
    RouteSearch search(made.problem, {&oracle}, {});
    search.run({300, -1.0, {}});
    CHECK(search.best());
    if (!search.best()) return;
    const RouteSearch::Solution known = *search.best();
    CHECK(!search.offer(known.routes, false, 1000, {}));

    RouteSearch other(made.problem, {&oracle}, {});
    CHECK(!other.offer(known.routes, false, 1000, [] { return true; }) || other.best());
    CHECK(other.offer(known.routes, true, 1000, {}) || other.best());
    CHECK(other.best()->cost == known.cost);
    CHECK(other.pool().size() == known.routes.size());
    other.run({300, -1.0, {}});
    CHECK(other.best()->cost <= known.cost);
    packing::LoadingOracle judge = oracle_of(made, true);
    for (const auto& route : other.pool()) check_route(made, judge, route.stops);

    auto shorter = known.routes;
    shorter.pop_back();
    bool is_refused = false;
    try {
        other.offer(shorter, false, 1000, {});
    } catch (const std::invalid_argument&) {
        is_refused = true;
    }
    CHECK(is_refused);
}

TEST(doubts_that_are_always_or_never_wrong_keep_no_solution_away) {
    TinyProblems dice(11);
    for (int round = 0; round < 12; ++round) {
        const Case made = random_case(dice, 12, 6, round % 2 == 0, 1 + round % 2, false);
        packing::LoadingOracle judge = oracle_of(made, true);
        const auto search_with = [&](const LoadingCheck::Doubts& doubts) {
            packing::LoadingOracle oracle = oracle_of(made, true);
            RouteSearch search(made.problem, {&oracle}, {5, true, 100, 1000});
            if (doubts) search.set_doubts(0, doubts);
            search.run({600, -1.0, {}});
            for (const auto& route : search.pool()) check_route(made, judge, route.stops);
            return std::pair(search.best().has_value(), search.statistics().skipped);
        };
        const bool has_solution = search_with({}).first;
        for (const bool answer : {true, false}) {
            const auto doubts = [answer](std::span<const Place>) { return answer; };
            const auto [is_found, skipped] = search_with(doubts);
            CHECK(is_found == has_solution);
            CHECK(answer || skipped == 0);
            CHECK(search_with(doubts) == std::pair(is_found, skipped));
        }
    }
}

TEST(a_guess_that_is_right_saves_checks_and_one_that_is_wrong_is_given_up) {
    // Three long bars never fit side by side, three short ones always do.
    const Customers items(8, {{2, 8}});
    const Customers small_items(8, {{1, 1}});
    const auto skipped_of = [](const Customers& customers) {
        packing::LoadingOracle oracle(5, 8, customers, {true, std::size_t{1} << 20, true});
        LoadingCheck loading(oracle, 8, true, 100);
        loading.set_limits(LoadingCheck::Clock::time_point::max(), {});
        loading.set_doubts([](std::span<const Place>) { return true; }, 1);
        std::vector<Place> order{1, 2, 3, 4, 5, 6, 7, 8};
        std::int64_t asked = 0;
        do {
            loading.can_load(std::span(order).first(3));
            ++asked;
        } while (std::next_permutation(order.begin(), order.end()) && asked < 20'000);
        return std::pair(loading.skipped(), loading.checks());
    };
    const auto [hits, tests] = skipped_of(items);
    CHECK(hits > 5 * tests);
    CHECK(tests > 0);
    const auto [misses, loaded] = skipped_of(small_items);
    CHECK(loaded > 2 * misses);
}

TEST(experience_knows_how_full_is_too_full) {
    FillExperience experience;
    CHECK(experience.success_rate(0.9) == 1.0);
    for (int i = 0; i < 1000; ++i) {
        experience.learn(0.9, i % 10 == 0);
        experience.learn(0.5, true);
        experience.learn(1.0, false);
    }
    CHECK(std::abs(experience.success_rate(0.91) - 0.1) < 0.02);
    CHECK(experience.success_rate(0.51) == 1.0);
    CHECK(experience.success_rate(1.0) < 0.02);
    CHECK(experience.success_rate(0.99) < 0.02);
    CHECK(experience.success_rate(0.0) == 1.0);
    // Of late everything could be loaded: older answers fade.
    for (int i = 0; i < 1000; ++i) experience.learn(0.9, true);
    CHECK(experience.success_rate(0.9) > 0.95);
}

TEST(a_pool_keeps_the_best_and_knows_a_route_from_behind) {
    RoutePool pool(3, Likeness::order_or_reverse);
    for (Place first = 1; first <= 9; ++first)
        pool.offer(0, std::vector<Place>{first, 20, 30}, 100.0 - first);
    pool.offer(0, std::vector<Place>{30, 20, 1}, 1.0);
    // Nine offers make it sort out; the worst of these, seen again in a better solution, is new.
    const std::vector<Route> routes = pool.routes();
    CHECK(routes.size() == 3);
    CHECK((routes.front() == Route{0, {30, 20, 1}}));
    pool.offer(0, std::vector<Place>{1, 20, 30}, 0.5);
    CHECK((pool.routes().front() == Route{0, {30, 20, 1}}));
    RoutePool ordered(3, Likeness::order);
    ordered.offer(0, std::vector<Place>{1, 2, 3}, 1.0);
    ordered.offer(0, std::vector<Place>{3, 2, 1}, 1.0);
    CHECK(ordered.routes().size() == 2);
    ordered.offer(1, std::vector<Place>{1, 2, 3}, 1.0);
    CHECK(ordered.routes().size() == 3);  // by another kind of vehicle
}

TEST(a_memo_finds_what_was_stored_and_forgets_only_the_unknown) {
    LoadingMemo memo;
    const auto key = [](Place i) {
        return key_of(std::vector<Place>{i, i + 1, 2 * i + 3}, Likeness::order_or_reverse);
    };
    for (Place i = 1; i <= 20000; ++i)
        memo.store(key(i), i % 2 == 0 ? packing::Verdict::feasible : packing::Verdict::unknown);
    bool all_found = true;
    for (Place i = 1; i <= 20000; ++i) {
        all_found &= memo.find(key(i)) != nullptr &&
                     (memo.find(key(i))->verdict == packing::Verdict::feasible) == (i % 2 == 0);
    }
    CHECK(all_found);
    CHECK(memo.find(key(20001)) == nullptr);
    memo.forget_unknown();
    CHECK(memo.find(key(1)) == nullptr);
    CHECK(memo.find(key(2)) != nullptr);
}

}  // namespace
