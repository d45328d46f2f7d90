// Smaller integers that say the same: cost must not depend on the unit of length.
//
// Whether a layout exists depends only on which sets of items fit side by side in the floor's
// width and which fit behind one another in its length (chains of "left of" and of "above").
// Sizes may therefore be replaced by any others for which the same sets fit.
#pragma once

#include "problem.hpp"

namespace tailgate::packing {

struct Rescaled {
    Problem problem;
    bool proves_feasible = true;    // a layout of `problem` gives a layout of the original
    bool proves_infeasible = true;  // no layout of `problem`: none of the original
};

// An equivalent problem whose floor is small; or, where none is found and the floor exceeds
// `max_floor`, the given rounding of it (up: proves feasible only; down: infeasible only).
enum class Rounding : std::uint8_t { up, down };
[[nodiscard]] Rescaled rescale(const Problem& problem, Length max_floor, Rounding rounding);

// A layout of `problem` from one of a problem with the same items in other sizes: what was left
// of or below something stays so, and everything is pushed against the left wall and the cab.
[[nodiscard]] Layout transfer_layout(const Problem& from, const Layout& layout, const Problem& to);

// Inside the floor, no overlap, nothing of a later group between an item and the cab.
[[nodiscard]] bool is_valid_layout(const Problem& problem, const Layout& layout);

}  // namespace tailgate::packing
