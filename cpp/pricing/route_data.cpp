#include "route_data.hpp"

#include <algorithm>
#include <cmath>

namespace tailgate::pricing {

namespace {

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

double sum(const Resource& resource) {
    double total = 0.0;
    for (const std::int64_t use : resource.use) total += static_cast<double>(use);
    return total;
}

// Can customers exceed it who do not exceed any of the others?
bool can_bind(const Resource& resource, const std::vector<Resource>& others) {
    return can_exceed(sum(resource), resource.limit) &&
           std::ranges::all_of(others, [&](const Resource& other) {
               return can_exceed(fractional_knapsack(resource.use, other.use, other.limit),
                                 resource.limit);
           });
}

// What of a limit on a sum over arcs and visits every customer takes at least: the visit, and the
// shortest arc that leads there. Whole numbers of a fine unit, rounded down.
Resource least_uses(const RouteData& data, const std::vector<double>& arcs,
                    const std::vector<double>& visits, double limit) {
    const std::size_t nodes = data.nodes;
    std::vector<double> shortest(nodes, unlimited);
    for (std::size_t from = 0; from < nodes; ++from) {
        for (std::size_t to = 0; to < nodes; ++to) {
            if (from != to) shortest[to] = std::min(shortest[to], arcs[from * nodes + to]);
        }
    }
    limit = std::max(limit, 0.0);
    const double unit = std::ldexp(1.0, std::ilogb(std::max(limit, 1e-9)) - 28);
    // Who cannot be reached is on no route; who takes twice the limit, neither.
    const auto in_units = [&](double amount) {
        return static_cast<std::int64_t>(std::floor(std::clamp(amount, 0.0, 2.0 * limit) / unit));
    };
    // One unit more than the limit: sums of floats may be off by much less.
    Resource resource{std::vector<std::int64_t>(nodes, 0), in_units(limit - shortest[0]) + 1};
    for (std::size_t node = 1; node < nodes; ++node)
        resource.use[node] = in_units(shortest[node] + visits[node]);
    return resource;
}

// No route lasts longer. Hours limit the duration, too; but with a clock of floats they are left to
// the clock.
double longest_duration(const RouteData& data) {
    const double limit = data.latest_arrival(data.max_duration);
    const bool by_hours = data.has_windows && (data.time_tolerance == 0.0 || data.reversible_clock);
    if (!by_hours) return limit;
    return std::min(limit, data.latest_arrival(data.windows.due[0]) - data.windows.ready[0]);
}

}  // namespace

double RouteData::largest_cost() const {
    double largest = std::max(1.0, other_costs);
    for (const double one : cost) {
        if (!std::isinf(one)) largest = std::max(largest, std::abs(one));
    }
    if (waiting_cost == 0.0) return largest;
    // Who leaves as early as possible waits no longer than until the last service may begin.
    const double last = *std::ranges::max_element(windows.ready);
    return std::max(largest, waiting_cost * (last - windows.ready[0]));
}

bool RouteData::is_symmetric() const {
    if (has_windows && !reversible_clock) return false;
    const auto is_the_same_both_ways = [&](const std::vector<double>& table) {
        for (std::size_t i = 0; i < nodes; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (table[i * nodes + j] != table[j * nodes + i]) return false;
            }
        }
        return true;
    };
    return is_the_same_both_ways(cost) && (!has_windows || is_the_same_both_ways(duration)) &&
           (max_distance == unlimited || is_the_same_both_ways(distance));
}

std::vector<Resource> binding_resources(const RouteData& data) {
    const Resource area{data.area, data.floor_area};
    const Resource weight{data.weight, data.capacity};
    std::vector<Resource> kept;
    if (can_exceed(sum(area), area.limit)) kept.push_back(area);
    const double most_weight =
        kept.empty() ? sum(weight) : fractional_knapsack(weight.use, area.use, area.limit);
    if (can_exceed(most_weight, weight.limit)) {
        if (!kept.empty() &&
            !can_exceed(fractional_knapsack(area.use, weight.use, weight.limit), area.limit))
            kept.clear();
        kept.push_back(weight);
    }
    const auto customers = static_cast<std::int64_t>(data.nodes) - 1;
    Resource stops{std::vector<std::int64_t>(data.nodes, 1), customers};
    stops.use[0] = 0;
    if (data.max_stops > 0) stops.limit = std::min(customers, data.max_stops);
    bool all_count = true;
    for (std::size_t node = 1; node < data.nodes; ++node) {
        all_count = all_count && std::ranges::any_of(kept, [&](const Resource& resource) {
                        return resource.use[node] > 0;
                    });
    }
    if (!all_count || (stops.limit < customers && can_bind(stops, kept))) kept.push_back(stops);

    const auto add = [&](const Resource& resource) {
        if (kept.size() < max_resources && can_bind(resource, kept)) kept.push_back(resource);
    };
    const double longest = longest_duration(data);
    if (longest < unlimited) add(least_uses(data, data.duration, data.windows.service, longest));
    if (data.max_distance < unlimited) {
        const std::vector<double> nothing(data.nodes, 0.0);
        add(least_uses(data, data.distance, nothing, data.max_distance));
    }
    return kept;
}

double with_grace(double limit, double tolerance) {
    return std::isinf(limit) ? limit : limit + tolerance * std::max(1.0, std::abs(limit));
}

}  // namespace tailgate::pricing
