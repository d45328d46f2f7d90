#include "true_costs.hpp"

#include <algorithm>
#include <cmath>

namespace tailgate::pricing {

TrueCosts::TrueCosts(const RouteData& data) : nodes_(data.nodes) {
    double largest = 1.0;
    for (const double cost : data.cost) largest = std::max(largest, std::abs(cost));
    // The largest power of two for which no sum over a route comes near to `no_way`.
    const double most = largest * static_cast<double>(data.nodes + 1);
    const double scale = std::ldexp(1.0, 58 - std::ilogb(most) - 1);
    costs_.reserve(data.cost.size());
    for (const double cost : data.cost)
        costs_.push_back(static_cast<Money>(std::nearbyint(cost * scale)));
}

Money TrueCosts::of(const Path& route) const {
    Money cost = 0;
    Node at = 0;
    for (const Node next : route) {
        cost += between(at, next);
        at = next;
    }
    return cost + between(at, 0);
}

}  // namespace tailgate::pricing
