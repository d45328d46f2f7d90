#include "tightened.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "timetable.hpp"

namespace tailgate::pricing {

namespace {

void require(bool holds, const char* message) {
    if (!holds) throw std::invalid_argument(message);
}

void check(const RouteData& data) {
    const std::size_t nodes = data.nodes;
    const auto is_square = [&](const std::vector<double>& table) {
        return table.size() == nodes * nodes;
    };
    const auto has_entries = [&](const std::vector<double>& list) { return list.size() == nodes; };
    const auto none_below_zero = [](const std::vector<double>& list) {
        return std::ranges::all_of(list, [](double entry) { return entry >= 0.0; });
    };
    require(nodes >= 2 && is_square(data.cost),
            "costs must be a square matrix over depot and customers");
    require(std::ranges::none_of(data.cost, [](double cost) { return !(cost > -unlimited); }),
            "a cost is not a number");
    require(data.weight.size() == nodes && data.area.size() == nodes,
            "there must be a weight and an area for every place");
    if (data.has_windows) {
        const TimeWindows& windows = data.windows;
        require(is_square(data.duration) && none_below_zero(data.duration),
                "durations must be a square matrix of numbers from 0 on");
        require(has_entries(windows.ready) && has_entries(windows.due) &&
                    has_entries(windows.service) && none_below_zero(windows.service),
                "there must be a ready time, a due time and a service time for every place");
        require(std::ranges::all_of(windows.ready, [](double time) { return std::isfinite(time); }),
                "a ready time is not a finite number");
        require(std::ranges::none_of(windows.due, [](double time) { return std::isnan(time); }),
                "a due time is not a number");
    }
    require(data.time_tolerance >= 0.0, "a tolerance must not be negative");
    require(data.waiting_cost >= 0.0 && std::isfinite(data.waiting_cost),
            "the cost of waiting must be a finite number from 0 on");
    require(data.other_costs >= 0.0 && std::isfinite(data.other_costs),
            "other costs must be a finite number from 0 on");
    require(data.max_duration >= 0.0 && data.max_distance >= 0.0 && data.max_stops >= 0,
            "a limit must not be negative");
    require(data.has_windows || (data.waiting_cost == 0.0 && data.max_duration == unlimited),
            "a cost of waiting or a limit on duration takes ready, due and service times");
    require(data.max_distance == unlimited ||
                (is_square(data.distance) && none_below_zero(data.distance)),
            "distances must be a square matrix of numbers from 0 on");
    std::vector<char> grouped(nodes, 0);
    for (const Path& group : data.groups) {
        for (const Node customer : group) {
            require(customer >= 1 && customer < static_cast<Node>(nodes) &&
                        grouped[to_index(customer)] == 0,
                    "groups must have different customers");
            grouped[to_index(customer)] = 1;
        }
    }
}

void close_arcs(RouteData& data) {
    for (std::size_t arc = 0; arc < data.cost.size(); ++arc) {
        if ((data.has_windows && std::isinf(data.duration[arc])) ||
            (data.max_distance < unlimited && std::isinf(data.distance[arc])))
            data.cost[arc] = unlimited;
    }
}

bool anybody_has_due_time(const TimeWindows& windows) {
    return std::any_of(windows.due.begin() + 1, windows.due.end(),
                       [](double due) { return due < unlimited; });
}

bool anybody_is_ready_later(const TimeWindows& windows) {
    return std::any_of(windows.ready.begin() + 1, windows.ready.end(),
                       [&](double ready) { return ready > windows.ready[0]; });
}

void simplify_clock(RouteData& data) {
    TimeWindows& windows = data.windows;
    // Without due times of customers, whoever would wait can leave the depot later.
    if (!anybody_has_due_time(windows)) {
        data.waiting_cost = 0.0;
        if (windows.due[0] == unlimited)
            std::fill(windows.ready.begin() + 1, windows.ready.end(), windows.ready[0]);
    }
    // The grace for sums of floats depends on when they begin.
    const bool is_exact = data.time_tolerance == 0.0;
    const bool had_limit = data.max_duration < unlimited;
    if (!anybody_is_ready_later(windows)) {
        data.waiting_cost = 0.0;
        if (had_limit && (is_exact || windows.ready[0] == 0.0)) {
            windows.due[0] = std::min(windows.due[0], windows.ready[0] + data.max_duration);
            data.max_duration = unlimited;
        }
        data.reversible_clock = (is_exact || had_limit) && data.max_duration == unlimited &&
                                !anybody_has_due_time(windows);
    }
    if (is_exact && data.max_duration >= windows.due[0] - windows.ready[0])
        data.max_duration = unlimited;
    data.has_windows = data.max_duration < unlimited || windows.due[0] < unlimited ||
                       anybody_has_due_time(windows);
}

// A limit on distance, if there is no other clock.
void measure_distance_by_clock(RouteData& data) {
    data.windows.ready.assign(data.nodes, 0.0);
    data.windows.service.assign(data.nodes, 0.0);
    data.windows.due.assign(data.nodes, unlimited);
    data.windows.due[0] = data.max_distance;
    data.time_tolerance = 0.0;
    data.duration = std::move(data.distance);
    data.distance.clear();
    data.max_distance = unlimited;
    data.has_windows = data.reversible_clock = true;
}

void tighten_windows(RouteData& data) {
    TimeWindows& windows = data.windows;
    const auto there = shortest_ways(data.nodes, data.duration, windows.service, true);
    const auto back = shortest_ways(data.nodes, data.duration, windows.service, false);
    for (std::size_t node = 1; node < data.nodes; ++node) {
        const double first = windows.ready[0] + there[node];
        const double last = windows.due[0] - windows.service[node] - back[node];
        if (std::isfinite(first)) windows.ready[node] = std::max(windows.ready[node], first);
        if (std::isfinite(last)) windows.due[node] = std::min(windows.due[node], last);
    }
}

}  // namespace

RouteData tightened(RouteData data) {
    check(data);
    close_arcs(data);
    if (data.has_windows) simplify_clock(data);
    if (!data.has_windows && data.max_distance < unlimited) measure_distance_by_clock(data);
    if (data.has_windows && data.time_tolerance == 0.0) tighten_windows(data);
    return data;
}

}  // namespace tailgate::pricing
