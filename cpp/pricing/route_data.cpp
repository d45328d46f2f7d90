#include "route_data.hpp"

#include <algorithm>
#include <cmath>

namespace tailgate::pricing {

namespace {

constexpr double time_tolerance = 1e-9;

// The most of `wanted` that a set of customers can use within the limit of `other`, if customers
// may be cut: no less than what whole ones can use.
double fractional_knapsack(const std::vector<std::int64_t>& wanted,
                           const std::vector<std::int64_t>& other, std::int64_t limit) {
    std::vector<std::size_t> order;
    for (std::size_t node = 1; node < wanted.size(); ++node) {
        if (wanted[node] > 0) order.push_back(node);
    }
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return static_cast<double>(wanted[a]) * static_cast<double>(other[b]) >
               static_cast<double>(wanted[b]) * static_cast<double>(other[a]);
    });
    double room = static_cast<double>(limit);
    double total = 0.0;
    for (const std::size_t node : order) {
        const double need = static_cast<double>(other[node]);
        const double share = need <= room ? 1.0 : room / need;
        total += share * static_cast<double>(wanted[node]);
        room -= share * need;
        if (share < 1.0) break;
    }
    return total;
}

// Rounding in the knapsack must not drop a resource that binds.
bool can_exceed(double most, std::int64_t limit) {
    return most > static_cast<double>(limit) * (1.0 - 1e-9);
}

}  // namespace

bool RouteData::is_in_time(const Path& route) const {
    if (!has_windows) return true;
    double clock = windows.ready[0];
    Node at = 0;
    for (const Node customer : route) {
        const auto node = to_index(customer);
        clock += cost_between(at, customer);
        if (clock > latest_arrival(windows.due[node])) return false;
        clock = std::max(clock, windows.ready[node]) + windows.service[node];
        at = customer;
    }
    return clock + cost_between(at, 0) <= latest_arrival(windows.due[0]);
}

double RouteData::largest_cost() const {
    double largest = 1.0;
    for (const double one : cost) largest = std::max(largest, std::abs(one));
    return largest;
}

bool RouteData::is_symmetric() const {
    if (has_windows) return false;
    for (std::size_t i = 0; i < nodes; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (cost[i * nodes + j] != cost[j * nodes + i]) return false;
        }
    }
    return true;
}

std::vector<Resource> binding_resources(const RouteData& data) {
    const Resource area{data.area, data.floor_area};
    const Resource weight{data.weight, data.capacity};
    std::vector<Resource> kept;
    const auto sum = [](const Resource& resource) {
        double total = 0.0;
        for (const std::int64_t use : resource.use) total += static_cast<double>(use);
        return total;
    };
    if (can_exceed(sum(area), area.limit)) kept.push_back(area);
    const double most_weight =
        kept.empty() ? sum(weight) : fractional_knapsack(weight.use, area.use, area.limit);
    if (can_exceed(most_weight, weight.limit)) {
        if (!kept.empty() &&
            !can_exceed(fractional_knapsack(area.use, weight.use, weight.limit), area.limit))
            kept.clear();
        kept.push_back(weight);
    }
    for (std::size_t node = 1; node < data.nodes; ++node) {
        const bool counted = std::ranges::any_of(
            kept, [&](const Resource& resource) { return resource.use[node] > 0; });
        if (counted) continue;
        std::vector<std::int64_t> one_each(data.nodes, 1);
        one_each[0] = 0;
        kept.push_back({std::move(one_each), static_cast<std::int64_t>(data.nodes) - 1});
        break;
    }
    return kept;
}

double latest_arrival(double due) {
    return std::isinf(due) ? due : due + time_tolerance * std::max(1.0, std::abs(due));
}

}  // namespace tailgate::pricing
