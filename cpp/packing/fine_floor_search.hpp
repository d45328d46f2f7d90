// For floors so fine that sizes were rounded: the exact search that ends where rounding settles
// nothing.
//
// Tables have an entry per unit of length, so sizes are rounded, up to look for a plan and down to
// look for a proof; first coarsely, then finely, or not at all where the floor has few enough units
// for that. In turns with these, with growing limits, goes the search that needs no grid
// (longest_path_search.hpp). It ends, whatever the sizes are.
#pragma once

#include <cstdint>
#include <optional>

#include "decision.hpp"
#include "effort_meter.hpp"
#include "longest_path_search.hpp"
#include "metered_search.hpp"
#include "problem.hpp"
#include "rescaled_search.hpp"

namespace tailgate::packing {

class FineFloorSearch {
  public:
    // Problem, meter and the two coarsely rounded searches must outlive the search.
    FineFloorSearch(const Problem& problem, RescaledSearch& rounded_up,
                    RescaledSearch& rounded_down, std::size_t memo_bytes, EffortMeter& meter);

    // Goes on until the problem is decided or the effort is used up; or until memory does not
    // suffice, which takes thousands of items.
    [[nodiscard]] Decision run();

    // What it keeps to go on with, about, beyond the coarsely rounded searches.
    [[nodiscard]] std::size_t bytes() const;

  private:
    enum class Turn : std::uint8_t {
        rounded_up,
        rounded_down,
        finely_rounded_up,
        finely_rounded_down,
        longest_paths
    };
    // Nodes that take about as long as one of the other searches.
    static constexpr std::int64_t longest_path_nodes_per_charge = 4;

    [[nodiscard]] Decision take(Turn turn);
    [[nodiscard]] Decision run_finely_rounded(std::optional<RescaledSearch>& search,
                                              Rounding rounding);
    [[nodiscard]] Decision run_longest_paths();

    const Problem& problem_;
    RescaledSearch& rounded_up_;
    RescaledSearch& rounded_down_;
    std::size_t memo_bytes_;
    EffortMeter& meter_;
    std::optional<RescaledSearch> finely_up_;
    std::optional<RescaledSearch> finely_down_;
    MeteredSearch<LongestPathSearch, longest_path_nodes_per_charge> longest_paths_;
    bool has_longest_paths_;
    std::int64_t lap_;
};

}  // namespace tailgate::packing
