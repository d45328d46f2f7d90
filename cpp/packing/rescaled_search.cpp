#include "rescaled_search.hpp"

#include <utility>

#include "lifting.hpp"

namespace tailgate::packing {

RescaledSearch::RescaledSearch(const Problem& problem, Length max_floor, Rounding rounding,
                               std::size_t memo_bytes, EffortMeter& meter)
    : problem_(problem) {
    Rescaled rescaled = rescale(problem, max_floor, rounding);
    proves_feasible_ = rescaled.proves_feasible;
    proves_infeasible_ = rescaled.proves_infeasible;
    search_.emplace(lift_items(std::move(rescaled.problem)), memo_bytes, meter);
}

Decision RescaledSearch::run() {
    if (is_over()) return end_;
    Decision decision = search_->run();
    if (decision.verdict == Verdict::feasible) {
        // What was rounded to nothing has no place in the layout.
        const bool is_whole = search_->problem().count_items() == problem_.count_items();
        Layout layout;
        if (is_whole) layout = transfer_layout(search_->problem(), decision.layout, problem_);
        // What stands so in smaller sizes may still do so in the true ones.
        if (proves_feasible_ || (is_whole && is_valid_layout(problem_, layout))) {
            decision.layout = std::move(layout);
            return decision;
        }
    } else if (decision.verdict == Verdict::infeasible ? proves_infeasible_
                                                       : decision.stage == Stage::limit) {
        return decision;
    }
    search_.reset();
    const bool is_memory_full = decision.stage == Stage::memory;
    end_.stage = is_memory_full ? Stage::memory : Stage::limit;
    return end_;
}

}  // namespace tailgate::packing
