// Random roads, clocks and limits small enough to list all routes, each with its schedule of least
// duration, found by trying all departures.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "pricing/route_data.hpp"
#include "tiny_routes.hpp"

namespace tailgate::tests {

// Which features an instance has. Costs and durations have nothing to do with each other or with
// any triangle inequality, unless they are to be the same both ways.
struct RoadRules {
    bool symmetric = false;
    bool gaps = false;  // some arcs cannot be driven
    bool windows = false;
    bool shift = false;
    bool late_starts = false;   // of customers, without any due time
    bool early_starts = false;  // nobody waits
    bool waiting_cost = false;
    bool max_duration = false;
    bool max_distance = false;
    bool max_stops = false;
    bool single_customer_routes = true;
    bool lifo = true;
    double time_tolerance = 0.0;

    static RoadRules drawn(TinyProblems& dice) {
        const auto chance = [&](int of) { return dice.draw(1, of) == 1; };
        RoadRules rules;
        rules.symmetric = chance(3);
        rules.gaps = chance(2);
        rules.windows = chance(2);
        rules.shift = chance(2);
        rules.late_starts = chance(3);
        rules.early_starts = chance(5);
        rules.waiting_cost = chance(2);
        rules.max_duration = chance(2);
        rules.max_distance = chance(3);
        rules.max_stops = chance(3);
        rules.single_customer_routes = !chance(4);
        rules.lifo = !chance(3);
        rules.time_tolerance = chance(3) ? 1e-9 : 0.0;
        return rules;
    }
};

// Whole numbers, so that sums are exact.
inline std::vector<double> draw_table(TinyProblems& dice, std::size_t nodes, int most,
                                      const RoadRules& rules) {
    std::vector<double> table(nodes * nodes, 0.0);
    const auto draw = [&] {
        return rules.gaps && dice.draw(1, 12) == 1 ? pricing::unlimited : dice.draw(1, most);
    };
    for (std::size_t from = 0; from < nodes; ++from) {
        for (std::size_t to = 0; to < from; ++to) {
            table[from * nodes + to] = draw();
            table[to * nodes + from] = rules.symmetric ? table[from * nodes + to] : draw();
        }
    }
    return table;
}

inline pricing::RouteData tiny_road_data(TinyProblems& dice, std::size_t customers,
                                         const RoadRules& rules) {
    pricing::RouteData data =
        tiny_route_data(dice, customers, {false, true, rules.single_customer_routes, rules.lifo});
    data.cost = draw_table(dice, data.nodes, 30, rules);
    data.time_tolerance = rules.time_tolerance;
    data.has_windows = rules.windows || rules.shift || rules.max_duration || rules.waiting_cost;
    if (data.has_windows) {
        // Where ways are short, there is time to wait for windows.
        data.duration = draw_table(dice, data.nodes, dice.draw(0, 1) == 0 ? 20 : 6, rules);
        const int begin = dice.draw(0, 2) == 0 ? 0 : dice.draw(1, 9);
        for (std::size_t node = 0; node < data.nodes; ++node) {
            const bool has_window = rules.windows && node > 0 && dice.draw(0, 3) > 0;
            const bool is_late = (has_window || rules.late_starts) && !rules.early_starts;
            const int ready = node == 0 ? begin : is_late ? dice.draw(0, 70) : 0;
            const bool has_due = has_window && dice.draw(0, 4) > 0;
            const int width = dice.draw(0, is_late ? 25 : 60);
            data.windows.ready.push_back(ready);
            data.windows.due.push_back(has_due ? ready + width : pricing::unlimited);
            data.windows.service.push_back(node == 0 ? 0 : dice.draw(0, 6));
        }
        if (rules.shift) data.windows.due[0] = begin + dice.draw(40, 110);
    }
    if (rules.waiting_cost) data.waiting_cost = dice.draw(1, 12) / 4.0;
    if (rules.max_duration) data.max_duration = dice.draw(25, 90);
    if (rules.max_distance) {
        data.distance = draw_table(dice, data.nodes, 25, rules);
        data.max_distance = dice.draw(25, 90);
    }
    if (rules.max_stops) data.max_stops = dice.draw(1, static_cast<int>(customers));
    return data;
}

// How long the vehicle is under way if it leaves the depot at this time; nothing if it is late.
inline std::optional<double> duration_from(const pricing::RouteData& data,
                                           const pricing::Path& route, double departure) {
    double clock = departure;
    pricing::Node at = 0;
    for (const pricing::Node customer : route) {
        const auto node = static_cast<std::size_t>(customer);
        clock += data.duration_between(at, customer);
        if (clock > data.windows.due[node]) return std::nullopt;
        clock = std::max(clock, data.windows.ready[node]) + data.windows.service[node];
        at = customer;
    }
    clock += data.duration_between(at, 0);
    if (clock > data.windows.due[0]) return std::nullopt;
    return clock - departure;
}

// All times are whole, so one of these departures is the best.
inline std::optional<double> least_duration(const pricing::RouteData& data,
                                            const pricing::Path& route) {
    std::optional<double> least;
    for (double departure = data.windows.ready[0]; departure <= 200.0; departure += 1.0) {
        const std::optional<double> duration = duration_from(data, route, departure);
        // Who leaves later is not in time again.
        if (!duration.has_value()) break;
        if (!least.has_value() || *duration < *least) least = duration;
    }
    return least;
}

inline double sum_along(const pricing::RouteData& data, const std::vector<double>& table,
                        const pricing::Path& route) {
    double sum = 0.0;
    pricing::Node at = 0;
    for (const pricing::Node customer : route) {
        sum += table[data.arc(at, customer)];
        at = customer;
    }
    return sum + table[data.arc(at, 0)];
}

// A route that is allowed, and what it costs without duals.
struct KnownRoute {
    pricing::Path customers;
    double cost = 0.0;
};

// By the definition of the limits; nothing if one is broken. Loads are not looked at.
inline std::optional<KnownRoute> known_route(const pricing::RouteData& data,
                                             const pricing::Path& route) {
    double cost = sum_along(data, data.cost, route);
    if (std::isinf(cost)) return std::nullopt;
    if (data.max_stops > 0 && static_cast<std::int64_t>(route.size()) > data.max_stops)
        return std::nullopt;
    if (data.max_distance < pricing::unlimited &&
        sum_along(data, data.distance, route) > data.max_distance)
        return std::nullopt;
    if (data.has_windows) {
        double worked = sum_along(data, data.duration, route);
        if (std::isinf(worked)) return std::nullopt;
        for (const pricing::Node customer : route)
            worked += data.windows.service[static_cast<std::size_t>(customer)];
        const std::optional<double> duration = least_duration(data, route);
        if (!duration.has_value() || *duration > data.max_duration) return std::nullopt;
        cost += data.waiting_cost * (*duration - worked);
    }
    return KnownRoute{route, cost};
}

// Every order of every set of customers that is allowed.
inline std::vector<KnownRoute> known_routes(const pricing::RouteData& data) {
    pricing::RouteData timeless = data;
    timeless.has_windows = false;
    std::vector<KnownRoute> known;
    for (const pricing::Path& route : all_routes(timeless)) {
        if (const auto allowed = known_route(data, route)) known.push_back(*allowed);
    }
    return known;
}

}  // namespace tailgate::tests
