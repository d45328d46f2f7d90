#include "fine_floor_search.hpp"

#include <utility>

namespace tailgate::packing {

namespace {

// Nodes of every search in its first turn: rounding mostly settles within them what it settles.
constexpr std::int64_t first_lap = 4'000;
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
        for (const Turn turn : {Turn::rounded_up, Turn::rounded_down, Turn::finely_rounded_up,
                                Turn::finely_rounded_down, Turn::longest_paths}) {
            meter_.begin_lap(lap_);
            Decision decision = take(turn);
            meter_.end_lap();
            if (decision.verdict != Verdict::unknown) return decision;
            if (meter_.is_used_up()) return {};  // the next lap begins anew, and is as long
        }
        const bool is_over = rounded_up_.is_over() && rounded_down_.is_over() &&
                             finely_up_->is_over() && (!finely_down_ || finely_down_->is_over()) &&
                             !has_longest_paths_;
        if (is_over) return {Verdict::unknown, Stage::memory, 0, {}};
        lap_ *= lap_growth;
    }
    return {};
}

Decision FineFloorSearch::take(Turn turn) {
    switch (turn) {
        case Turn::rounded_up:
            return rounded_up_.run();
        case Turn::rounded_down:
            return rounded_down_.run();
        case Turn::finely_rounded_up:
            return run_finely_rounded(finely_up_, Rounding::up);
        case Turn::finely_rounded_down:
            // Where nothing is rounded the two are the same.
            if (finely_up_->is_equivalent()) return {};
            return run_finely_rounded(finely_down_, Rounding::down);
        case Turn::longest_paths:
            return run_longest_paths();
    }
    return {};
}

Decision FineFloorSearch::run_finely_rounded(std::optional<RescaledSearch>& search,
                                             Rounding rounding) {
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
