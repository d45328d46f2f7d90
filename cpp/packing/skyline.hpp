// The contour of what is loaded so far, as seen from the door: steps from left to right.
#pragma once

#include <vector>

#include "problem.hpp"

namespace tailgate::packing {

struct Step {
    Length x = 0;       // where the step begins; it ends where the next one begins
    Length height = 0;  // distance from the cab
    friend bool operator==(const Step&, const Step&) = default;
};

using Skyline = std::vector<Step>;

// A step is worth this share of the floor when moves are ranked: flat skylines leave room for
// everything. Found by experiment on class 5 routes above 94 % fill.
inline constexpr Area steps_per_floor = 200;

}  // namespace tailgate::packing
