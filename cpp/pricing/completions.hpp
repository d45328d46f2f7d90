// The cheapest ways on from every customer to the depot: labelling over ng walks, backwards.
//
// By themselves they bound the reduced cost of all routes; the path search uses them to see which
// beginnings of routes can still become cheap.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "neighbourhoods.hpp"
#include "route_data.hpp"
#include "walk_bounds.hpp"

namespace tailgate::pricing {

inline constexpr std::size_t max_resources = 3;  // weight, area, stops
using Load = std::array<std::int64_t, max_resources>;

struct Completion {
    Money cost = 0;         // of the arcs from the customer to the depot
    Load load{};            // of the customer and all after it
    double latest = 0.0;    // start of service from which the rest is still in time
    Memory memory = 0;      // what may not come before, as far as it is remembered here
    Node customer = 0;
    std::int32_t next = -1; // index of the completion this one goes on with; -1: the depot
};

class Completions {
  public:
    Completions(const RouteData& data, const std::vector<Resource>& resources);

    // Finds the undominated completions that some walk of `bounds` makes into a route below
    // `threshold`. False if it was stopped.
    bool compute(const ArcCosts& costs, const Neighbourhoods& neighbourhoods,
                 const WalkBounds& bounds, Money threshold, const Stop& stop);

    // From the cheapest to the dearest.
    [[nodiscard]] const std::vector<Completion>& at(Node customer) const {
        return sorted_[static_cast<std::size_t>(customer)];
    }
    // The cheapest route of the relaxation, `no_way` if none is below the threshold.
    [[nodiscard]] Money least() const { return least_; }
    // Its customers, perhaps with repetitions; empty if there is none.
    [[nodiscard]] const Path& cheapest_walk() const { return cheapest_walk_; }
    [[nodiscard]] std::int64_t label_count() const { return label_count_; }

  private:
    [[nodiscard]] bool is_dominated(const Completion& completion) const;
    [[nodiscard]] std::size_t bucket_of(const Completion& completion) const;
    void find_cheapest_walk(const ArcCosts& costs);

    const RouteData& data_;
    const std::vector<Resource>& resources_;
    std::vector<std::vector<std::int32_t>> kept_;  // by customer: indices into labels_
    std::vector<Completion> labels_;
    std::vector<std::vector<Completion>> sorted_;
    Money least_ = no_way;
    Path cheapest_walk_;
    std::int64_t label_count_ = 0;
};

}  // namespace tailgate::pricing
