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
#include "timetable.hpp"
#include "walk_bounds.hpp"

namespace tailgate::pricing {

using Load = std::array<std::int64_t, max_resources>;

struct Completion {
    Money cost = 0;       // of the arcs from the customer to the depot, and of subset rows
    Load load{};          // of the customer and all after it
    double latest = 0.0;  // start of service from which the rest is still in time
    Memory memory = 0;    // what may not come before, as far as it is remembered here
    Node customer = 0;
    std::int32_t next = -1;  // index of the completion this one goes on with; -1: the depot
};

// What is looked at first in a completion: most are skipped for it.
struct CompletionKey {
    Money cost = 0;
    Memory memory = 0;
    std::array<std::int64_t, 2> load{};  // of the first resources
    std::int32_t index = 0;              // of the completion
};

class Completions {
  public:
    Completions(const RouteData& data, const std::vector<Resource>& resources);

    enum class Outcome { complete, too_many, stopped };
    struct Query {
        const ArcCosts& costs;
        const SubsetRows& rows;
        const Neighbourhoods& neighbourhoods;
        const WalkBounds* bounds;  // none: nothing is known of what comes before
        Money threshold;
        std::int64_t max_labels;
        // Only elementary completions, of which one hides all more expensive and heavier ones at
        // its customer, whatever they have visited: quick, but good for finding routes only.
        bool only_some;
        // By node, if these are all that makes the cost of an arc differ from that of its reverse;
        // else none. Routes can then be read backwards: completions with at most half a load are
        // paths from the depot as well, and those with more are looked at in view of them.
        const std::vector<Money>* visit_duals;
        const Stop& stop;
    };
    // Finds the undominated completions that some walk of `bounds` makes into a route below the
    // threshold. Subset rows are paid for but for those that a path before the completion has
    // begun.
    Outcome compute(const Query& query);

    // From the cheapest to the most expensive.
    [[nodiscard]] std::span<const CompletionKey> at(Node customer) const {
        return kept_[to_index(customer)];
    }
    // A path from the depot, as far as it matters to what may come after it.
    struct Beginning {
        Money cost = 0;  // up to the customer whose completions are asked for
        Load load{};     // without that customer
        double start = 0.0;
        Memory visited = 0;                        // as bits of that customer's memory
        const SubsetRows::Word* halves = nullptr;  // of subset rows, kept up to there; none: no row
        Spent spent{};                             // up to the service there
    };
    // The cheapest completion that makes a route below `threshold` of this beginning, with the rows
    // that both have begun; `no_way` if there is none. With `any` the first that does so is enough.
    // Completions before the place `first` are not looked at.
    [[nodiscard]] Money cheapest(Node customer, std::size_t first, const Beginning& beginning,
                                 Money threshold, bool any) const;
    // The first of them, by customer, that may fit into `room` of the first resource.
    struct First {
        Money cost = no_way;  // no completion there that fits costs less
        std::size_t index = 0;
    };
    [[nodiscard]] const First* first_by_room(std::int64_t room) const {
        return &first_by_room_[bucket_of(room) * data_.nodes];
    }
    [[nodiscard]] const Completion& operator[](const CompletionKey& key) const {
        return labels_[to_index(key.index)];
    }
    // The rows of which a completion carries half a visit, its own customer included.
    [[nodiscard]] const SubsetRows::Word* state(const CompletionKey& key) const {
        return states_.data() + to_index(key.index) * words_;
    }
    // The cheapest route of the relaxation, `no_way` if none is below the threshold.
    [[nodiscard]] Money least() const { return least_; }
    // For every first customer the cheapest route of the relaxation, if it is below the threshold:
    // its customers, perhaps with repetitions.
    [[nodiscard]] const std::vector<Path>& cheapest_walks() const { return cheapest_walks_; }
    [[nodiscard]] std::int64_t label_count() const { return label_count_; }

  private:
    [[nodiscard]] const double* spent_by(std::int32_t index) const {
        return spent_.data() + to_index(index) * budgets_.size();
    }
    [[nodiscard]] bool is_within_budgets(const Spent& before, std::int32_t index) const;
    [[nodiscard]] bool spends_no_more(std::int32_t index, std::int32_t other) const;
    [[nodiscard]] bool is_dominated(std::int32_t index, bool only_some) const;
    [[nodiscard]] bool can_become_route(std::int32_t index, const Query& query);
    [[nodiscard]] bool can_come_after(Node previous, std::int32_t index, const Query& query);
    [[nodiscard]] bool can_begin(const Completion& completion, const Query& query) const;
    void find_beginnings(const Query& query, std::size_t half);
    void keep(std::int32_t index);
    [[nodiscard]] bool visits(const Completion& completion, Node customer) const;
    [[nodiscard]] std::size_t bucket_of(std::int64_t load) const;
    void prepare_search();
    void find_cheapest_walks(const ArcCosts& costs, Money threshold);

    const RouteData& data_;
    const std::vector<Resource>& resources_;
    std::vector<ArcBudget> budgets_;
    ArcCosts into_;  // of the last computation, by rows of the customer to whom an arc leads
    double buckets_per_load_ = 0.0;
    std::array<int, 2> load_shifts_{};
    const SubsetRows* rows_ = nullptr;
    std::vector<Completion> labels_;
    std::size_t words_ = 0;                         // of the state of a label
    std::vector<SubsetRows::Word> states_;          // by label
    std::vector<double> spent_;                     // by label: of every budget, up to the depot
    std::vector<std::vector<CompletionKey>> kept_;  // by customer, undominated, cheapest first
    // The same at the time of `prepare_search`, for quick checks: what rules out most completions
    // lies in little memory.
    struct QuickCheck {
        Memory memory = 0;
        std::array<std::uint32_t, 2> load{};  // of the first resources, rounded down
    };
    struct Shelf {
        std::vector<QuickCheck> quick_checks;
        std::vector<Money> costs;
        std::vector<SubsetRows::Word> states;
        std::vector<std::int32_t> labels;
    };
    [[nodiscard]] std::uint32_t rounded_load(std::size_t resource, std::int64_t load) const {
        return static_cast<std::uint32_t>(load >> load_shifts_[resource]);
    }
    std::vector<Shelf> shelves_;        // by customer
    std::vector<First> first_by_room_;  // by room in buckets, then by customer
    Money least_ = no_way;
    std::vector<Path> cheapest_walks_;
    // By room in buckets, then by customer: the cheapest beginning that goes on there, and the
    // cheapest that does not come from the same customer.
    struct BestBeginning {
        Money best = no_way;
        Money second = no_way;
        Node previous = 0;
    };
    std::vector<BestBeginning> beginnings_;
    std::vector<SubsetRows::Word> halves_;  // scratch: what it carries to its next customer
    std::int64_t label_count_ = 0;
};

}  // namespace tailgate::pricing
