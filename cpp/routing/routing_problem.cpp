#include "routing_problem.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tailgate::routing {

constexpr double relative_time_tolerance = 1e-9;

void RoutingProblem::validate() const {
    if (customers < 1) throw std::invalid_argument("there must be a customer");
    if (vehicles < 1) throw std::invalid_argument("there must be a vehicle");
    if (min_stops < 1) throw std::invalid_argument("a route has at least one stop");
    const bool sizes_agree = distances.size() == places() * places() &&
                             weights.size() == places() && areas.size() == places() &&
                             ready_times.size() == places() && due_times.size() == places() &&
                             service_times.size() == places();
    if (!sizes_agree) throw std::invalid_argument("there must be one value for every place");
    for (Place a = 0; a <= customers; ++a) {
        for (Place b = 0; b < a; ++b) {
            if (distance(a, b) != distance(b, a))
                throw std::invalid_argument("distances must be symmetric");
        }
    }
}

bool RoutingProblem::has_windows() const {
    return std::ranges::any_of(due_times, [](double due) { return std::isfinite(due); });
}

double RoutingProblem::latest_arrival(Place place) const {
    const double due = due_times[to_index(place)];
    return due + relative_time_tolerance * std::max(1.0, due);
}

double RoutingProblem::cost(std::span<const Place> stops) const {
    double total = 0.0;
    Place position = 0;
    for (const Place stop : stops) {
        total += distance(position, stop);
        position = stop;
    }
    return total + distance(position, 0);
}

bool RoutingProblem::is_in_time(std::span<const Place> stops) const {
    double clock = ready_times[0];
    Place position = 0;
    for (const Place stop : stops) {
        const auto index = to_index(stop);
        clock += distance(position, stop);
        if (clock > latest_arrival(stop)) return false;
        clock = std::max(clock, ready_times[index]) + service_times[index];
        position = stop;
    }
    return clock + distance(position, 0) <= latest_arrival(0);
}

void RoutingProblem::check_solution(const std::vector<std::vector<Place>>& routes) const {
    const auto require = [](bool holds, const char* rule) {
        if (!holds) throw std::invalid_argument(rule);
    };
    const auto fleet = to_index(vehicles);
    require(whole_fleet ? routes.size() == fleet : routes.size() <= fleet,
            "the number of routes does not fit the fleet");
    const bool must_be_in_time = has_windows();
    std::vector<bool> is_served(places(), false);
    std::size_t served = 0;
    for (const auto& route : routes) {
        require(!route.empty() && static_cast<std::int32_t>(route.size()) >= min_stops,
                "a route has too few stops");
        std::int64_t weight = 0;
        std::int64_t area = 0;
        for (const Place stop : route) {
            require(stop >= 1 && stop <= customers, "there is no such customer");
            const auto index = to_index(stop);
            require(!is_served[index], "a customer is visited twice");
            is_served[index] = true;
            ++served;
            weight += weights[index];
            area += areas[index];
        }
        require(weight <= capacity, "a route is too heavy");
        require(area <= floor_area, "the items of a route cover more than the floor");
        require(!must_be_in_time || is_in_time(route), "a route is late");
    }
    require(served + 1 == places(), "a customer is not visited");
}

}  // namespace tailgate::routing
