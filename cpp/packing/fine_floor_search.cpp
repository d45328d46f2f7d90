#include "fine_floor_search.hpp"

#include <utility>

namespace tailgate::packing {

namespace {

// Nodes of every search in the first turn; most floors are settled by the coarse rounding within
// it.
constexpr std::int64_t first_lap = 1 << 14;
constexpr std::int64_t lap_growth = 4;

// Up to so many units of length there is no rounding at all the second time.
constexpr Length max_fine_floor = 1 << 16;
// Each of the two takes this part of the memory at most twice.
constexpr std::size_t fine_memory_divisor = 8;

}  // namespace

FineFloorSearch::FineFloorSearch(const Problem& problem, RescaledSearch& rounded_up,
                                 RescaledSearch& rounded_down, std::size_t memo_bytes,
                                 EffortMeter& meter)
    : problem_(problem),
      rounded_up_(rounded_up),
      rounded_down_(rounded_down),
      memo_bytes_(memo_bytes),
      meter_(meter),
      longest_paths_(meter),
      has_longest_paths_(LongestPathSearch::bytes_for(problem) <= memo_bytes),
      lap_(first_lap) {}

Decision FineFloorSearch::run() {
    while (!meter_.is_used_up()) {
        const auto take_turn = [&](auto run) -> Decision {
            if (meter_.is_used_up()) return {};
            meter_.begin_lap(lap_);
            Decision decision = run();
            meter_.end_lap();
            return decision;
        };
        Decision decision = take_turn([&] { return rounded_up_.run(); });
        if (decision.verdict != Verdict::unknown) return decision;
        decision = take_turn([&] { return rounded_down_.run(); });
        if (decision.verdict != Verdict::unknown) return decision;
        decision = take_turn([&] { return run_finely_rounded(Rounding::up); });
        if (decision.verdict != Verdict::unknown) return decision;
        decision = take_turn([&] { return run_finely_rounded(Rounding::down); });
        if (decision.verdict != Verdict::unknown) return decision;
        decision = take_turn([&] { return run_longest_paths(); });
        if (decision.verdict != Verdict::unknown) return decision;
        const bool is_over = rounded_up_.is_over() && rounded_down_.is_over() && finely_up_ &&
                             finely_up_->is_over() && (!finely_down_ || finely_down_->is_over()) &&
                             !has_longest_paths_;
        if (is_over) return {Verdict::unknown, Stage::memory, 0, {}};
        if (!meter_.is_used_up()) lap_ *= lap_growth;
    }
    return {};
}

// Where one of the two is not rounded at all, the other would be the same.
Decision FineFloorSearch::run_finely_rounded(Rounding rounding) {
    if (rounding == Rounding::down && finely_up_->is_equivalent()) return {};
    auto& search = rounding == Rounding::up ? finely_up_ : finely_down_;
    if (!search)
        search.emplace(problem_, max_fine_floor, rounding, memo_bytes_ / fine_memory_divisor,
                       meter_);
    return search->run();
}

Decision FineFloorSearch::run_longest_paths() {
    if (!has_longest_paths_) return {};
    if (!longest_paths_.is_made()) longest_paths_.make(problem_);
    const Verdict verdict = longest_paths_.run(lap_);
    if (verdict == Verdict::unknown) return {};
    return {verdict, Stage::search, 0,
            verdict == Verdict::feasible ? longest_paths_.layout() : Layout{}};
}

std::size_t FineFloorSearch::bytes() const {
    return (finely_up_ ? finely_up_->bytes() : 0) + (finely_down_ ? finely_down_->bytes() : 0) +
           (longest_paths_.is_made() ? LongestPathSearch::bytes_for(problem_) : 0);
}

}  // namespace tailgate::packing
