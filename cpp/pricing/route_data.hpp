// What pricing knows of an instance: costs, loads and times of nodes 0..n, the depot being 0.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "to_index.hpp"

namespace tailgate::pricing {

using Node = std::int32_t;
using Path = std::vector<Node>;  // customers in visiting order, without the depot

// Money in fixed point, so that a sum of reduced costs is exact in whatever order it is formed.
using Money = std::int64_t;
inline constexpr Money no_way = std::numeric_limits<Money>::max() / 4;

// Asked now and then; true makes a computation give up, and say so.
using Stop = std::function<bool()>;

// A limit that sums of rounded floats may exceed by a little.
[[nodiscard]] double with_grace(double limit, double tolerance);

struct TimeWindows {
    std::vector<double> ready;  // of the start of service; the depot's is the earliest departure
    std::vector<double> due;    // infinity: none; the depot's is the latest return
    std::vector<double> service;
};

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

struct RouteData {
    std::size_t nodes = 0;     // with the depot
    std::vector<double> cost;  // by rows, infinity where no vehicle can drive; no more is known of
                               // it: not that it is the same both ways, nor that detours cost more
    std::vector<std::int64_t> weight;
    std::vector<std::int64_t> area;
    std::int64_t capacity = 0;
    std::int64_t floor_area = 0;
    bool has_windows = false;  // is there a clock? Only then are there times and durations
    TimeWindows windows;
    std::vector<double> duration;  // of arcs, by rows
    // Relative: travel times that are rounded floats get the same grace as the judge gives.
    double time_tolerance = 1e-9;
    // The clock limits nothing but driving and service: a route takes as long backwards.
    bool reversible_clock = false;
    double waiting_cost = 0.0;        // per unit of time, in the schedule of least duration
    double max_duration = unlimited;  // of that schedule
    double max_distance = unlimited;  // any grace for sums of floats is inside
    std::vector<double> distance;     // of arcs, by rows; empty without limit
    std::int64_t max_stops = 0;       // most customers of a route; 0: no limit
    bool lifo = true;                 // does the order of a route matter to its loading?
    bool single_customer_routes = true;
    // Duals may reflect costs that are not here: of other vehicles, of customers left out.
    double other_costs = 0.0;
    std::vector<Path> groups;  // of customers of whom a route visits all or none; each in one

    // Where tables by rows hold what belongs to an arc.
    [[nodiscard]] std::size_t arc(Node from, Node to) const {
        return to_index(from) * nodes + to_index(to);
    }
    [[nodiscard]] double cost_between(Node from, Node to) const { return cost[arc(from, to)]; }
    [[nodiscard]] double duration_between(Node from, Node to) const {
        return duration[arc(from, to)];
    }
    // An arrival later than this is too late.
    [[nodiscard]] double latest_arrival(double due) const {
        return with_grace(due, time_tolerance);
    }
    // Of an arc that can be driven, of waiting on one route, or of others; in absolute value, and
    // at least 1.
    [[nodiscard]] double largest_cost() const;
    // May every route be driven backwards at the same cost?
    [[nodiscard]] bool is_symmetric() const;
};

// Something of which a truck has only so much: weight, floor area, the number of stops, or what of
// its time and distance every visit takes at least.
struct Resource {
    std::vector<std::int64_t> use;  // by node, the depot's being 0
    std::int64_t limit = 0;
};

inline constexpr std::size_t max_resources = 3;

// The resources that can bind at all, at most `max_resources`: weight, area and stops, and those
// for time and distance as far as there is room. Every customer uses some of at least one of them,
// so that a walk that obeys them is finite.
[[nodiscard]] std::vector<Resource> binding_resources(const RouteData& data);

// The reduced cost of every arc, by rows; `no_way` where no route may go.
using ArcCosts = std::vector<Money>;

}  // namespace tailgate::pricing
