// Searches that are made when they are first run, and whose nodes are charged to a meter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "effort_meter.hpp"
#include "problem.hpp"

namespace tailgate::packing {

// So many nodes of the search are charged as one: where a node is quick.
template <typename Search, std::int64_t nodes_per_charge = 1>
class MeteredSearch {
  public:
    // The meter must outlive the search.
    explicit MeteredSearch(EffortMeter& meter)
        : meter_(meter), budget_{0, [&meter] { return meter.is_expired(); }} {}

    [[nodiscard]] bool is_made() const { return search_.has_value(); }
    template <typename... Arguments>
    void make(const Arguments&... arguments) {
        search_.emplace(arguments...);
    }
    // `run(search, budget)` runs it.
    template <typename Run>
    Verdict run(std::int64_t nodes, Run run) {
        budget_.max_nodes = std::min(nodes, meter_.nodes_left()) * nodes_per_charge;
        const std::int64_t before = search_->nodes();
        const Verdict verdict = run(*search_, budget_);
        meter_.charge((search_->nodes() - before) / nodes_per_charge);
        return verdict;
    }
    Verdict run(std::int64_t nodes) {
        return run(nodes, [](Search& search, const Budget& budget) { return search.run(budget); });
    }

    // How much the search will have been charged at its end, judging by what it has done so far.
    [[nodiscard]] double expected_nodes() const {
        if (!search_ || search_->progress() <= 0) return std::numeric_limits<double>::infinity();
        return static_cast<double>(search_->nodes()) / nodes_per_charge / search_->progress();
    }
    [[nodiscard]] bool is_out_of_memory() const { return search_ && search_->is_out_of_memory(); }
    [[nodiscard]] std::size_t bytes() const { return search_ ? search_->bytes() : 0; }
    [[nodiscard]] const Layout& layout() const { return search_->layout(); }

  private:
    EffortMeter& meter_;
    Budget budget_;
    std::optional<Search> search_;
};

inline Problem reversed(Problem problem) {
    std::ranges::reverse(problem.stops);
    return problem;
}

// `layout` belongs to `problem`, the result to its reverse.
inline Layout reversed(const Problem& problem, Layout layout) {
    for (std::size_t stop = 0; stop < layout.size(); ++stop) {
        for (std::size_t i = 0; i < layout[stop].size(); ++i) {
            Position& position = layout[stop][i];
            position.y = problem.length - position.y - problem.stops[stop][i].length;
        }
    }
    std::ranges::reverse(layout);
    return layout;
}

// Runs a search from the cab and from the door in turns: which of the two is easier cannot be seen
// beforehand, and it matters. A problem can be loaded exactly if its reverse can.
template <typename Search, std::int64_t nodes_per_charge = 1>
class TwoWaySearch {
  public:
    // Problem and meter must outlive the search. Each way gets half of the memory.
    TwoWaySearch(const Problem& problem, std::size_t memo_bytes, EffortMeter& meter)
        : problem_(problem),
          memo_bytes_(memo_bytes / 2),
          meter_(meter),
          from_cab_(meter),
          from_door_(meter) {}

    // `run(search, budget)` runs the search of one way.
    template <typename Run>
    Verdict run(std::int64_t nodes_each_way, Run run) {
        if (!from_cab_.is_made()) from_cab_.make(problem_, memo_bytes_);
        door_was_last_ = false;
        const Verdict verdict = from_cab_.run(nodes_each_way, run);
        if (verdict != Verdict::unknown || meter_.is_used_up()) return verdict;
        if (!from_door_.is_made()) {
            reverse_ = reversed(problem_);
            from_door_.make(*reverse_, memo_bytes_);
        }
        door_was_last_ = true;
        return from_door_.run(nodes_each_way, run);
    }
    Verdict run(std::int64_t nodes_each_way) {
        return run(nodes_each_way,
                   [](Search& search, const Budget& budget) { return search.run(budget); });
    }
    // Resumes the way that is expected to end sooner.
    Verdict run_better_way(std::int64_t nodes) {
        door_was_last_ = from_door_.expected_nodes() < from_cab_.expected_nodes();
        return (door_was_last_ ? from_door_ : from_cab_).run(nodes);
    }

    [[nodiscard]] double expected_nodes() const {
        return std::min(from_cab_.expected_nodes(), from_door_.expected_nodes());
    }
    [[nodiscard]] bool is_out_of_memory() const {
        return from_cab_.is_out_of_memory() && from_door_.is_out_of_memory();
    }
    [[nodiscard]] std::size_t bytes() const { return from_cab_.bytes() + from_door_.bytes(); }
    // After a feasible verdict.
    [[nodiscard]] Layout layout() const {
        return door_was_last_ ? reversed(*reverse_, from_door_.layout()) : from_cab_.layout();
    }

  private:
    const Problem& problem_;
    std::size_t memo_bytes_;
    EffortMeter& meter_;
    std::optional<Problem> reverse_;
    MeteredSearch<Search, nodes_per_charge> from_cab_;
    MeteredSearch<Search, nodes_per_charge> from_door_;
    bool door_was_last_ = false;
};

}  // namespace tailgate::packing
