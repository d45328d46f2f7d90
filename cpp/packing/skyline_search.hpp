// The exact search on skylines (contours of what is loaded, Burke, Kendall and Whitwell 2004): load
// stop after stop, dropping each item onto the skyline at a chosen x.
//
// Complete under LIFO: whatever stands between an item and the cab was loaded before it, so every
// layout can be rebuilt by dropping its items in the order of loading and, within a stop, of y.
#pragma once

#include <cstdint>
#include <memory>

#include "effort_meter.hpp"
#include "problem.hpp"

namespace tailgate::packing {

class SkylineSearch {
  public:
    // The floor should be small (see rescale.hpp): tables have one entry per unit of length.
    // `memo_bytes` limits failed states and, once more, what is known of the remaining items.
    SkylineSearch(const Problem& problem, std::size_t memo_bytes);
    ~SkylineSearch();

    // Depth first. A later call goes on where the last one stopped: failed states are remembered.
    Verdict run(const Budget& budget);
    // Breadth first with at most `width` states per depth; can say yes, and no only where the
    // bounds at the root do.
    Verdict run_beam(std::size_t width, const Budget& budget);
    // The same, trying items only next to a step of the skyline: cheap on wide floors.
    Verdict run_corner_beam(std::size_t width, const Budget& budget);

    // Further calls will decide nothing.
    [[nodiscard]] bool is_out_of_memory() const;
    [[nodiscard]] std::int64_t nodes() const;    // in all calls
    [[nodiscard]] std::size_t bytes() const;     // kept for later calls, about
    [[nodiscard]] const Layout& layout() const;  // after a feasible verdict

  private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace tailgate::packing
