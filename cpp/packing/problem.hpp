// What a loading query is made of: a floor, and rectangles grouped by stop.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "to_index.hpp"

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

    [[nodiscard]] Area floor_area() const { return Area{width} * length; }
    [[nodiscard]] std::vector<Rectangle> items() const {
        std::vector<Rectangle> all;
        for (const auto& stop : stops) all.insert(all.end(), stop.begin(), stop.end());
        return all;
    }
    [[nodiscard]] std::size_t count_items() const {
        std::size_t count = 0;
        for (const auto& stop : stops) count += stop.size();
        return count;
    }
    // Is anything loaded before something else? Not if all items are of one stop.
    [[nodiscard]] bool has_order() const {
        return std::ranges::count_if(stops, [](const auto& stop) { return !stop.empty(); }) > 1;
    }
    [[nodiscard]] bool has_oversized_item() const {
        for (const auto& stop : stops) {
            for (const Rectangle& item : stop) {
                if (item.width > width || item.length > length) return true;
            }
        }
        return false;
    }
};

// One position per item, in the order of Problem::stops.
using Layout = std::vector<std::vector<Position>>;

enum class Verdict : std::uint8_t { feasible, infeasible, unknown };

}  // namespace tailgate::packing
