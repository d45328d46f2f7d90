// The other exact search: decide which items stand beside each other and which behind one another,
// the large ones before the small ones, and then every item's x.
//
// Under LIFO this says nearly everything: of two items of different stops that share a column, the
// one loaded first is nearer to the cab. So nothing has to be decided in the order of loading, and
// the large items, which are mostly to blame, can come first. Every item keeps a set of x and a
// stretch of y; what follows from them for the others is drawn at every node:
//
// - Columns that an item covers wherever it stands carry it, and everything loaded earlier or later
//   above or below it: a floor and a ceiling in every column for every stop.
// - Two items must find places beside each other, or behind one another in the order of loading.
// - Rows that an item covers in any case are as narrow for the others as it is wide.
// - No column can be filled better than by a total of lengths of items that can cover it; nor a row
//   by anything but a total of widths.
// - Only pushed plans are looked for (pushed.cpp): items of the left half stand against something
// on
//   their left, the others against something on their right, and all of them towards the cab.
#pragma once

#include <cstdint>
#include <vector>

#include "drop_search.hpp"
#include "problem.hpp"

namespace tailgate::packing {

class PlaceSearch {
  public:
    // Sets of x and of items are bits of a word, heights are short integers, and the order of the
    // items within a stop is found by trying.
    [[nodiscard]] static bool can_search(const Problem& problem);

    // Only if can_search; the problem must outlive the search.
    explicit PlaceSearch(const Problem& problem);

    // A later call goes on where the last one stopped.
    Verdict run(const Budget& budget);

    [[nodiscard]] std::int64_t nodes() const { return nodes_; }  // in all calls
    // Which part of all has been tried, as if all places were as much work.
    [[nodiscard]] double progress() const;
    [[nodiscard]] const Layout& layout() const { return layout_; }  // after a feasible verdict

  private:
    using Bits = std::uint64_t;
    using Height = std::int16_t;

    struct Item {
        Length width = 0;
        Height length = 0;
        std::int32_t stop = 0;
        std::size_t index = 0;  // in the stop, as the problem has it
    };
    // What is still possible for an item.
    struct State {
        Bits places = 0;       // every x
        Bits beginnings = 0;   // every y, on floors whose length fits into a word
        Height leftmost = 0;   // of the places
        Height rightmost = 0;  // likewise
        Height low = 0;        // it begins here or nearer to the door
        Height high = 0;       // it ends here or nearer to the cab
        Bits left_of = 0;      // items that it stands left of, as far as this is settled
        Bits right_of = 0;
        Bits behind = 0;  // items that share a column with it
        void set_places(Bits bits);
    };
    // How an item can stand to another one: a set.
    enum Relation : Bits { left = 1, right = 2, behind = 4 };
    struct Frame {
        std::vector<State> states;
        std::size_t item = 0;   // whose relation to the other one is tried, or whose places
        std::size_t other = 0;  // the item itself: its places
        Bits all = 0;           // relations, or places
        Bits untried = 0;
        Bits tried_now = 0;
        Length span = 0;  // places this near to each other are tried together
    };

    [[nodiscard]] std::size_t count() const { return items_.size(); }
    void open();
    bool choose(Frame& frame) const;
    bool choose_pair(Frame& frame) const;
    bool choose_item(Frame& frame) const;
    Bits try_next(Frame& frame);
    void count_failure(std::size_t item);
    Verdict search(std::int64_t last_node, const Budget& budget);
    // These change states_, and note in changed_ whose; false if an item cannot stand anywhere.
    bool propagate(Bits changed);
    bool compare_changed();
    bool compare(std::size_t one, Bits others);
    bool settle(std::size_t one, std::size_t two);
    [[nodiscard]] Bits relations(std::size_t one, std::size_t two) const;
    void relate(std::size_t one, std::size_t two, Bits relation);
    bool stand_left(std::size_t left, std::size_t right);
    bool stand_behind(std::size_t one, std::size_t two);
    bool make_way(std::size_t item, std::size_t other);
    bool keep(std::size_t item, Bits places);
    bool raise(std::size_t item, Length low);
    bool lower(std::size_t item, Length high);
    bool order_twins();
    bool bound_by_columns();
    bool raise_floors();
    bool lower_ceilings();
    [[nodiscard]] bool is_free_all_over(std::size_t index, const Height* floor,
                                        const Height* ceiling) const;
    bool bound_by_rows();
    bool push_aside();
    bool push_to_cab();
    bool stand_against(std::size_t item, std::size_t other, Length x);
    bool reach(std::size_t near_cab, std::size_t near_door);
    [[nodiscard]] bool can_block(std::size_t one, std::size_t two) const;
    [[nodiscard]] bool can_share_column(std::size_t one, std::size_t two) const;
    [[nodiscard]] bool columns_can_be_filled();
    [[nodiscard]] bool rows_can_be_filled();
    Height* floor_of(std::size_t stop) { return floors_.data() + stop * columns_; }
    Height* ceiling_of(std::size_t stop) { return ceilings_.data() + stop * columns_; }
    Height* carried_by(std::size_t stop) { return carried_.data() + stop * columns_; }
    Verdict drop_all(std::size_t done, Bits left, std::int64_t last_node, const Budget& budget);

    const Problem& problem_;
    Length width_;
    Length length_;
    std::size_t columns_;  // the width, and room for working on several columns at once
    Area area_ = 0;
    std::vector<Item> items_;              // in the order of loading
    std::vector<std::size_t> first_item_;  // of every stop, and the end
    std::vector<std::size_t> twins_;       // items that equal the one before them
    std::vector<std::size_t> by_area_;     // the largest first
    std::vector<Bits> left_;               // [item] -> where it stands in the left half
    std::vector<std::int64_t> failures_;   // [item] -> how often a try failed at once
    std::vector<double> promises_;         // [item] -> that it is good to decide something about it
    std::vector<Frame> frames_;
    std::size_t depth_ = 0;
    std::int64_t nodes_ = 0;
    Verdict settled_ = Verdict::unknown;
    bool is_open_ = false;
    Layout layout_;

    std::vector<State> states_;  // of the node at hand
    Bits changed_ = 0;
    std::vector<Height> floors_;    // [stop][column] -> earlier stops reach at least so far
    std::vector<Height> ceilings_;  // [stop][column] -> stops up to this one end here at the latest
    std::vector<Height> carried_;   // [stop][column] -> length that its items cover in any case
    std::vector<Height> room_;
    std::vector<Length> used_;       // [row] -> width that is covered in any case
    std::vector<Bits> totals_;       // room to work in
    std::vector<Position> dropped_;  // [item]
    std::vector<Height> skyline_;
};

}  // namespace tailgate::packing
