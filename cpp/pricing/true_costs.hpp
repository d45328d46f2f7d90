// The costs of routes themselves, without prices, in a fixed point as fine as possible: a route and
// its reverse cost the same to the last digit, and equal costs are equal.
#pragma once

#include <vector>

#include "route_data.hpp"

namespace tailgate::pricing {

class TrueCosts {
  public:
    explicit TrueCosts(const RouteData& data);

    [[nodiscard]] Money between(Node from, Node to) const {
        return costs_[static_cast<std::size_t>(from) * nodes_ + static_cast<std::size_t>(to)];
    }
    // From the depot to the depot.
    [[nodiscard]] Money of(const Path& route) const;

  private:
    std::size_t nodes_;
    std::vector<Money> costs_;  // by rows, rounded to the nearest
};

}  // namespace tailgate::pricing
