// The route search on roads as they are: ways that differ by direction, shortcuts over a third
// place, closed ways, travel times apart from costs, waiting that costs, and limits of a route.
// Everything is compared with an enumeration of its own, whose clock tries every departure.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "problems.hpp"
#include "routing/route_search.hpp"
#include "test.hpp"

using namespace tailgate::routing;
using namespace tailgate::tests;
namespace packing = tailgate::packing;

namespace {

constexpr packing::Length floor_width = 6;
constexpr packing::Length floor_length = 8;
constexpr int last_minute = 90;  // nobody leaves later

struct Case {
    RoutingProblem problem;
    std::vector<std::vector<packing::Rectangle>> items;
    bool lifo = true;
};

// Which rules a case has.
struct Rules {
    bool one_way = true;  // costs differ by direction
    bool metric = false;  // no shortcuts but those of rounding
    int closed = 0;       // percent of the ways
    bool durations = false;
    bool windows = false;
    bool waiting_cost = false;
    bool max_duration = false;
    bool max_distance = false;
    bool max_stops = false;

    static Rules draw(TinyProblems& dice) {
        const auto coin = [&dice] { return dice.draw(0, 1) == 1; };
        Rules rules;
        rules.one_way = dice.draw(0, 4) > 0;
        rules.metric = coin();
        rules.closed = dice.draw(0, 2) * 12;
        rules.durations = coin();
        rules.windows = coin();
        rules.waiting_cost = coin();
        rules.max_duration = dice.draw(0, 3) == 0;
        rules.max_distance = dice.draw(0, 3) == 0;
        rules.max_stops = dice.draw(0, 3) == 0;
        return rules;
    }
};

std::vector<double> random_table(TinyProblems& dice, Place customers, const Rules& rules) {
    const auto places = static_cast<std::size_t>(customers) + 1;
    std::vector<std::pair<int, int>> points;
    for (std::size_t place = 0; place < places; ++place)
        points.emplace_back(dice.draw(0, 14), dice.draw(0, 14));
    std::vector<double> table(places * places, 0.0);
    for (std::size_t a = 0; a < places; ++a) {
        for (std::size_t b = 0; b < places; ++b) {
            if (a == b) continue;
            const double reverse = table[b * places + a];
            double value = std::ceil(
                std::hypot(points[a].first - points[b].first, points[a].second - points[b].second));
            if (!rules.metric) value = dice.draw(1, 20);
            if (rules.one_way) value += dice.draw(0, 3);
            if (!rules.one_way && b < a) value = reverse;
            table[a * places + b] = value;
        }
    }
    return table;
}

Case random_case(TinyProblems& dice, Place customers, const Rules& rules) {
    Case made;
    RoutingProblem& problem = made.problem;
    problem.customers = customers;
    problem.vehicles = dice.draw(2, 4);
    problem.whole_fleet = dice.draw(0, 2) == 0 && customers >= problem.vehicles;
    problem.min_stops = dice.draw(0, 4) == 0 ? 2 : 1;
    problem.capacity = 40;
    problem.floor_area = std::int64_t{floor_width} * floor_length;
    problem.time_tolerance = 0.0;
    made.lifo = dice.draw(0, 3) > 0;
    for (Place place = 0; place <= customers; ++place) {
        const bool is_customer = place > 0;
        problem.weights.push_back(is_customer ? dice.draw(1, 18) : 0);
        problem.ready_times.push_back(rules.windows ? dice.draw(0, is_customer ? 55 : 5) : 0);
        const bool is_timed = rules.windows && (is_customer ? dice.draw(0, 4) > 0 : true);
        const double width = is_customer ? dice.draw(2, 25) : dice.draw(70, 85);
        problem.due_times.push_back(is_timed ? problem.ready_times.back() + width : infinity);
        problem.service_times.push_back(is_customer ? dice.draw(0, 4) : 0);
        std::int64_t area = 0;
        if (is_customer) {
            auto& own = made.items.emplace_back();
            for (int i = dice.draw(1, 2); i > 0; --i) {
                own.push_back({dice.draw(1, 4), dice.draw(1, 4)});
                area += own.back().area();
            }
        }
        problem.areas.push_back(area);
    }
    problem.costs = random_table(dice, customers, rules);
    if (rules.durations) problem.durations = random_table(dice, customers, rules);
    for (Place from = 0; from <= customers; ++from) {
        for (Place to = 0; to <= customers; ++to) {
            if (from == to || dice.draw(0, 99) >= rules.closed) continue;
            const auto arc = static_cast<std::size_t>(from * (customers + 1) + to);
            problem.costs[arc] = infinity;
            if (rules.durations) problem.durations[arc] = infinity;
        }
    }
    if (rules.waiting_cost) problem.waiting_cost = dice.draw(1, 4) / 2.0;
    if (rules.max_duration) problem.max_duration = dice.draw(30, 60);
    if (rules.max_distance) {
        problem.distances = random_table(dice, customers, rules);
        problem.max_distance = dice.draw(25, 60);
    }
    if (rules.max_stops) problem.max_stops = dice.draw(2, 3);
    return made;
}

packing::LoadingOracle oracle_of(const Case& made) {
    return packing::LoadingOracle(floor_width, floor_length, made.items,
                                  {made.lifo, std::size_t{1} << 20, true});
}

bool can_load(packing::LoadingOracle& oracle, std::span<const Place> route) {
    std::vector<std::int32_t> query;
    for (const Place stop : route) query.push_back(stop - 1);
    return oracle.check(query, {}).verdict == packing::Verdict::feasible;
}

double entry(const RoutingProblem& problem, const std::vector<double>& table, Place from,
             Place to) {
    return table[static_cast<std::size_t>(from * (problem.customers + 1) + to)];
}

// Leaves at this time and serves everybody as early as it can; nothing if it is late.
std::optional<double> duration_from(const RoutingProblem& problem, std::span<const Place> route,
                                    double departure) {
    const auto& travel = problem.durations.empty() ? problem.costs : problem.durations;
    double clock = departure;
    Place at = 0;
    for (const Place stop : route) {
        const auto index = static_cast<std::size_t>(stop);
        clock += entry(problem, travel, at, stop);
        if (clock > problem.due_times[index]) return {};
        clock = std::max(clock, problem.ready_times[index]) + problem.service_times[index];
        at = stop;
    }
    clock += entry(problem, travel, at, 0);
    if (clock > problem.due_times[0]) return {};
    return clock - departure;
}

// Nothing if it breaks a rule other than loading and the number of stops at least.
std::optional<double> cost_by_enumeration(const RoutingProblem& problem,
                                          std::span<const Place> route) {
    const auto& travel = problem.durations.empty() ? problem.costs : problem.durations;
    double cost = 0.0;
    double busy = 0.0;
    double distance = 0.0;
    std::int64_t weight = 0;
    std::int64_t area = 0;
    Place at = 0;
    for (std::size_t i = 0; i <= route.size(); ++i) {
        const Place to = i < route.size() ? route[i] : Place{0};
        cost += entry(problem, problem.costs, at, to);
        busy +=
            entry(problem, travel, at, to) + problem.service_times[static_cast<std::size_t>(to)];
        if (!problem.distances.empty()) distance += entry(problem, problem.distances, at, to);
        weight += problem.weights[static_cast<std::size_t>(to)];
        area += problem.areas[static_cast<std::size_t>(to)];
        at = to;
    }
    if (!std::isfinite(cost) || weight > problem.capacity || area > problem.floor_area) return {};
    if (distance > problem.max_distance) return {};
    if (problem.max_stops > 0 && static_cast<std::int32_t>(route.size()) > problem.max_stops)
        return {};
    std::optional<double> least;
    for (double departure = problem.ready_times[0]; departure <= last_minute; departure += 1.0) {
        const std::optional<double> duration = duration_from(problem, route, departure);
        if (duration && (!least || *duration < *least)) least = duration;
    }
    if (!least || *least > problem.max_duration) return {};
    return cost + problem.waiting_cost * (*least - busy);
}

// The cheapest loadable order of every set of customers, as bits.
std::map<unsigned, double> cheapest_orders(const Case& made) {
    const RoutingProblem& problem = made.problem;
    packing::LoadingOracle judge = oracle_of(made);
    std::map<unsigned, double> cheapest;
    for (unsigned set = 1; set < 1U << problem.customers; ++set) {
        if (std::popcount(set) < problem.min_stops) continue;
        std::vector<Place> order;
        for (Place customer = 1; customer <= problem.customers; ++customer) {
            if ((set >> (customer - 1) & 1U) != 0) order.push_back(customer);
        }
        do {
            const std::optional<double> cost = cost_by_enumeration(problem, order);
            if (!cost || (cheapest.contains(set) && cheapest[set] <= *cost)) continue;
            if (can_load(judge, order)) cheapest[set] = *cost;
        } while (std::next_permutation(order.begin(), order.end()));
    }
    return cheapest;
}

double best_split(const RoutingProblem& problem, const std::map<unsigned, double>& cheapest,
                  unsigned rest, std::int32_t vehicles) {
    if (rest == 0) return problem.whole_fleet && vehicles > 0 ? infinity : 0.0;
    if (vehicles == 0) return infinity;
    const unsigned first = rest & (~rest + 1);
    double best = infinity;
    for (unsigned set = rest; set > 0; set = (set - 1) & rest) {
        const auto order = cheapest.find(set);
        if ((set & first) == 0 || order == cheapest.end()) continue;
        best = std::min(best,
                        order->second + best_split(problem, cheapest, rest & ~set, vehicles - 1));
    }
    return best;
}

double optimum_of(const Case& made) {
    return best_split(made.problem, cheapest_orders(made), (1U << made.problem.customers) - 1,
                      made.problem.vehicles);
}

void check_routes(const Case& made, const RouteSearch& search) {
    packing::LoadingOracle judge = oracle_of(made);
    for (const auto& [kind, route] : search.pool()) {
        const std::optional<double> cost = cost_by_enumeration(made.problem, route);
        CHECK(cost);
        CHECK(cost && std::abs(*cost - made.problem.cost(route)) < 1e-9);
        CHECK(static_cast<std::int32_t>(route.size()) >= made.problem.min_stops);
        CHECK(can_load(judge, route));
    }
    if (!search.best()) return;
    const auto& routes = search.best()->routes;
    FleetProblem(made.problem).check_solution(routes);
    const auto vehicles = static_cast<std::size_t>(made.problem.vehicles);
    CHECK(made.problem.whole_fleet ? routes.size() == vehicles : routes.size() <= vehicles);
    double cost = 0.0;
    std::vector<Place> visited;
    for (const auto& [kind, route] : routes) {
        cost += cost_by_enumeration(made.problem, route).value_or(infinity);
        CHECK(can_load(judge, route));
        visited.insert(visited.end(), route.begin(), route.end());
    }
    CHECK(std::abs(cost - search.best()->cost) < 1e-9);
    CHECK(search.statistics().improvements.back().cost == search.best()->cost);
    std::sort(visited.begin(), visited.end());
    std::vector<Place> everybody(static_cast<std::size_t>(made.problem.customers));
    std::iota(everybody.begin(), everybody.end(), 1);
    CHECK(visited == everybody);
}

RouteSearch::Solution solution_of(const Case& made) {
    packing::LoadingOracle oracle = oracle_of(made);
    RouteSearch search(made.problem, {&oracle}, {1, made.lifo, 100, 1000});
    search.run({2000, -1.0, {}});
    CHECK(search.best());
    return search.best().value_or(RouteSearch::Solution{});
}

bool has_waiting(const Case& made, const RouteSearch::Solution& solution) {
    return std::ranges::any_of(solution.routes, [&](const auto& route) {
        return made.problem.time_of(route.stops).waiting > 0;
    });
}

// A line of customers that fit all into one truck, with equal steps between neighbours.
Case line_of(Place customers) {
    Case made;
    RoutingProblem& problem = made.problem;
    problem.customers = customers;
    problem.vehicles = customers;
    problem.capacity = 100;
    problem.floor_area = std::int64_t{floor_width} * floor_length;
    problem.time_tolerance = 0.0;
    for (Place place = 0; place <= customers; ++place) {
        problem.weights.push_back(place > 0);
        problem.areas.push_back(place > 0);
        problem.ready_times.push_back(0);
        problem.due_times.push_back(infinity);
        problem.service_times.push_back(0);
        if (place > 0) made.items.push_back({{1, 1}});
        for (Place other = 0; other <= customers; ++other)
            problem.costs.push_back(10.0 * std::abs(place - other));
    }
    return made;
}

double& cost_in(RoutingProblem& problem, Place from, Place to) {
    return problem.costs[static_cast<std::size_t>(from * (problem.customers + 1) + to)];
}

template <typename Action>
std::string refusal_of(Action action) {
    try {
        action();
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(tiny_cases_with_all_kinds_of_rules_are_solved_to_the_optimum) {
    TinyProblems dice(21);
    int solved = 0;
    int missed = 0;
    int without_solution = 0;
    int with_waiting = 0;
    for (int round = 0; round < 900; ++round) {
        const Case made = random_case(dice, dice.draw(3, 6), Rules::draw(dice));
        packing::LoadingOracle oracle = oracle_of(made);
        const auto seed = static_cast<std::uint64_t>(round);
        RouteSearch search(made.problem, {&oracle}, {seed, made.lifo, 100, 1000});
        search.run({2000, -1.0, {}});
        check_routes(made, search);
        const double optimum = optimum_of(made);
        if (optimum == infinity) {
            ++without_solution;
            CHECK(!search.best());
        } else if (search.best() && search.best()->cost <= optimum + 1e-9) {
            ++solved;
            CHECK(search.best()->cost >= optimum - 1e-9);
            with_waiting += made.problem.waiting_cost > 0 && has_waiting(made, *search.best());
        } else {
            ++missed;
        }
    }
    // It proves nothing, but it seldom misses what is so small.
    CHECK(missed <= 2);
    CHECK(solved > 500);
    CHECK(with_waiting > 10);
    CHECK(without_solution > 100);
}

TEST(larger_cases_keep_every_rule_and_go_on_from_what_is_offered) {
    TinyProblems dice(22);
    int offered = 0;
    for (int round = 0; round < 60; ++round) {
        Case made = random_case(dice, dice.draw(9, 14), Rules::draw(dice));
        made.problem.vehicles = made.problem.customers;
        made.problem.whole_fleet = false;
        packing::LoadingOracle oracle = oracle_of(made);
        RouteSearch search(made.problem, {&oracle}, {7, made.lifo, 100, 1000});
        search.run({500, -1.0, {}});
        check_routes(made, search);
        if (!search.best()) continue;
        ++offered;
        const RouteSearch::Solution known = *search.best();
        RouteSearch other(made.problem, {&oracle}, {8, made.lifo, 100, 1000});
        CHECK(other.offer(known.routes, true, 1000, {}));
        CHECK(other.best() && other.best()->cost == known.cost);
        other.run({300, -1.0, {}});
        check_routes(made, other);
        CHECK(other.best()->cost <= known.cost);
    }
    CHECK(offered > 20);
}

TEST(the_least_duration_is_that_of_the_best_departure) {
    TinyProblems dice(23);
    int in_time = 0;
    int with_waiting = 0;
    Rules rules;
    rules.windows = true;
    rules.durations = true;
    for (int round = 0; round < 6000; ++round) {
        const Case made = random_case(dice, 4, rules);
        const RoutingProblem& problem = made.problem;
        std::vector<Place> route{1, 2, 3, 4};
        route.resize(static_cast<std::size_t>(dice.draw(1, 4)));
        std::optional<double> least;
        for (double departure = problem.ready_times[0]; departure <= last_minute; ++departure) {
            const std::optional<double> duration = duration_from(problem, route, departure);
            if (duration && (!least || *duration < *least)) least = duration;
        }
        CHECK(problem.is_in_time(route) == least.has_value());
        if (!least) continue;
        ++in_time;
        const TimeSegment time = problem.time_of(route);
        CHECK(time.duration() == *least);
        // Whoever leaves between these takes no longer.
        CHECK(duration_from(problem, route, time.earliest) == least);
        if (time.latest <= last_minute) CHECK(duration_from(problem, route, time.latest) == least);
        with_waiting += time.waiting > 0;
    }
    CHECK(in_time > 300);
    CHECK(with_waiting > 50);
}

TEST(a_tour_knows_its_time_with_one_more_stop) {
    TinyProblems dice(24);
    Rules rules;
    rules.windows = true;
    rules.waiting_cost = true;
    int compared = 0;
    for (int round = 0; round < 1000; ++round) {
        const Case made = random_case(dice, 5, rules);
        RoutingProblem problem = made.problem;
        std::vector<VehicleKind> kinds;
        kinds.emplace_back(problem);
        Tours tours(kinds);
        std::vector<Place> stops{1, 2, 3, 4};
        stops.resize(static_cast<std::size_t>(dice.draw(0, 4)));
        tours.reorder(0, stops);
        if (!stops.empty() && !made.problem.is_in_time(stops)) continue;
        for (std::size_t position = 0; position <= stops.size(); ++position) {
            std::vector<Place> longer = stops;
            longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(position), 5);
            if (!made.problem.is_in_time(longer)) continue;
            ++compared;
            const TimeSegment time = tours.time_with(0, position, 5);
            CHECK(time.duration() == made.problem.time_of(longer).duration());
            CHECK(time.waiting == made.problem.time_of(longer).waiting);
        }
    }
    CHECK(compared > 300);
}

TEST(the_cheaper_direction_is_found_and_the_other_is_another_route) {
    Case made = line_of(3);
    // Uphill is expensive: out over the far end and down again, not the other way round.
    for (Place from = 0; from < 3; ++from) cost_in(made.problem, from, from + 1) += 50.0;
    const RouteSearch::Solution solution = solution_of(made);
    CHECK(solution.routes == (std::vector<Route>{{0, {3, 2, 1}}}));
    CHECK(solution.cost == 60.0);
    CHECK(made.problem.cost(std::vector<Place>{1, 2, 3}) == 210.0);
    CHECK(RulesInUse(made.problem).has_directed_costs);
    packing::LoadingOracle oracle = oracle_of(made);
    RouteSearch search(made.problem, {&oracle}, {});
    CHECK(search.offer({{0, {1, 2, 3}}}, false, 1000, {}));
    CHECK(search.offer({{0, {3, 2, 1}}}, false, 1000, {}));
    CHECK(search.pool().size() == 2);
    // What was proven for one direction is proven for the other.
    CHECK(search.statistics().checks == 1);
}

TEST(customers_who_cannot_be_visited_alone_are_visited_together) {
    Case made = line_of(3);
    // One way only: 0 -> 1 -> 2 -> 3 -> 0.
    for (Place from = 0; from <= 3; ++from) {
        for (Place to = 0; to <= 3; ++to) {
            if (from != to && to != (from + 1) % 4) cost_in(made.problem, from, to) = infinity;
        }
    }
    const RouteSearch::Solution solution = solution_of(made);
    CHECK(solution.routes == (std::vector<Route>{{0, {1, 2, 3}}}));
    CHECK(solution.cost == 60.0);
}

TEST(waiting_is_paid_only_if_leaving_later_does_not_avoid_it) {
    Case made = line_of(2);
    RoutingProblem& problem = made.problem;
    problem.waiting_cost = 0.5;
    problem.ready_times[2] = 100.0;
    const std::vector<Place> both{1, 2};
    CHECK(problem.cost(both) == 40.0);
    CHECK(!RulesInUse(problem).has_waiting_cost);  // nobody is ever late
    problem.due_times[1] = 30.0;
    CHECK(RulesInUse(problem).has_waiting_cost);
    // At 1 by minute 30, at 2 by minute 40, and 60 minutes of waiting.
    CHECK(problem.time_of(both).waiting == 60.0);
    CHECK(problem.cost(both) == 70.0);
    // Two trucks are cheaper, and so is one that comes to 1 afterwards, if it is not too late.
    CHECK(solution_of(made).cost == 60.0);
    problem.due_times[1] = 150.0;
    CHECK(solution_of(made).cost == 40.0);
}

TEST(every_limit_of_a_route_splits_it_and_is_named_when_it_is_broken) {
    const std::vector<Route> one_route{{0, {1, 2, 3, 4}}};
    const auto check_split = [&](const Case& made, const std::string& reason) {
        packing::LoadingOracle oracle = oracle_of(made);
        RouteSearch search(made.problem, {&oracle}, {});
        CHECK(refusal_of([&] { search.offer(one_route, true, 1000, {}); }) == reason);
        CHECK(solution_of(made).routes.size() == 2);
    };
    Case made = line_of(4);
    CHECK(solution_of(made).routes.size() == 1);
    made.problem.max_stops = 3;
    check_split(made, "a route has too many stops");
    made = line_of(4);
    made.problem.service_times = {0, 5, 5, 5, 5};
    made.problem.max_duration = 99.0;
    check_split(made, "a route takes too much time");
    made.problem.max_duration = 100.0;
    CHECK(solution_of(made).routes.size() == 1);
    made = line_of(4);
    made.problem.distances = made.problem.costs;
    for (double& distance : made.problem.distances) distance += distance > 0 ? 1.0 : 0.0;
    made.problem.max_distance = 84.0;
    check_split(made, "a route is too long");
    made.problem.max_distance = 85.0;
    CHECK(solution_of(made).routes.size() == 1);
    made = line_of(4);
    made.problem.durations = made.problem.costs;
    made.problem.service_times = {0, 5, 5, 5, 5};
    made.problem.due_times[0] = 99.0;
    check_split(made, "a route is late");
    made = line_of(4);
    for (const Place from : {2, 3, 4}) cost_in(made.problem, 1, from) = infinity;
    for (const Place from : {2, 3, 4}) cost_in(made.problem, from, 1) = infinity;
    check_split(made, "a route takes a way that is closed");
}

TEST(a_tour_that_breaks_a_limit_without_some_stop_is_broken_up) {
    Case made = line_of(3);
    // From 1 to 3 only over 2.
    cost_in(made.problem, 1, 3) = cost_in(made.problem, 3, 1) = infinity;
    packing::LoadingOracle oracle = oracle_of(made);
    Workspace work(made.problem, {&oracle}, {});
    for (const Place customer : {1, 2, 3})
        work.tours.insert(0, work.tours[0].stops.size(), customer);
    work.break_up_if_over_limit(0);
    CHECK(work.tours[0].stops.size() == 3);
    work.tours.take_out(2);
    CHECK(work.tours[0].cost == infinity);
    work.break_up_if_over_limit(0);
    CHECK(work.tours[0].stops.empty());
    CHECK((work.unserved == std::vector<Place>{1, 3}));
    CHECK(work.tours.cost() == 0.0);
}

TEST(too_many_customers_for_the_stops_of_the_fleet_have_no_solution) {
    Case made = line_of(5);
    made.problem.max_stops = 2;
    made.problem.vehicles = 2;
    packing::LoadingOracle oracle = oracle_of(made);
    RouteSearch search(made.problem, {&oracle}, {});
    search.run({-1, -1.0, {}});
    CHECK(!search.best());
}

TEST(problems_that_do_not_add_up_are_refused) {
    const Case plain = line_of(2);
    packing::LoadingOracle oracle = oracle_of(plain);
    const auto is_refused = [&](auto change) {
        RoutingProblem problem = plain.problem;
        change(problem);
        return !refusal_of([&] { RouteSearch(problem, {&oracle}, {}); }).empty();
    };
    CHECK(!is_refused([](RoutingProblem&) {}));
    CHECK(!is_refused([](RoutingProblem& problem) { problem.costs[1] += 1.0; }));
    CHECK(!is_refused([](RoutingProblem& problem) { problem.costs[1] = infinity; }));
    CHECK(is_refused([](RoutingProblem& problem) { problem.costs.pop_back(); }));
    CHECK(is_refused([](RoutingProblem& problem) { problem.costs[1] = -1.0; }));
    CHECK(is_refused([](RoutingProblem& problem) { problem.costs[1] = std::nan(""); }));
    // Half a fixed cost on both ends of a vehicle that stays at home.
    CHECK(is_refused([](RoutingProblem& problem) { problem.costs[0] = 1.0; }));
    CHECK(is_refused([](RoutingProblem& problem) { problem.durations = {1.0}; }));
    CHECK(is_refused([](RoutingProblem& problem) {
        problem.durations = problem.costs;
        problem.durations[1] = infinity;
    }));
    CHECK(is_refused([](RoutingProblem& problem) { problem.max_distance = 5.0; }));
    CHECK(is_refused([](RoutingProblem& problem) { problem.waiting_cost = -1.0; }));
    CHECK(is_refused([](RoutingProblem& problem) { problem.max_duration = std::nan(""); }));
    CHECK(is_refused([](RoutingProblem& problem) { problem.max_stops = -1; }));
    CHECK(is_refused([](RoutingProblem& problem) { problem.service_times.pop_back(); }));
}

}  // namespace
