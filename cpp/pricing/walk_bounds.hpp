// Cheapest walks from the depot to every customer by load: a bound on what comes before it.
//
// The walks may repeat customers but do not turn straight back (Christofides, Mingozzi and Toth
// 1981, with the elimination of two-cycles). Loads are rounded down to a limited number of steps,
// so memory does not depend on the capacity, and every true route remains a walk.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "route_data.hpp"

namespace tailgate::pricing {

class WalkBounds {
  public:
    static constexpr std::int64_t max_steps = 512;  // of load

    WalkBounds(const RouteData& data, const std::vector<Resource>& resources);

    void compute(const ArcCosts& costs);

    struct Entry {
        Money best = no_way;
        Money second = no_way;  // coming from another customer than the best
        Node previous = 0;
    };
    // What is known of paths whose loads are at most some room: the same for every last customer.
    class Within {
      public:
        // No path from the depot to `node` (included, with its load), whose customer before it is
        // not `next`, costs less.
        [[nodiscard]] Money before(Node node, Node next) const {
            Money bound = least_;
            for (std::size_t table = 0; table < count_; ++table) {
                const Entry& entry = rows_[table][to_index(node)];
                bound = std::max(bound,
                                 next != 0 && entry.previous == next ? entry.second : entry.best);
            }
            return bound;
        }

      private:
        friend class WalkBounds;
        std::array<const Entry*, max_resources> rows_{};  // by resource, then by node
        std::size_t count_ = 0;
        Money least_ = -no_way;
    };
    [[nodiscard]] Within within(const std::int64_t* room) const;

    // No route costs less.
    [[nodiscard]] Money least() const { return least_; }

    // For every last customer its cheapest walk, of the resource that allows least: the customers,
    // perhaps with repetitions. Asked with the costs of the last computation.
    [[nodiscard]] std::vector<Path> cheapest_walks(const ArcCosts& costs) const;

  private:
    struct Table {
        std::int64_t unit = 1;
        std::int64_t small_customers = 0;  // so many may count a step too much
        std::vector<std::int64_t> steps;   // by node, at least 1
        std::int64_t limit = 0;
        std::vector<Entry> entries;  // by load in steps, then by node; "at most so much load"
    };
    void compute(Table& table, const ArcCosts& costs) const;
    [[nodiscard]] Money cheapest_way_back(const Table& table, const ArcCosts& costs) const;
    [[nodiscard]] Path walk_to(Node last, const Table& table, const ArcCosts& costs) const;

    std::size_t nodes_;
    std::vector<Table> tables_;
    std::size_t tightest_ = 0;  // of them: that whose cheapest walk costs most
    Money least_ = no_way;
};

}  // namespace tailgate::pricing
