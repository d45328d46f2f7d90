#include "routing_problem.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tailgate::routing {

namespace {

void require(bool holds, const char* rule) {
    if (!holds) throw std::invalid_argument(rule);
}

bool is_length(double value) {
    return value >= 0 && std::isfinite(value);
}

bool is_symmetric(const std::vector<double>& table, std::size_t places) {
    for (std::size_t a = 0; a < places; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            if (table[a * places + b] != table[b * places + a]) return false;
        }
    }
    return true;
}

}  // namespace

void RoutingProblem::validate() const {
    require(customers >= 1, "there must be a customer");
    require(vehicles >= 0, "the number of vehicles must not be negative");
    require(min_stops >= 1, "a route has at least one stop");
    require(max_stops >= 0, "the most stops of a route must not be negative");
    const std::size_t arcs = places() * places();
    const bool has_max_distance = std::isfinite(max_distance);
    require(costs.size() == arcs && (durations.empty() || durations.size() == arcs) &&
                (!has_max_distance || distances.size() == arcs) && weights.size() == places() &&
                areas.size() == places() && (accepts.empty() || accepts.size() == places()) &&
                ready_times.size() == places() &&
                due_times.size() == places() && service_times.size() == places(),
            "there must be one value for every place");
    require(time_tolerance >= 0 && waiting_cost >= 0 && std::isfinite(waiting_cost) &&
                max_duration >= 0 && max_distance >= 0,
            "costs and limits must not be negative");
    require(costs[0] == 0 && (!has_max_distance || distances[0] == 0),
            "a vehicle that stays at the depot must cost nothing");
    for (std::size_t arc = 0; arc < arcs; ++arc) {
        require(costs[arc] >= 0, "costs must not be negative");
        if (!std::isfinite(costs[arc])) continue;
        require((durations.empty() || is_length(durations[arc])) &&
                    (!has_max_distance || is_length(distances[arc])),
                "durations and distances of arcs with a cost must be finite");
    }
}

double RoutingProblem::with_tolerance(double limit) const {
    if (!std::isfinite(limit)) return limit;
    return limit + time_tolerance * std::max(1.0, limit);
}

double RoutingProblem::cost(std::span<const Place> stops) const {
    double total = 0.0;
    Place position = 0;
    for (const Place stop : stops) {
        total += cost_between(position, stop);
        position = stop;
    }
    total += cost_between(position, 0);
    if (waiting_cost > 0.0 && std::isfinite(total)) total += waiting_cost * time_of(stops).waiting;
    return total;
}

bool RoutingProblem::is_in_time(std::span<const Place> stops) const {
    const double* travel = travel_times().data();
    double clock = ready_times[0];
    Place position = 0;
    for (const Place stop : stops) {
        const auto index = to_index(stop);
        clock += travel[arc(position, stop)];
        if (clock > latest_arrival(stop)) return false;
        clock = std::max(clock, ready_times[index]) + service_times[index];
        position = stop;
    }
    return clock + travel[arc(position, 0)] <= latest_arrival(0);
}

TimeSegment RoutingProblem::time_at(Place customer) const {
    const auto index = to_index(customer);
    return {
        .busy = service_times[index], .earliest = ready_times[index], .latest = due_times[index]};
}

TimeSegment RoutingProblem::time_of(std::span<const Place> stops) const {
    TimeSegment route = time_of_departure();
    Place position = 0;
    for (const Place stop : stops) {
        route = route.then(duration_between(position, stop), time_at(stop));
        position = stop;
    }
    return route.then(duration_between(position, 0), time_of_return());
}

double RoutingProblem::distance(std::span<const Place> stops) const {
    double total = 0.0;
    Place position = 0;
    for (const Place stop : stops) {
        total += distance_between(position, stop);
        position = stop;
    }
    return total + distance_between(position, 0);
}

const char* RoutingProblem::broken_limit(std::span<const Place> stops) const {
    if (max_stops > 0 && stops.size() > to_index(max_stops)) return "a route has too many stops";
    if (stops.empty()) return nullptr;
    Place position = 0;
    for (const Place stop : stops) {
        if (cost_between(position, stop) == infinity) return "a route takes a way that is closed";
        position = stop;
    }
    if (cost_between(position, 0) == infinity) return "a route takes a way that is closed";
    if (!is_in_time(stops)) return "a route is late";
    if (max_duration < infinity && time_of(stops).duration() > longest_duration())
        return "a route takes too much time";
    if (max_distance < infinity && distance(stops) > max_distance) return "a route is too long";
    return nullptr;
}

void RoutingProblem::check_route(std::span<const Place> stops) const {
    require(!stops.empty() && static_cast<std::int32_t>(stops.size()) >= min_stops,
            "a route has too few stops");
    std::int64_t weight = 0;
    std::int64_t area = 0;
    for (const Place stop : stops) {
        require(may_visit(stop), "a vehicle visits a customer whom it must not visit");
        weight += weights[to_index(stop)];
        area += areas[to_index(stop)];
    }
    require(weight <= capacity, "a route is too heavy");
    require(area <= floor_area, "the items of a route cover more than the floor");
    if (const char* limit = broken_limit(stops)) throw std::invalid_argument(limit);
}

RulesInUse::RulesInUse(const RoutingProblem& problem)
    : has_windows(
          std::ranges::any_of(problem.due_times, [](double due) { return std::isfinite(due); })),
      has_closed_arcs(false),
      // Who is never late never waits: he leaves the depot late enough.
      has_waiting_cost(has_windows && problem.waiting_cost > 0.0),
      has_max_duration(std::isfinite(problem.max_duration)),
      has_max_distance(std::isfinite(problem.max_distance)),
      has_directed_costs(has_waiting_cost || !is_symmetric(problem.costs, problem.places())),
      is_directed(has_windows || has_directed_costs ||
                  (has_max_duration && !problem.durations.empty() &&
                   !is_symmetric(problem.durations, problem.places())) ||
                  (has_max_distance && !is_symmetric(problem.distances, problem.places()))),
      has_limits(false) {
    for (Place from = 0; from <= problem.customers; ++from) {
        for (Place to = 0; to <= problem.customers; ++to)
            has_closed_arcs |= from != to && problem.cost_between(from, to) == infinity;
    }
    has_limits = has_windows || has_closed_arcs || has_max_duration || has_max_distance;
}

}  // namespace tailgate::routing
