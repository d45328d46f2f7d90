// What is known about routes already asked for, within a limit on memory.
//
// Feasibility is monotone in subsequences: a route that contains an infeasible sequence is
// infeasible, and a route contained in a feasible one is feasible. With LIFO a route may also be
// read backwards; without it the order does not matter. The caller hides that by passing routes in
// a canonical form.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "problem.hpp"

namespace tailgate::packing {

using Sequence = std::vector<std::int32_t>;

struct SequenceHash {
    std::size_t operator()(const Sequence& sequence) const;
};

class RouteCache {
  public:
    // `reversible`: sequences may be read backwards (LIFO); otherwise they are sorted sets.
    RouteCache(std::size_t max_bytes, bool reversible)
        : max_bytes_(max_bytes), reversible_(reversible) {}

    struct Known {
        Verdict verdict = Verdict::unknown;
        Layout layout;
    };

    [[nodiscard]] const Known* find(const Sequence& route);
    void store(const Sequence& route, Known known);

    // A part of the route that is known to be infeasible.
    [[nodiscard]] std::optional<Sequence> find_infeasible_core(const Sequence& route) const;
    void store_infeasible_core(const Sequence& core);

    // Is it useless to look for a proof that a sequence is infeasible? It is feasible, or as many
    // nodes were not enough before.
    [[nodiscard]] bool is_no_core(const Sequence& sequence, std::int64_t nodes) const;
    // No number of nodes will do for one that is feasible.
    void store_no_core(const Sequence& sequence, std::int64_t nodes);

    // Nodes that were spent on a sequence, or on the orders of a set, as far as anyone has said.
    [[nodiscard]] std::int64_t effort(const Sequence& sequence) const;
    void add_effort(const Sequence& sequence, std::int64_t nodes);

    // The plan of a feasible route that contains this one, cut down to it.
    [[nodiscard]] std::optional<Layout> plan_from_longer_route(const Sequence& route,
                                                               const struct Mirror& mirror) const;

    [[nodiscard]] std::size_t bytes() const { return young_.bytes + old_.bytes; }
    void clear();

  private:
    // Two generations: when the young one is full the old one is dropped.
    struct Generation {
        std::unordered_map<Sequence, Known, SequenceHash> routes;
        std::unordered_set<std::uint64_t> infeasible_pairs;
        std::unordered_map<std::int32_t, std::vector<Sequence>> cores;  // by their rarest customer
        std::unordered_map<Sequence, std::int64_t, SequenceHash>
            no_cores;  // nodes tried without success
        std::unordered_map<Sequence, std::int64_t, SequenceHash> efforts;
        std::unordered_map<std::int32_t, std::vector<const Sequence*>> feasible;  // by customer
        std::size_t bytes = 0;
    };
    void make_room();
    [[nodiscard]] const Sequence* find_longer_route(const Generation& generation,
                                                    const Sequence& route) const;
    [[nodiscard]] std::optional<Sequence> find_infeasible_core(const Generation& generation,
                                                               const Sequence& route) const;

    std::size_t max_bytes_;
    bool reversible_;
    Generation young_;
    Generation old_;
};

// An item as the oracle knows it.
struct Cargo {
    Rectangle first;
    Rectangle other;  // its shape when turned; without area if there is none

    [[nodiscard]] const Rectangle& placed(const Position& position) const {
        return position.turned ? other : first;
    }
};

// How to reverse a plan when a route is read backwards.
struct Mirror {
    Length floor_length = 0;
    const std::vector<std::vector<Cargo>>* customers = nullptr;

    // `layout` belongs to `route`; the result to the reversed route.
    [[nodiscard]] Layout reversed(const Sequence& route, const Layout& layout) const;
};

}  // namespace tailgate::packing
