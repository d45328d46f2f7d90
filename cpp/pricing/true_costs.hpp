// The costs of routes themselves, without duals, in a fixed point as fine as possible: a route and
// its reverse cost the same to the last digit, and equal costs are equal.
#pragma once

#include <cmath>
#include <vector>

#include "route_data.hpp"

namespace tailgate::pricing {

class TrueCosts {
  public:
    explicit TrueCosts(const RouteData& data) : nodes_(data.nodes) {
        // The largest power of two for which no sum over a route comes near to `no_way`.
        const double most = data.largest_cost() * static_cast<double>(data.nodes + 1);
        const double scale = std::ldexp(1.0, 58 - std::ilogb(most) - 1);
        costs_.reserve(data.cost.size());
        for (const double cost : data.cost)
            costs_.push_back(static_cast<Money>(std::nearbyint(cost * scale)));
    }

    [[nodiscard]] Money between(Node from, Node to) const {
        return costs_[to_index(from) * nodes_ + to_index(to)];
    }
    // From the depot to the depot.
    [[nodiscard]] Money of(const Path& route) const {
        Money cost = 0;
        Node at = 0;
        for (const Node next : route) {
            cost += between(at, next);
            at = next;
        }
        return cost + between(at, 0);
    }

  private:
    std::size_t nodes_;
    std::vector<Money> costs_;  // by rows, rounded to the nearest
};

}  // namespace tailgate::pricing
