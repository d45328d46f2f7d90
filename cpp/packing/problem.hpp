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
    [[nodiscard]] Rectangle exchanged() const { return {length, width}; }
};

struct Position {
    Length x = 0;
    Length y = 0;
    bool turned = false;  // the item is placed in its other shape
};

// The shapes of an item that fit the floor, the smaller width first: items with the same ones are
// equal.
struct Shapes {
    Rectangle one;
    Rectangle other;  // without area if there is only one
    friend bool operator==(const Shapes&, const Shapes&) = default;

    [[nodiscard]] bool is_free() const { return other.width > 0; }
    [[nodiscard]] Area least_area() const {
        return is_free() ? std::min(one.area(), other.area()) : one.area();
    }
};

// Items of one stop have no order among them; `stops` is in the order of loading, so nothing of a
// later group may lie below (nearer to the cab than) an item of an earlier group it shares an x
// with.
struct Problem {
    Length width = 0;
    Length length = 0;
    std::vector<std::vector<Rectangle>> stops;
    // The other shape of every item, which has no area where there is none; empty if no item may be
    // turned. In other sizes (rescale.hpp, lifting.hpp) it need not be the first one turned.
    std::vector<std::vector<Rectangle>> turned = {};

    [[nodiscard]] bool may_turn() const { return !turned.empty(); }
    [[nodiscard]] Rectangle other_shape(std::size_t stop, std::size_t index) const {
        return may_turn() ? turned[stop][index] : Rectangle{};
    }
    [[nodiscard]] Rectangle placed(std::size_t stop, std::size_t index, bool is_turned) const {
        return is_turned ? turned[stop][index] : stops[stop][index];
    }
    [[nodiscard]] bool fits_floor(const Rectangle& shape) const {
        return shape.width > 0 && shape.width <= width && shape.length <= length;
    }
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
        for (std::size_t stop = 0; stop < stops.size(); ++stop) {
            for (std::size_t i = 0; i < stops[stop].size(); ++i) {
                if (!fits_floor(stops[stop][i]) && !fits_floor(other_shape(stop, i))) return true;
            }
        }
        return false;
    }
    // An item of which no shape fits keeps its first.
    [[nodiscard]] Shapes shapes(std::size_t stop, std::size_t index) const {
        const Rectangle& first = stops[stop][index];
        const Rectangle other = other_shape(stop, index);
        if (!fits_floor(other) || other == first) return {first, {}};
        if (!fits_floor(first)) return {other, {}};
        const bool in_order =
            first.width != other.width ? first.width < other.width : first.length < other.length;
        return in_order ? Shapes{first, other} : Shapes{other, first};
    }
    // Items, those with two shapes counted twice.
    [[nodiscard]] std::size_t count_shapes() const {
        std::size_t count = count_items();
        for (std::size_t stop = 0; stop < turned.size(); ++stop) {
            for (std::size_t i = 0; i < turned[stop].size(); ++i)
                count += shapes(stop, i).is_free() ? 1 : 0;
        }
        return count;
    }
};

// One position per item, in the order of Problem::stops.
using Layout = std::vector<std::vector<Position>>;

enum class Verdict : std::uint8_t { feasible, infeasible, unknown };

}  // namespace tailgate::packing
