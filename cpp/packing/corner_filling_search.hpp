// The exact search for nearly full floors: fill the corners of valleys, and count what stays empty.
//
// Items are placed on a skyline as in skyline_search.hpp, but not in the order of loading: at every
// node the corner of some valley is filled, the one with the fewest possibilities. A column keeps
// the last stop that stands in it, and takes only items that are loaded with it or later. What the
// items leave of the floor may stay empty and no more, so nearly full floors have small trees.
//
// Only plans pushed towards the cab are looked for: every item begins at the cab or where another
// one ends that shares a column with it. Nobody passes anybody when a plan is pushed, so it stays
// one.
//
// Why that is complete. Let a valley be columns of one height, the columns on both sides higher or
// walls, and look at the lowest free cell of its first column (or, mirrored, of its last).
// - If an item covers the cell, it begins there: below and beside it there is no room. So it is one
//   of the items that fit into the valley with their corner there.
// - If the cell stays empty, let the column be empty up to y. What begins at y rests on something
//   that ends at y. It is at least as high as the lower of the two sides of the valley, or ends on
//   an item that stands in the rest of the valley. So y is higher than the valley by at least the
//   least of: the lower side, and the shortest item that fits into the rest of the valley. That
//   much of the column is given up at once.
//
// An item that may be turned stands in the list twice, once in each shape: only one of them is
// placed.
//
// What can come of a skyline depends on its heights, on the items that wait, and on which of them
// each column still takes; what stays empty follows from these. So skylines that failed are kept,
// and one met again on another way is not tried again. Nor is its mirror image, once the item has
// its place that makes a plan differ from its mirror image.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "effort_meter.hpp"
#include "key_set.hpp"
#include "problem.hpp"

namespace tailgate::packing {

class CornerFillingSearch {
  public:
    // Columns, rows, items in each of their shapes and stops are bits of words; every item must be
    // smaller than the floor.
    [[nodiscard]] static bool can_search(const Problem& problem);

    // Only if can_search. `memo_bytes` limits the memory of failed skylines.
    CornerFillingSearch(const Problem& problem, std::size_t memo_bytes);

    // A later call goes on where the last one stopped.
    Verdict run(const Budget& budget);

    [[nodiscard]] std::int64_t nodes() const { return nodes_; }  // in all calls
    [[nodiscard]] std::size_t bytes() const {
        return path_.capacity() * sizeof(Node) + failed_.bytes() + failed_before_.bytes();
    }
    // Which part of all has been tried, as if all possibilities of a corner were as much work.
    [[nodiscard]] double progress() const { return progress_; }
    [[nodiscard]] const Layout& layout() const { return layout_; }  // after a feasible verdict

  private:
    using Bits = std::uint64_t;
    using Height = std::int8_t;
    static constexpr std::size_t max_columns = 64;

    // In one of its shapes.
    struct Item {
        Length width = 0;
        Length length = 0;
        Height stop = 0;         // in the order of loading
        std::size_t index = 0;   // in the stop
        Rectangle other;         // its other shape, if it has an area
        bool turned = false;     // this is not its first shape
        Bits equals_before = 0;  // items like it that go first
        Bits same_item = 0;      // in every shape
        [[nodiscard]] Area area() const { return Area{width} * length; }
        [[nodiscard]] Area least_area() const {
            return other.width > 0 ? std::min(area(), other.area()) : area();
        }
    };
    struct Skyline {
        std::array<Height, max_columns> heights{};
        std::array<Height, max_columns> stops{};  // the last one that stands in a column
        Bits waiting = 0;                         // items, in every shape
        Area empty = 0;                           // given up so far; less if shapes differ in area
    };
    struct Valley {
        Length begin = 0;
        Length end = 0;
        Length height = 0;
        Length lower_side = 0;  // height of the lower of its two sides
    };
    struct Corner {
        Valley valley;
        bool at_end = false;  // of the valley, not at its beginning
        Bits fitting = 0;     // items that can stand in it
        Length given_up = 0;  // of its column if it stays empty; of the whole valley if so
        bool whole_valley = false;
    };
    struct Node {
        Skyline skyline;
        Corner corner;  // its `fitting` has what is not tried yet
        bool may_stay_empty = false;
        double share = 0;           // of all, for each of its possibilities
        std::int64_t begun_at = 0;  // in nodes
        std::size_t item = 0;       // that led here, or nobody
        Position position;
    };

    [[nodiscard]] Bits waiting_items(const Skyline& skyline) const {
        return skyline.waiting & first_shapes_;
    }
    [[nodiscard]] bool choose_corner(Skyline& skyline, Corner& best) const;
    [[nodiscard]] bool fits(const Skyline& skyline, const Item& item, Length x, Length y) const;
    [[nodiscard]] Bits fitting_into(const Skyline& skyline, const Valley& valley) const;
    [[nodiscard]] bool leaves_room(const Skyline& skyline) const;
    [[nodiscard]] bool stops_find_room(const Skyline& skyline) const;
    [[nodiscard]] bool items_find_windows(const Skyline& skyline) const;
    [[nodiscard]] bool columns_can_be_filled(const Skyline& skyline) const;
    [[nodiscard]] KeySet::Key key_of(const Skyline& skyline);
    [[nodiscard]] bool has_failed(const Skyline& skyline);
    void keep_failed(const Skyline& skyline);
    void descend(Skyline skyline, double share, std::size_t item, Position position);
    void keep_layout();

    Length width_ = 0;
    Length length_ = 0;
    std::size_t stop_count_ = 0;
    std::vector<std::size_t> stop_sizes_;
    std::vector<Item> items_;
    Bits on_the_left_ = 0;   // its middle is in the left half: mirror images are one
    Bits first_shapes_ = 0;  // every item once
    Area may_stay_empty_ = 0;
    bool started_ = false;
    std::vector<Node> path_;
    // Skylines come back soon or hardly: when the newer half is full, the older one is forgotten.
    std::size_t half_memo_bytes_;
    KeySet failed_;
    KeySet failed_before_;
    std::vector<std::uint8_t> key_;
    std::int64_t nodes_ = 0;
    double progress_ = 0;
    Verdict verdict_ = Verdict::unknown;
    Layout layout_;
};

}  // namespace tailgate::packing
