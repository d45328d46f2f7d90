// All stages on one problem: what is cheap first, then the exact searches in rounds with growing
// limits. Which search is quickest cannot be seen beforehand, so they take turns.
#pragma once

#include <cstdint>

#include "column_sweep_search.hpp"
#include "corner_filling_search.hpp"
#include "decision.hpp"
#include "effort_meter.hpp"
#include "metered_search.hpp"
#include "relative_position_search.hpp"
#include "skyline_search.hpp"

namespace tailgate::packing {

// Does an item, or the area of all, exceed the floor?
[[nodiscard]] bool exceeds_floor(const Problem& problem);

class StagedSearch {
  public:
    // The meter must outlive the search.
    StagedSearch(Problem problem, std::size_t memo_bytes, EffortMeter& meter);
    StagedSearch(const StagedSearch&) = delete;
    StagedSearch& operator=(const StagedSearch&) = delete;

    // Goes on until the problem is decided or the effort is used up.
    Decision run();

    [[nodiscard]] const Problem& problem() const { return problem_; }
    // What it keeps to go on with, about.
    [[nodiscard]] std::size_t bytes() const {
        return skyline_.bytes() + corner_filling_.bytes() + column_sweep_.bytes();
    }

  private:
    // Nodes that take about as long as one of the other searches.
    static constexpr std::int64_t corner_nodes_per_charge = 8;
    static constexpr std::int64_t sweep_nodes_per_charge = 64;

    // These say whether the problem is decided, and how in decision_.
    bool run_cheap_stages();
    bool run_round();
    bool resume_most_promising();
    bool decide(Verdict verdict, Stage stage);
    template <typename Search>
    bool decide_by(const Search& search, Verdict verdict);

    Verdict run_relative_positions(std::int64_t nodes);
    Verdict run_corner_filling(std::int64_t nodes_each);
    Verdict run_column_sweep(std::int64_t nodes_each);
    Verdict run_beam(std::size_t width, std::int64_t nodes_each);
    Verdict run_corner_beam(std::size_t width);

    Problem problem_;
    std::size_t memo_bytes_;
    EffortMeter& meter_;
    // These have no views where they cannot be run on this problem.
    ViewedSearch<RelativePositionSearch> relative_positions_;
    ViewedSearch<CornerFillingSearch, corner_nodes_per_charge> corner_filling_;
    ViewedSearch<ColumnSweepSearch, sweep_nodes_per_charge> column_sweep_;
    ViewedSearch<SkylineSearch> skyline_;
    bool cheap_stages_are_over_ = false;
    // Factors on the expected nodes of a search: they grow when it was expected to end and did not.
    double doubt_of_relative_positions_ = 1;
    double doubt_of_corner_filling_ = 1;
    int round_ = 0;
    std::int64_t limit_;  // nodes of a search in this round
    Decision decision_;
};

}  // namespace tailgate::packing
