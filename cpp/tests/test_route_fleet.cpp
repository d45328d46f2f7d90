// The route search on fleets: several kinds of vehicles, orders that may be left out, customers who
// ride together or apart, and vehicles that are under way.
#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>

#include "problems.hpp"
#include "routing/group_insertion.hpp"
#include "routing/kind_change.hpp"
#include "routing/leaving_out.hpp"
#include "routing/route_search.hpp"
#include "test.hpp"

using namespace tailgate::routing;
using tailgate::to_index;
using namespace tailgate::tests;
namespace packing = tailgate::packing;

namespace {

constexpr packing::Length floor_width = 6;
constexpr packing::Length floor_length = 8;

// Customers on a line, one unit of weight and one small item each, and any number of kinds.
struct Fleet {
    FleetProblem problem;
    std::vector<std::vector<packing::Rectangle>> items;

    explicit Fleet(Place customers) : items(to_index(customers), {{1, 1}}), places_(customers + 1) {
        problem.kinds.clear();
    }

    RoutingProblem& add_kind(std::int32_t vehicles, double fixed_cost, double per_step,
                             std::int64_t capacity) {
        RoutingProblem kind;
        kind.customers = places_ - 1;
        kind.vehicles = vehicles;
        kind.capacity = capacity;
        kind.floor_area = std::int64_t{floor_width} * floor_length;
        for (Place from = 0; from < places_; ++from) {
            kind.weights.push_back(from == 0 ? 0 : 1);
            kind.areas.push_back(from == 0 ? 0 : 1);
            kind.ready_times.push_back(0);
            kind.due_times.push_back(infinity);
            kind.service_times.push_back(0);
            for (Place to = 0; to < places_; ++to) {
                const double half = from != to && from * to == 0 ? fixed_cost / 2 : 0.0;
                kind.costs.push_back(10.0 * per_step * std::abs(from - to) + half);
            }
        }
        problem.kinds.push_back(std::move(kind));
        return problem.kinds.back();
    }
    [[nodiscard]] packing::LoadingOracle oracle() const {
        return {floor_width, floor_length, items, {true, std::size_t{1} << 20, true}};
    }

