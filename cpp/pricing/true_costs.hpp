// The costs of routes themselves, waiting included but without duals, in a fixed point as fine as
// possible: equal costs are equal, and where the arcs of a route and of its reverse cost the same,
// both do to the last digit.
#pragma once

#include <cmath>
#include <vector>

#include "route_data.hpp"
#include "timetable.hpp"

namespace tailgate::pricing {

class TrueCosts {
  public:
    // The data must outlive it.
    explicit TrueCosts(const RouteData& data) : nodes_(data.nodes), timetable_(data) {
        // The largest power of two for which no sum over a route comes near to `no_way` and, where
        // waiting costs, no product of it is rounded by a whole unit.
        const double most = data.largest_cost() * static_cast<double>(data.nodes + 1);
        const int bits = data.waiting_cost > 0.0 ? 50 : 58;
        const double scale = std::ldexp(1.0, bits - std::ilogb(most) - 1);
        waiting_rate_ = data.waiting_cost * scale;
        costs_.reserve(data.cost.size());
        for (const double cost : data.cost)
            costs_.push_back(std::isinf(cost) ? no_way
                                              : static_cast<Money>(std::nearbyint(cost * scale)));
    }

    [[nodiscard]] Money between(Node from, Node to) const {
        return costs_[to_index(from) * nodes_ + to_index(to)];
    }
    // Of waiting for a unit of time.
    [[nodiscard]] double waiting_rate() const { return waiting_rate_; }
    // From the depot to the depot, on a route that is allowed.
    [[nodiscard]] Money of(const Path& route) const {
        Money cost = 0;
        Node at = 0;
        for (const Node next : route) {
            cost += between(at, next);
            at = next;
        }
        cost += between(at, 0);
        return waiting_rate_ == 0.0
                   ? cost
                   : cost + waiting_money(timetable_.waiting(route), waiting_rate_);
    }

  private:
    std::size_t nodes_;
    Timetable timetable_;
    double waiting_rate_ = 0.0;
    std::vector<Money> costs_;  // by rows, rounded to the nearest; `no_way` without a road
};

}  // namespace tailgate::pricing
