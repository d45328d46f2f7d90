// What a route search has to know of an instance, as one kind of vehicle sees it; loading is the
// oracle's business.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "time_segment.hpp"
#include "to_index.hpp"

namespace tailgate::routing {

// Places are numbered 0 (the depot), 1, 2, ... (the customers).
using Place = std::int32_t;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

struct RoutingProblem {
    Place customers = 0;
    // Of arcs, row by row, one for every ordered pair of places. Neither symmetry nor the triangle
    // inequality is assumed. An arc of infinite cost cannot be driven.
    std::vector<double> costs;
    std::vector<double> durations;      // travel times; empty: the same as the costs
    std::vector<double> distances;      // only for `max_distance`
    std::vector<std::int64_t> weights;  // one for every place, 0 for the depot; likewise below
    std::vector<std::int64_t> areas;
    std::vector<bool> accepts;  // which customers a vehicle may visit; empty: all
    std::int64_t capacity = 0;
    std::int64_t floor_area = 0;
    std::int32_t vehicles = 0;
    bool whole_fleet = false;  // exactly, not at most, `vehicles` leave the depot
    std::int32_t min_stops = 1;
    std::int32_t max_stops = 0;  // 0: no limit
    std::vector<double> ready_times;
    std::vector<double> due_times;  // infinity for no limit; the depot's: back at the latest
    std::vector<double> service_times;
    double time_tolerance = 1e-9;    // relative: rounding errors of travel times that are not whole
    double waiting_cost = 0.0;       // per unit of time, on the schedule of least duration
    double max_duration = infinity;  // from departure to return on that schedule
    double max_distance = infinity;

    // Throws std::invalid_argument if the sizes do not agree or a value makes no sense.
    void validate() const;

    [[nodiscard]] double cost_between(Place from, Place to) const { return costs[arc(from, to)]; }
    [[nodiscard]] double duration_between(Place from, Place to) const {
        return travel_times()[arc(from, to)];
    }
    [[nodiscard]] const std::vector<double>& travel_times() const {
        return durations.empty() ? costs : durations;
    }
    [[nodiscard]] double distance_between(Place from, Place to) const {
        return distances[arc(from, to)];
    }
    // The cheaper of both ways: small for neighbours.
    [[nodiscard]] double nearness(Place a, Place b) const {
        return std::min(cost_between(a, b), cost_between(b, a));
    }
    [[nodiscard]] std::size_t places() const { return to_index(customers) + 1; }
    // A vehicle may be late by a rounding error, as in the judge.
    [[nodiscard]] double latest_arrival(Place place) const {
        return with_tolerance(due_times[to_index(place)]);
    }
    [[nodiscard]] double longest_duration() const { return with_tolerance(max_duration); }

    // Of its arcs and of waiting; infinite if it cannot be driven.
    [[nodiscard]] double cost(std::span<const Place> stops) const;
    // Leaves the depot when it opens and waits where it is early.
    [[nodiscard]] bool is_in_time(std::span<const Place> stops) const;
    // On the schedule of least duration. For a route that is in time.
    [[nodiscard]] TimeSegment time_of(std::span<const Place> stops) const;
    [[nodiscard]] TimeSegment time_at(Place customer) const;
    [[nodiscard]] TimeSegment time_of_departure() const { return {.earliest = ready_times[0]}; }
    [[nodiscard]] TimeSegment time_of_return() const { return {.latest = due_times[0]}; }
    [[nodiscard]] double distance(std::span<const Place> stops) const;
    [[nodiscard]] bool may_visit(Place customer) const {
        return accepts.empty() || accepts[to_index(customer)];
    }
    // Not if a route would need more stops than it may have.
    [[nodiscard]] bool can_have_a_route() const { return max_stops == 0 || min_stops <= max_stops; }
    // Null if it can be driven within the limits on time, duration, distance and stops. Otherwise
    // what is wrong with it.
    [[nodiscard]] const char* broken_limit(std::span<const Place> stops) const;
    // Throws std::invalid_argument if a route of customers breaks a rule other than loading.
    void check_route(std::span<const Place> stops) const;

  private:
    [[nodiscard]] std::size_t arc(Place from, Place to) const {
        return to_index(from) * places() + to_index(to);
    }
    [[nodiscard]] double with_tolerance(double limit) const;
};

// Which rules a problem has, found out once: what it does not have should cost no time.
struct RulesInUse {
    explicit RulesInUse(const RoutingProblem& problem);

    bool has_windows;      // somebody may be late
    bool has_closed_arcs;  // that cannot be driven
    bool has_waiting_cost;
    bool has_max_duration;
    bool has_max_distance;
    bool has_directed_costs;  // a route and its reverse may differ in cost
    bool is_directed;         // a route and its reverse may differ in cost or in what they break
    // A route may break a limit by its ways. Without the triangle inequality it can do so after
    // stops are left out, too.
    bool has_limits;
};

}  // namespace tailgate::routing
