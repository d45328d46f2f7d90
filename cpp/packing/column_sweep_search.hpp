// The exact search for full floors where nothing is loaded before anything else: decide every x
// from left to right, then every y. (Côté, Dell'Amico and Iori 2014 split the problem so: first a
// bin packing in which an item lies in as many bins side by side as it is wide, then the y.)
//
// Only plans pushed to the left are looked for: every item begins at the wall or where another one
// ends. So the sweep stops only where an item ends. There it begins any set of items that has room
// above those that still reach over, and goes on to the next end; what the columns up to there do
// not carry stays empty. The items leave only so much of the floor empty, so few sets will do.
//
// Which x can follow depends on the items that wait and on how much the columns ahead carry
// already; what stays empty follows from these. So where no x could be found for all, this is
// remembered.
//
// An item that may be turned stands in the list twice, once in each shape: only one of them begins.
//
// With every x given, a column has its items, and what they leave of it may be lost below them. The
// items are dropped in the order of y: all that is lower than the latest one is lost.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "bit_range.hpp"
#include "effort_meter.hpp"
#include "key_set.hpp"
#include "problem.hpp"

namespace tailgate::packing {

class ColumnSweepSearch {
  public:
    // Nothing may be loaded before anything else; columns, rows and items in each of their shapes
    // are bits of words.
    [[nodiscard]] static bool can_search(const Problem& problem);

    // Only if can_search. `memo_bytes` limits the memory of what failed.
    ColumnSweepSearch(const Problem& problem, std::size_t memo_bytes);

    // A later call goes on where the last one stopped.
    Verdict run(const Budget& budget);

    [[nodiscard]] std::int64_t nodes() const { return nodes_; }  // in all calls
    [[nodiscard]] std::size_t bytes() const {
        return path_.capacity() * sizeof(Node) + failed_.bytes();
    }
    [[nodiscard]] const Layout& layout() const { return layout_; }  // after a feasible verdict

  private:
    using Bits = std::uint64_t;
    using Height = std::int8_t;
    using Columns = std::array<Height, word_bits>;

    // In one of its shapes.
    struct Item {
        Length width = 0;
        Length length = 0;
        std::size_t stop = 0;
        std::size_t index = 0;  // in the stop
        Rectangle other;        // its other shape, if it has an area
        bool turned = false;    // this is not its first shape
        bool equals_before = false;
        Bits same_item = 0;  // in every shape
        [[nodiscard]] Area area() const { return Area{width} * length; }
        [[nodiscard]] Area least_area() const {
            return other.width > 0 ? std::min(area(), other.area()) : area();
        }
    };
    struct Node {
        Length x = 0;
        Columns carried{};     // of the columns from x on: the lengths in them
        Bits waiting = 0;      // items, in every shape
        Bits begun = 0;        // items, in the shape that they have
        Bits untried = 0;      // items that may begin here
        Area empty = 0;        // in the columns before x; less if shapes differ in area
        bool goes_on = false;  // to the next end is not tried yet
        bool is_first_at_x = false;
        bool has_been_through = false;  // some x for all were found below
    };
    // How far the items with a given x are dropped.
    struct Drop {
        Columns heights{};
        Columns spare{};  // that may still stay empty
    };

    void descend(const Node& node);
    [[nodiscard]] bool can_be_filled(const Node& node) const;
    // Where an item stands that begins in the columns ahead: in these in any case.
    struct Sure {
        Length from = 0;
        Length to = 0;
        bool is_possible = false;
    };
    [[nodiscard]] Sure sure_columns(const Node& node, const Item& item) const;
    [[nodiscard]] bool column_can_be_filled(const Node& node) const;
    void begin_item(Node& node, std::size_t item);
    void go_on(const Node& node);
    void leave();
    Verdict drop_all(std::int64_t last_node, const Budget& budget);
    Verdict drop(const Drop& drop, Bits waiting, Length y, std::size_t latest,
                 std::int64_t last_node, const Budget& budget);
    [[nodiscard]] KeySet::Key key_of(const Node& node);
    [[nodiscard]] bool must_stop(std::int64_t last_node, const Budget& budget) const;

    const Problem& problem_;
    Length width_;
    Length length_;
    std::vector<Item> items_;
    Bits on_the_left_ = 0;  // its middle is in the left half: mirror images are one
    Area may_stay_empty_;
    std::vector<Node> path_;
    std::vector<Position> positions_;  // [item]
    Bits begun_ = 0;                   // items whose y are searched
    KeySet failed_;
    std::vector<std::uint8_t> key_;
    std::int64_t nodes_ = 0;
    bool is_open_ = false;
    bool must_drop_ = false;  // every x is given, and the y are not searched to the end
    Verdict verdict_ = Verdict::unknown;
    Layout layout_;
};

}  // namespace tailgate::packing
