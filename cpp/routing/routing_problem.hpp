// What a route search has to know of an instance; loading is the oracle's business.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "to_index.hpp"

namespace tailgate::routing {

// Places are numbered 0 (the depot), 1, 2, ... (the customers).
using Place = std::int32_t;

struct RoutingProblem {
    Place customers = 0;
    std::vector<double> distances;      // symmetric, row by row, one for every pair of places
    std::vector<std::int64_t> weights;  // one for every place, 0 for the depot; likewise below
    std::vector<std::int64_t> areas;
    std::int64_t capacity = 0;
    std::int64_t floor_area = 0;
    std::int32_t vehicles = 0;
    bool whole_fleet = false;  // exactly, not at most, `vehicles` leave the depot
    std::int32_t min_stops = 1;
    std::vector<double> ready_times;
    std::vector<double> due_times;  // infinity for no limit; the depot's: back at the latest
    std::vector<double> service_times;

    // Throws std::invalid_argument if the sizes do not agree or distances are not symmetric.
    void validate() const;

    [[nodiscard]] double distance(Place from, Place to) const {
        return distances[to_index(from) * places() + to_index(to)];
    }
    [[nodiscard]] std::size_t places() const { return to_index(customers) + 1; }
    [[nodiscard]] bool has_windows() const;
    // A vehicle may be late by this relative rounding error, as in the judge.
    [[nodiscard]] double latest_arrival(Place place) const;
    [[nodiscard]] double cost(std::span<const Place> stops) const;
    // Leaves the depot when it opens and waits where it is early.
    [[nodiscard]] bool is_in_time(std::span<const Place> stops) const;
    // Throws std::invalid_argument if a solution breaks a rule other than loading.
    void check_solution(const std::vector<std::vector<Place>>& routes) const;
};

}  // namespace tailgate::routing
