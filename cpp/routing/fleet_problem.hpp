// A fleet of several kinds of vehicles, orders that may be left out, and rules on who rides with
// whom. Each kind sees the same customers by costs, times and limits of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "routing_problem.hpp"

namespace tailgate::routing {

struct Route {
    std::size_t kind = 0;
    std::vector<Place> stops;
    friend bool operator==(const Route&, const Route&) = default;
};

struct FleetProblem {
    FleetProblem() = default;
    // Vehicles of one kind, everybody must be served, and no rules.
    FleetProblem(RoutingProblem only_kind) : kinds{std::move(only_kind)} {}

    std::vector<RoutingProblem> kinds;  // the whole fleet and the fewest stops are common to all
    // Of every place; infinite if it must be served. Empty: everybody must be.
    std::vector<double> leave_out_costs;
    std::vector<std::pair<Place, Place>> apart;  // never in one vehicle
    std::vector<std::vector<Place>> groups;      // all in one vehicle, or nobody
    // By kind, the stops that each of its vehicles begins with. Closed arcs say so, too; who is
    // listed here goes into a tour in one step. Empty: no kind has any.
    std::vector<std::vector<Place>> first_stops;

    [[nodiscard]] Place customers() const { return kinds.front().customers; }
    [[nodiscard]] std::size_t places() const { return kinds.front().places(); }
    // Throws std::invalid_argument if the sizes do not agree or a value makes no sense.
    void validate() const;
    // Throws std::invalid_argument if a solution breaks a rule other than loading.
    void check_solution(const std::vector<Route>& routes) const;
    // The fleet wants more stops, or fewer, than there are customers.
    [[nodiscard]] bool has_wrong_number_of_customers() const;

  private:
    void check_company(const std::vector<std::size_t>& route_of) const;
    [[nodiscard]] bool may_stay(Place customer) const {
        return !leave_out_costs.empty() && leave_out_costs[to_index(customer)] < infinity;
    }
};

}  // namespace tailgate::routing
