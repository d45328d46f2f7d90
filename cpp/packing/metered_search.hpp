// Searches that are made when they are first run, and whose nodes are charged to a meter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "effort_meter.hpp"
#include "problem.hpp"
#include "views.hpp"

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

// Runs a search on several views of one problem in turns: which of them is easier cannot be seen
// beforehand, and it matters.
template <typename Search, std::int64_t nodes_per_charge = 1>
class ViewedSearch {
  public:
    // Problem and meter must outlive the search. Each view gets its part of the memory.
    ViewedSearch(const Problem& problem, const std::vector<View>& views, std::size_t memo_bytes,
                 EffortMeter& meter)
        : problem_(problem), meter_(meter) {
        for (const View view : views) ways_.emplace_back(view, meter);
        if (!views.empty()) memo_bytes_ = memo_bytes / views.size();
    }

    // Whether there is anything to run.
    [[nodiscard]] bool has_views() const { return !ways_.empty(); }
    [[nodiscard]] std::int64_t views() const { return static_cast<std::int64_t>(ways_.size()); }
    // `run(search, budget)` runs the search on one view.
    template <typename Run>
    Verdict run(std::int64_t nodes_each, Run run) {
        for (std::size_t way = 0; way < ways_.size(); ++way) {
            if (way > 0 && meter_.is_used_up()) break;
            last_ = way;
            make(ways_[way]);
            const Verdict verdict = ways_[way].search.run(nodes_each, run);
            if (verdict != Verdict::unknown) return verdict;
        }
        return Verdict::unknown;
    }
    Verdict run(std::int64_t nodes_each) {
        return run(nodes_each,
                   [](Search& search, const Budget& budget) { return search.run(budget); });
    }
    // Resumes the one that is expected to end sooner; only where expected_nodes is finite.
    Verdict run_better_way(std::int64_t nodes) {
        last_ = to_index(best_way() - ways_.begin());
        return ways_[last_].search.run(nodes);
    }

    [[nodiscard]] double expected_nodes() const {
        return has_views() ? best_way()->search.expected_nodes()
                           : std::numeric_limits<double>::infinity();
    }
    [[nodiscard]] bool is_out_of_memory() const {
        return std::ranges::all_of(ways_, [](const Way& w) { return w.search.is_out_of_memory(); });
    }
    [[nodiscard]] std::size_t bytes() const {
        std::size_t bytes = 0;
        for (const Way& way : ways_) bytes += way.search.bytes();
        return bytes;
    }
    // After a feasible verdict.
    [[nodiscard]] Layout layout() const {
        const Way& way = ways_[last_];
        return as_given(problem_of(way), way.view, way.search.layout());
    }

  private:
    struct Way {
        Way(View of, EffortMeter& meter) : view(of), search(meter) {}
        View view;
        std::optional<Problem> seen;  // unless as given
        MeteredSearch<Search, nodes_per_charge> search;
    };

    [[nodiscard]] const Problem& problem_of(const Way& way) const {
        return way.seen ? *way.seen : problem_;
    }
    void make(Way& way) {
        if (way.search.is_made()) return;
        if (way.view != View::as_given) way.seen = seen(problem_, way.view);
        if constexpr (std::is_constructible_v<Search, const Problem&, std::size_t>)
            way.search.make(problem_of(way), memo_bytes_);
        else
            way.search.make(problem_of(way));
    }
    [[nodiscard]] auto best_way() const {
        return std::ranges::min_element(ways_, {},
                                        [](const Way& way) { return way.search.expected_nodes(); });
    }

    const Problem& problem_;
    EffortMeter& meter_;
    std::size_t memo_bytes_ = 0;
    std::deque<Way> ways_;  // none is moved: searches keep references
    std::size_t last_ = 0;  // the way that was run last
};

}  // namespace tailgate::packing
