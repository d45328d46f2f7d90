// Bounds from dual feasible functions (Fekete and Schepers 2001) of one of the items' sizes.
//
// Take the lines along one axis (columns of the floor, say). Give each item a weight that depends
// on its size along the lines. The items that meet a line have a total weight of at most what
// fits into the line's free length (a knapsack), and an item meets as many lines as its other
// size says. So the weights times the other sizes must not exceed the capacities of all lines.
// With the weights "length if at least t" and "one if at least t" this is the bound of a dual
// feasible function, but for the capacities: a knapsack gives them exactly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem.hpp"

namespace tailgate::packing {

// They cost a table entry per unit of length and two tables per item: worth it up to here.
inline constexpr Length max_bounds_floor = 512;
inline constexpr std::size_t max_bounds_items = 64;

struct DualFeasibleBound {
    std::vector<Area> capacity;  // [free length of a line] -> largest total weight on it
    Area needed = 0;             // of all items, over all lines
};

enum class Axis : std::uint8_t { columns, rows };

// Every bound that may show something: thresholds are the sizes that occur.
[[nodiscard]] std::vector<DualFeasibleBound> make_dual_feasible_bounds(
    std::span<const Rectangle> items, Axis lines, Length floor);

// A bundle of equal lines.
struct Lines {
    Length free_length = 0;
    Length count = 0;
};

// Do these bounds allow the items? One that does not moves to the front, to be tried earlier next
// time.
[[nodiscard]] bool dual_feasible_bounds_hold(std::vector<DualFeasibleBound>& bounds,
                                             const std::vector<Lines>& lines);

}  // namespace tailgate::packing
