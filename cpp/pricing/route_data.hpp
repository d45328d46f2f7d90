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

struct TimeWindows {
    std::vector<double> ready;  // of the start of service; the depot's is the earliest departure
    std::vector<double> due;    // infinity: none; the depot's is the latest return
    std::vector<double> service;
};

struct RouteData {
    std::size_t nodes = 0;     // with the depot
    std::vector<double> cost;  // by rows; also the travel time
    std::vector<std::int64_t> weight;
    std::vector<std::int64_t> area;
    std::int64_t capacity = 0;
    std::int64_t floor_area = 0;
    bool has_windows = false;
    TimeWindows windows;
    bool lifo = true;  // does the order of a route matter to its loading?
    bool single_customer_routes = true;

    // Where tables by rows hold what belongs to an arc.
    [[nodiscard]] std::size_t arc(Node from, Node to) const {
        return to_index(from) * nodes + to_index(to);
    }
    [[nodiscard]] double cost_between(Node from, Node to) const { return cost[arc(from, to)]; }
    // Does a truck on this route keep every due time, waiting where it is early?
    [[nodiscard]] bool is_in_time(const Path& route) const;
    // In absolute value, and at least 1.
    [[nodiscard]] double largest_cost() const;
    // May every route be driven backwards at the same cost?
    [[nodiscard]] bool is_symmetric() const;
};

// Something of which a truck has only so much: weight, floor area, or the number of stops.
struct Resource {
    std::vector<std::int64_t> use;  // by node, the depot's being 0
    std::int64_t limit = 0;
};

// The resources that can bind at all. Every customer uses some of at least one of them, so that a
// walk that obeys them is finite.
[[nodiscard]] std::vector<Resource> binding_resources(const RouteData& data);

// An arrival later than this is too late. Travel times are rounded floats: the same grace as the
// judge gives.
[[nodiscard]] double latest_arrival(double due);

// The reduced cost of every arc, by rows; `no_way` where no route may go.
using ArcCosts = std::vector<Money>;

}  // namespace tailgate::pricing
