#include "fleet_problem.hpp"

#include <algorithm>
#include <stdexcept>

namespace tailgate::routing {

namespace {

void demand(bool holds, const char* rule) {
    if (!holds) throw std::invalid_argument(rule);
}

constexpr std::size_t unserved = 0;  // routes count from one where customers look them up

}  // namespace

void FleetProblem::validate() const {
    demand(!kinds.empty(), "there must be a kind of vehicle");
    std::int64_t vehicles = 0;
    for (const RoutingProblem& kind : kinds) {
        kind.validate();
        demand(kind.customers == customers(), "all kinds must have the same customers");
        demand(kind.whole_fleet == kinds.front().whole_fleet &&
                   kind.min_stops == kinds.front().min_stops,
               "the rules of the fleet must be the same for all kinds");
        vehicles += kind.vehicles;
    }
    demand(vehicles >= 1, "there must be a vehicle");
    demand(leave_out_costs.empty() || leave_out_costs.size() == places(),
           "there must be one value for every place");
    for (const double cost : leave_out_costs)
        demand(cost >= 0, "costs must not be negative");
    demand(first_stops.empty() || first_stops.size() == kinds.size(),
           "there must be first stops for every kind");
    const auto is_customer = [this](Place place) { return place >= 1 && place <= customers(); };
    for (const auto& [first, second] : apart)
        demand(is_customer(first) && is_customer(second) && first != second,
               "there is no such customer");
    for (const auto* lists : {&groups, &first_stops}) {
        for (const auto& members : *lists)
            demand(std::ranges::all_of(members, is_customer), "there is no such customer");
    }
}

void FleetProblem::check_solution(const std::vector<Route>& routes) const {
    std::vector<std::int32_t> used(kinds.size(), 0);
    for (const Route& route : routes) {
        demand(route.kind < kinds.size(), "there is no such kind of vehicle");
        ++used[route.kind];
    }
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        const std::int32_t vehicles = kinds[kind].vehicles;
        demand(kinds[kind].whole_fleet ? used[kind] == vehicles : used[kind] <= vehicles,
               "the number of routes does not fit the fleet");
    }
    std::vector<std::size_t> route_of(places(), unserved);
    for (std::size_t i = 0; i < routes.size(); ++i) {
        for (const Place stop : routes[i].stops) {
            demand(stop >= 1 && stop <= customers(), "there is no such customer");
            demand(route_of[to_index(stop)] == unserved, "a customer is visited twice");
            route_of[to_index(stop)] = i + 1;
        }
        kinds[routes[i].kind].check_route(routes[i].stops);
    }
    for (Place customer = 1; customer <= customers(); ++customer)
        demand(route_of[to_index(customer)] != unserved || may_stay(customer),
               "a customer is not visited");
    check_company(route_of);
}

void FleetProblem::check_company(const std::vector<std::size_t>& route_of) const {
    for (const auto& [first, second] : apart) {
        const std::size_t route = route_of[to_index(first)];
        demand(route == unserved || route != route_of[to_index(second)],
               "customers who must not share a vehicle share one");
    }
    for (const auto& group : groups) {
        for (const Place member : group)
            demand(route_of[to_index(member)] == route_of[to_index(group.front())],
                   "customers who must share a vehicle do not");
    }
}

bool FleetProblem::has_wrong_number_of_customers() const {
    std::int64_t vehicles = 0;
    std::int64_t most = 0;
    for (const RoutingProblem& kind : kinds) {
        vehicles += kind.vehicles;
        if (kind.can_have_a_route()) {
            const Place stops = kind.max_stops > 0 ? kind.max_stops : customers();
            most += std::int64_t{kind.vehicles} * stops;
        } else if (kind.whole_fleet && kind.vehicles > 0) {
            return true;
        }
    }
    std::int64_t least_served = 0;
    for (Place customer = 1; customer <= customers(); ++customer)
        least_served += may_stay(customer) ? 0 : 1;
    const RoutingProblem& common = kinds.front();
    const std::int64_t least_routes =
        common.whole_fleet ? vehicles : std::min<std::int64_t>(least_served, 1);
    return least_routes * common.min_stops > customers() || most < least_served;
}

}  // namespace tailgate::routing
