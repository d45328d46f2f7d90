// What a loading question is made of: a floor, and rectangles grouped by stop.
#pragma once

#include <cstdint>
#include <vector>

namespace tailgate::packing {

using Length = std::int32_t;  // lengths after validation: at most 10^9
using Area = std::int64_t;

struct Rectangle {
    Length width = 0;   // along x, across the truck
    Length length = 0;  // along y, from the cab to the door
    friend bool operator==(const Rectangle&, const Rectangle&) = default;

    [[nodiscard]] Area area() const { return Area{width} * length; }
};

struct Position {
    Length x = 0;
    Length y = 0;
};

// Items of one stop have no order among them; `stops` is in the order of loading, so nothing of a
// later group may lie below (nearer to the cab than) an item of an earlier group it shares an x
// with.
struct Problem {
    Length width = 0;
    Length length = 0;
    std::vector<std::vector<Rectangle>> stops;
};

// One position per item, in the order of Problem::stops.
using Layout = std::vector<std::vector<Position>>;

enum class Verdict : std::uint8_t { feasible, infeasible, unknown };

}  // namespace tailgate::packing
