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
    bool one_way = true;   // costs differ by direction
    bool metric = false;   // no shortcuts but those of rounding
    int closed = 0;        // percent of the ways
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
        problem.ready_times.push_back(rules.windows ? dice.draw(0, is_customer ? 45 : 5) : 0);
        const bool is_timed = rules.windows && (is_customer ? dice.draw(0, 4) > 0 : true);
        const double width = is_customer ? dice.draw(8, 30) : dice.draw(70, 85);
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
        busy += entry(problem, travel, at, to) + problem.service_times[static_cast<std::size_t>(to)];
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
        best = std::min(best, order->second +
                                  best_split(problem, cheapest, rest & ~set, vehicles - 1));
    }
    return best;
}

double optimum_of(const Case& made) {
    return best_split(made.problem, cheapest_orders(made), (1U << made.problem.customers) - 1,
                      made.problem.vehicles);
}

void check_routes(const Case& made, const RouteSearch& search) {
    packing::LoadingOracle judge = oracle_of(made);
    for (const auto& route : search.pool()) {
        const std::optional<double> cost = cost_by_enumeration(made.problem, route);
        CHECK(cost);
        CHECK(cost && std::abs(*cost - made.problem.cost(route)) < 1e-9);
        CHECK(static_cast<std::int32_t>(route.size()) >= made.problem.min_stops);
        CHECK(can_load(judge, route));
    }
    if (!search.best()) return;
    const auto& routes = search.best()->routes;
    made.problem.check_solution(routes);
    const auto vehicles = static_cast<std::size_t>(made.problem.vehicles);
    CHECK(made.problem.whole_fleet ? routes.size() == vehicles : routes.size() <= vehicles);
    double cost = 0.0;
    std::vector<Place> visited;
    for (const auto& route : routes) {
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

TEST(tiny_cases_with_roads_hours_and_limits_are_solved_to_the_optimum) {
    TinyProblems dice(21);
    int solved = 0;
    int missed = 0;
    int without_solution = 0;
    for (int round = 0; round < 6000; ++round) {
        const Case made = random_case(dice, dice.draw(3, 6), Rules::draw(dice));
        packing::LoadingOracle oracle = oracle_of(made);
        SearchOptions options;
        options.seed = static_cast<std::uint64_t>(round);
        options.lifo = made.lifo;
        RouteSearch search(made.problem, oracle, options);
        search.run({2000, -1.0, {}});
        check_routes(made, search);
        const double optimum = optimum_of(made);
        if (optimum == infinity) {
            ++without_solution;
            CHECK(!search.best());
        } else if (search.best() && search.best()->cost <= optimum + 1e-9) {
            ++solved;
            CHECK(search.best()->cost >= optimum - 1e-9);
        } else {
            ++missed;
            std::fprintf(stderr, "round %d: n %d optimum %g found %g | closed %d oneway %d win %d wait %g dur %d maxd %g maxdist %g stops %d whole %d min %d K %d\n", round, made.problem.customers, optimum,
                         search.best() ? search.best()->cost : -1.0, RulesInUse(made.problem).has_closed_arcs, RulesInUse(made.problem).has_directed_costs, RulesInUse(made.problem).has_windows, made.problem.waiting_cost, (int)made.problem.durations.size(), made.problem.max_duration, made.problem.max_distance, made.problem.max_stops, made.problem.whole_fleet, made.problem.min_stops, made.problem.vehicles);
        }
    }
    std::fprintf(stderr, "solved %d missed %d none %d\n", solved, missed, without_solution);
    CHECK(missed <= 2);
}

}  // namespace
