// One kind of vehicle, and what can be said of it once and for all.
#pragma once

#include <vector>

#include "routing_problem.hpp"

namespace tailgate::routing {

struct VehicleKind {
    // The problem must outlive this.
    explicit VehicleKind(RoutingProblem& of_kind)
        : problem(of_kind),
          rules(problem),
          places(problem.places()),
          ready_times(problem.ready_times.data()),
          service_times(problem.service_times.data()),
          durations(problem.travel_times().data()),
          most_stops(problem.max_stops > 0 ? to_index(problem.max_stops) : problem.places()) {
        for (Place place = 0; place <= problem.customers; ++place)
            latest_arrivals.push_back(problem.latest_arrival(place));
    }

    [[nodiscard]] double duration(Place from, Place to) const {
        return durations[to_index(from) * places + to_index(to)];
    }

    [[nodiscard]] double fill_of(std::int64_t area) const {
        return static_cast<double>(area) / static_cast<double>(problem.floor_area);
    }
    [[nodiscard]] bool keeps_limits(const std::vector<Place>& stops) const {
        return !rules.has_limits || problem.broken_limit(stops) == nullptr;
    }
    // Whether a vehicle of this kind may take this tour, its loading aside.
    [[nodiscard]] bool may_take(const std::vector<Place>& stops) const {
        if (stops.size() > most_stops) return false;
        std::int64_t weight = 0;
        std::int64_t area = 0;
        for (const Place stop : stops) {
            if (!problem.may_visit(stop)) return false;
            weight += problem.weights[to_index(stop)];
            area += problem.areas[to_index(stop)];
        }
        return weight <= problem.capacity && area <= problem.floor_area && keeps_limits(stops);
    }

    RoutingProblem& problem;
    RulesInUse rules;
    // Of the problem, at hand where every step counts.
    std::size_t places;
    const double* ready_times;
    const double* service_times;
    const double* durations;  // row by row
    std::size_t most_stops;
    std::vector<double> latest_arrivals;  // by place, whatever the tour
};

}  // namespace tailgate::routing
