// Bounds from weighing items by one of their sizes.
//
// Take the lines along one axis (columns of the floor, say). Give each item a weight that depends
// on its size along the lines. The items that meet a line have a total weight of at most what
// fits into the line's free length (a knapsack), and an item meets as many lines as its other
// size says. So the weights times the other sizes must not exceed the capacities of all lines.
// Weights "length if at least t" and "one if at least t" are dual feasible functions made exact.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem.hpp"

namespace tailgate::packing {

// Weighings cost a table entry per unit of length and two tables per item: worth it up to here.
inline constexpr Length max_weighed_floor = 512;
inline constexpr std::size_t max_weighed_items = 64;

struct Weighing {
    std::vector<Area> capacity;  // [free length of a line] -> largest total weight on it
    Area needed = 0;             // of all items, over all lines
};

enum class Axis : std::uint8_t { columns, rows };

// Every weighing that may show something: thresholds are the sizes that occur.
[[nodiscard]] std::vector<Weighing> make_weighings(std::span<const Rectangle> items, Axis lines,
                                                   Length floor);

// A bundle of equal lines.
struct Lines {
    Length free_length = 0;
    Length count = 0;
};

// Can the items be there as far as these weighings tell? One that says no moves to the front, to
// be asked earlier next time.
[[nodiscard]] bool weighings_hold(std::vector<Weighing>& weighings,
                                  const std::vector<Lines>& lines);

}  // namespace tailgate::packing
