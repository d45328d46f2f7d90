// All stages on one problem in small integers: an equivalent one or, where none is found, a rounded
// one, whose answer may say nothing about the problem as given.
#pragma once

#include <optional>

#include "decision.hpp"
#include "effort_meter.hpp"
#include "problem.hpp"
#include "rescale.hpp"
#include "staged_search.hpp"

namespace tailgate::packing {

class RescaledSearch {
  public:
    // Problem and meter must outlive the search.
    RescaledSearch(const Problem& problem, Length max_floor, Rounding rounding,
                   std::size_t memo_bytes, EffortMeter& meter);

    // Goes on until the problem as given is decided, the effort is used up, or nothing can be done:
    // then it is over.
    [[nodiscard]] Decision run();

    // Does every answer hold for the problem as given?
    [[nodiscard]] bool is_equivalent() const { return proves_feasible_ && proves_infeasible_; }
    [[nodiscard]] bool is_over() const { return !search_; }
    // What it keeps to go on with, about.
    [[nodiscard]] std::size_t bytes() const { return search_ ? search_->bytes() : 0; }

  private:
    const Problem& problem_;
    bool proves_feasible_ = false;
    bool proves_infeasible_ = false;
    std::optional<StagedSearch> search_;  // until it is over
    Decision end_;                        // what is said from then on: unknown
};

}  // namespace tailgate::packing
