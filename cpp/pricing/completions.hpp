// The cheapest ways on from every customer to the depot: labelling over ng walks, backwards.
//
// By themselves they bound the reduced cost of all routes; the path search uses them to see which
// beginnings of routes can still become cheap.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "neighbourhoods.hpp"
#include "route_data.hpp"
#include "subset_rows.hpp"
#include "walk_bounds.hpp"

namespace tailgate::pricing {

inline constexpr std::size_t max_resources = 3;  // weight, area, stops
using Load = std::array<std::int64_t, max_resources>;

struct Completion {
    Money cost = 0;       // of the arcs from the customer to the depot, and of subset rows
    Load load{};          // of the customer and all after it
    double latest = 0.0;  // start of service from which the rest is still in time
    Memory memory = 0;    // what may not come before, as far as it is remembered here
    Node customer = 0;
    std::int32_t next = -1;   // index of the completion this one goes on with; -1: the depot
    std::int32_t state = -1;  // where the halves of subset rows are that it carries; -1: nowhere
};

class Completions {
  public:
    Completions(const RouteData& data, const std::vector<Resource>& resources);

    enum class Outcome { complete, too_many, stopped };
    struct Question {
        const ArcCosts& costs;
        const SubsetRows& rows;
        const Neighbourhoods& neighbourhoods;
        const WalkBounds* bounds;  // none: nothing is known of what comes before
        Money threshold;
        std::int64_t max_labels;
        // Only elementary completions, of which one hides all dearer and heavier ones at its
        // customer, whatever they have visited: quick, but good for finding routes only.
        bool only_some;
        const Stop& stop;
    };
    // Finds the undominated completions that some walk of `bounds` makes into a route below the
    // threshold. Subset rows are paid for but for those that a path before the completion has
    // begun.
    Outcome compute(const Question& question);

    // From the cheapest to the dearest.
    [[nodiscard]] std::span<const Completion> at(Node customer) const {
        return sorted_[static_cast<std::size_t>(customer)];
    }
    // The same, without some that need more than `room` of the first resource.
    [[nodiscard]] std::span<const Completion> at(Node customer, std::int64_t room) const {
        const auto& first = first_by_room_[static_cast<std::size_t>(customer)];
        return at(customer).subspan(first[bucket_of(room)]);
    }
    // The rows of which a completion carries half a visit, its own customer included.
    [[nodiscard]] const SubsetRows::Word* state(const Completion& completion) const {
        return &sorted_states_[static_cast<std::size_t>(completion.state) * words_];
    }
    // The cheapest route of the relaxation, `no_way` if none is below the threshold.
    [[nodiscard]] Money least() const { return least_; }
    // For every first customer the cheapest route of the relaxation, if it is below the threshold:
    // its customers, perhaps with repetitions.
    [[nodiscard]] const std::vector<Path>& cheapest_walks() const { return cheapest_walks_; }
    [[nodiscard]] std::int64_t label_count() const { return label_count_; }

  private:
    [[nodiscard]] bool is_dominated(const Completion& completion, const SubsetRows& rows,
                                    bool only_some) const;
    [[nodiscard]] bool visits(const Completion& completion, Node customer) const;
    [[nodiscard]] std::size_t bucket_of(std::int64_t load) const;
    void sort_kept();
    void find_cheapest_walks(const ArcCosts& costs, Money threshold);

    const RouteData& data_;
    const std::vector<Resource>& resources_;
    double buckets_per_load_ = 0.0;
    std::vector<Completion> labels_;
    std::size_t words_ = 0;                        // of the state of a label
    std::vector<SubsetRows::Word> states_;         // by label
    std::vector<SubsetRows::Word> sorted_states_;  // of the completions in sorted_
    std::vector<std::vector<Completion>> kept_;    // by customer, undominated
    std::vector<std::vector<Completion>> sorted_;
    // By customer and room in buckets: the first of sorted_ that may fit.
    std::vector<std::vector<std::size_t>> first_by_room_;
    Money least_ = no_way;
    std::vector<Path> cheapest_walks_;
    std::int64_t label_count_ = 0;
};

}  // namespace tailgate::pricing
