#include "routing_problem.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tailgate::routing {

namespace {

constexpr double relative_time_tolerance = 1e-9;

}  // namespace

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
    return std::any_of(due_times.begin(), due_times.end(),
                       [](double due) { return std::isfinite(due); });
}

double RoutingProblem::latest_arrival(Place place) const {
    const double due = due_times[static_cast<std::size_t>(place)];
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
        const auto index = static_cast<std::size_t>(stop);
        clock += distance(position, stop);
        if (clock > latest_arrival(stop)) return false;
        clock = std::max(clock, ready_times[index]) + service_times[index];
        position = stop;
    }
    return clock + distance(position, 0) <= latest_arrival(0);
}

}  // namespace tailgate::routing