  private:
    Place places_;
};

std::string refusal_of(const FleetProblem& problem, const std::vector<Route>& routes) {
    try {
        problem.validate();
        problem.check_solution(routes);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

RouteSearch::Solution solution_of(const Fleet& fleet) {
    packing::LoadingOracle oracle = fleet.oracle();
    RouteSearch search(fleet.problem,
                       std::vector<packing::LoadingOracle*>(fleet.problem.kinds.size(), &oracle),
                       {});
    search.run({1000, -1.0, {}});
    for (const Route& route : search.pool())
        CHECK(fleet.problem.kinds[route.kind].broken_limit(route.stops) == nullptr);
    CHECK(search.best());
    if (search.best()) fleet.problem.check_solution(search.best()->routes);
    return search.best().value_or(RouteSearch::Solution{});
}

std::map<std::size_t, std::size_t> stops_by_kind(const RouteSearch::Solution& solution) {
    std::map<std::size_t, std::size_t> counts;
    for (const Route& route : solution.routes) counts[route.kind] += route.stops.size();
    return counts;
}

}  // namespace

TEST(every_rule_of_a_fleet_is_named_when_it_is_broken) {
    Fleet fleet(4);
    fleet.add_kind(1, 0, 1, 10);
    fleet.add_kind(1, 0, 1, 10).accepts = {true, true, true, true, false};
    fleet.problem.apart = {{1, 2}};
    fleet.problem.groups = {{2, 3}};
    fleet.problem.leave_out_costs = {infinity, 5, 5, 5, infinity};
    CHECK(refusal_of(fleet.problem, {{0, {1, 4}}, {1, {2, 3}}}).empty());
    CHECK(refusal_of(fleet.problem, {{0, {4}}}).empty());
    CHECK(refusal_of(fleet.problem, {{1, {1}}}) == "a customer is not visited");
    CHECK(refusal_of(fleet.problem, {{0, {4}}, {0, {1}}}) ==
          "the number of routes does not fit the fleet");
    CHECK(refusal_of(fleet.problem, {{2, {4}}}) == "there is no such kind of vehicle");
    CHECK(refusal_of(fleet.problem, {{1, {4}}}) ==
          "a vehicle visits a customer whom it must not visit");
    CHECK(refusal_of(fleet.problem, {{0, {4, 2}}}) == "customers who must share a vehicle do not");
    CHECK(refusal_of(fleet.problem, {{0, {4, 3, 2, 1}}}) ==
          "customers who must not share a vehicle share one");
    fleet.problem.kinds[0].min_stops = fleet.problem.kinds[1].min_stops = 1;
    fleet.problem.kinds[1].whole_fleet = true;
    CHECK(!refusal_of(fleet.problem, {}).empty());
    fleet.problem.kinds[0].whole_fleet = true;
    CHECK(refusal_of(fleet.problem, {{0, {4}}}) == "the number of routes does not fit the fleet");
}

TEST(groups_that_overlap_are_one_and_begin_with_the_first_stops) {
    FleetProblem problem;
    Fleet fleet(8);
    fleet.add_kind(1, 0, 1, 10);
    fleet.problem.groups = {{1, 2}, {3, 4}, {2, 5}};
    fleet.problem.first_stops = {{7, 3}};
    const Groups groups(fleet.problem);
    CHECK(groups.count() == 2);
    CHECK(groups.of(1) == groups.of(5));
    CHECK(groups.of(6) == Groups::none);
    const Group& with_head = groups[groups.of(4)];
    CHECK((with_head.head == std::vector<Place>{7, 3}));
    CHECK((with_head.members == std::vector<Place>{7, 3, 4}));
}

TEST(a_tour_goes_to_the_kind_that_is_cheapest_for_it) {
    Fleet fleet(4);
    fleet.add_kind(1, 100, 1, 10);
    fleet.add_kind(1, 10, 2, 3);
    // One large vehicle for all: the small one holds three.
    CHECK((stops_by_kind(solution_of(fleet)) == std::map<std::size_t, std::size_t>{{0, 4}}));
    fleet.problem.kinds[1].capacity = 4;
    CHECK((stops_by_kind(solution_of(fleet)) == std::map<std::size_t, std::size_t>{{1, 4}}));
    // Two tours exchange their vehicles.
    packing::LoadingOracle oracle = fleet.oracle();
    Workspace work(fleet.problem, {&oracle, &oracle}, {});
    work.tours.assign(work.tours.first_of(0), {1});
    work.tours.assign(work.tours.first_of(1), {2, 3, 4});
    improve_kinds(work);
    CHECK((work.tours[work.tours.first_of(0)].stops == std::vector<Place>{2, 3, 4}));
    CHECK((work.tours[work.tours.first_of(1)].stops == std::vector<Place>{1}));
    for (int round = 0; round < 50; ++round) {
        change_a_kind(work);
        for (std::size_t tour = 0; tour < work.tours.count(); ++tour)
            CHECK(work.kind_of(tour).may_take(work.tours[tour].stops));
    }
}

TEST(who_costs_more_than_left_out_is_left_out_with_its_group) {
    Fleet fleet(5);
    fleet.add_kind(1, 0, 1, 10);
    fleet.problem.leave_out_costs = {infinity, infinity, 100, 5, 5, 12};
    fleet.problem.groups = {{3, 4}};
    packing::LoadingOracle oracle = fleet.oracle();
    Workspace work(fleet.problem, {&oracle}, {});
    work.tours.assign(0, {1, 2, 3, 4, 5});
    leave_out_expensive(work, 0);
    // Customer 5 alone saves 20 for 12, and then 3 and 4 together save 40 for 10.
    CHECK((work.tours[0].stops == std::vector<Place>{1, 2}));
    std::ranges::sort(work.unserved);
    CHECK((work.unserved == std::vector<Place>{3, 4, 5}));
    CHECK(work.cost_of_leaving_out(work.unserved) == 22.0);
    const RouteSearch::Solution solution = solution_of(fleet);
    CHECK((solution.left_out == std::vector<Place>{3, 4, 5}));
    CHECK(solution.cost == 40.0 + 22.0);
}

TEST(a_group_enters_a_tour_in_one_step_or_not_at_all) {
    Fleet fleet(5);
    fleet.add_kind(2, 7, 1, 3);
    fleet.problem.groups = {{2, 4}};
    fleet.problem.apart = {{4, 5}};
    packing::LoadingOracle oracle = fleet.oracle();
    Workspace work(fleet.problem, {&oracle}, {});
    work.tours.assign(0, {5});
    std::vector<GroupInsertion> found = insertions_of(work, work.groups[0], infinity);
    CHECK(found.size() == 1);  // not beside 5
    CHECK(found.front().tour == 1 && found.front().cost == 87.0);
    CHECK(insertions_of(work, work.groups[0], 86.0).empty());
    work.tours.assign(0, {1, 3});
    CHECK(insertions_of(work, work.groups[0], infinity).size() == 1);  // four are too heavy
    work.tours.assign(0, {3});
    found = insertions_of(work, work.groups[0], infinity);
    CHECK(found.size() == 2 && found.front().tour == 0 && found.front().cost == 20.0);
    work.tours.assign(0, found.front().stops);
    work.release(2);
    CHECK((work.tours[0].stops == std::vector<Place>{3}));
    CHECK((work.unserved == std::vector<Place>{2, 4}));
}

TEST(a_vehicle_under_way_keeps_its_first_stops) {
    Fleet fleet(5);
    fleet.add_kind(1, 0, 1, 10);
    RoutingProblem& under_way = fleet.add_kind(1, 0, 1, 10);
    const std::vector<Place> head{5, 1};
    for (const auto& [only_from, only_to] : {std::pair{0, 5}, std::pair{5, 1}}) {
        for (Place other = 0; other <= 5; ++other) {
            if (other != only_to && other != only_from)
                under_way.costs[to_index(only_from * 6 + other)] = infinity;
            if (other != only_from && other != only_to)
                under_way.costs[to_index(other * 6 + only_to)] = infinity;
        }
    }
    fleet.problem.kinds[0].accepts = {true, false, true, true, true, false};
    fleet.problem.first_stops = {{}, head};
    const RouteSearch::Solution solution = solution_of(fleet);
    const auto is_under_way = [](const Route& route) { return route.kind == 1; };
    const auto route = std::ranges::find_if(solution.routes, is_under_way);
    CHECK(route != solution.routes.end());
    if (route == solution.routes.end()) return;
    CHECK(route->stops.size() >= 2 && std::equal(head.begin(), head.end(), route->stops.begin()));
}

TEST(a_whole_fleet_of_several_kinds_leaves_the_depot) {
    Fleet fleet(6);
    for (const double fixed_cost : {100.0, 10.0}) {
        RoutingProblem& kind = fleet.add_kind(2, fixed_cost, 1, 6);
        kind.whole_fleet = true;
    }
    std::map<std::size_t, int> used;
    for (const Route& route : solution_of(fleet).routes) ++used[route.kind];
    CHECK((used == std::map<std::size_t, int>{{0, 2}, {1, 2}}));
    for (RoutingProblem& kind : fleet.problem.kinds) kind.min_stops = 2;
    CHECK(fleet.problem.has_wrong_number_of_customers());
}
