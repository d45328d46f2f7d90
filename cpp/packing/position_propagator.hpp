// What follows from where items can stand, for where the others can: constraint propagation for
// relative_position_search.hpp.
//
// Every item keeps a set of x and a stretch of y. Struck out is only what no pushed plan needs:
//
// - Columns that an item covers wherever it stands carry it, and everything loaded earlier or later
//   above or below it: a floor and a ceiling in every column for every stop (columns_and_rows.cpp).
// - Two items must find places beside each other, or behind one another in the order of loading.
// - Rows that an item covers in any case are as narrow for the others as it is wide.
// - No column can be filled better than by a total of lengths of items that can cover it; nor a row
//   by anything but a total of widths.
// - An item that may be turned is as narrow and as short as one of its shapes until one of them is
//   fixed: so it is never larger than in the plan. It counts as the widest and longest where the
//   question is how far it can be in the way of others.
// - Only pushed plans are looked for (pushed_plans.cpp): items of the left half stand against
//   something on their left, the others against something on their right, and all of them towards
//   the cab.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "bit_range.hpp"
#include "problem.hpp"

namespace tailgate::packing {

class PositionPropagator {
  public:
    using Bits = std::uint64_t;
    using Height = std::int16_t;

    // Its least and largest sides among the shapes that are possible.
    struct Item {
        Length width = 0;
        Height length = 0;
        Height longest = 0;
        std::int32_t stop = 0;
        Length widest = 0;
        std::size_t index = 0;  // in the stop, as the problem has it
    };
    using Shape = std::uint8_t;  // the first, the second one, or both of them: sets
    static constexpr Shape first_shape = 1;
    static constexpr Shape second_shape = 2;
    static constexpr Shape any_shape = 3;
    // What is still possible for an item.
    struct State {
        Bits places = 0;       // every x
        Bits beginnings = 0;   // every y, on floors whose length fits into a word
        Height leftmost = 0;   // of the places
        Height rightmost = 0;  // likewise
        Height low = 0;        // it begins here or nearer to the door
        Height high = 0;       // it ends here or nearer to the cab
        Shape shape = first_shape;
        Bits left_of = 0;  // items that it stands left of, as far as this is decided
        Bits right_of = 0;
        // Items that share a column with it. It is nearer to the cab than these, or farther from
        // it; what is in both sets may be either.
        Bits nearer_than = 0;
        Bits farther_than = 0;
        [[nodiscard]] Bits behind() const { return nearer_than | farther_than; }
        [[nodiscard]] Bits related() const {
            return left_of | right_of | (nearer_than ^ farther_than);
        }
        // Not empty.
        void set_places(Bits bits) {
            places = bits;
            leftmost = static_cast<Height>(std::countr_zero(bits));
            rightmost = static_cast<Height>(word_bits - 1 - std::countl_zero(bits));
        }
    };
    // How an item can stand to another one, a set: beside it, or in a column with it, nearer to the
    // cab or farther from it.
    enum Relation : Bits { left = 1, right = 2, nearer = 4, farther = 8, behind = 12 };

    // Sets of x and of items are bits of a word, heights are short integers.
    [[nodiscard]] static bool can_hold(const Problem& problem);

    // Only if can_hold.
    explicit PositionPropagator(const Problem& problem);

    [[nodiscard]] std::size_t count() const { return items_.size(); }
    [[nodiscard]] const Item& item(std::size_t index) const { return items_[index]; }
    [[nodiscard]] const Shapes& shapes(std::size_t index) const { return shapes_[index].shapes; }
    [[nodiscard]] bool is_free(std::size_t index) const {
        return states_[index].shape == any_shape;
    }
    [[nodiscard]] Rectangle fixed_shape(std::size_t index) const {
        return {items_[index].width, items_[index].length};
    }
    // Items whose shape is not fixed yet.
    [[nodiscard]] Bits free_items() const;
    // The first of a stop; of the one after the last stop, the number of items.
    [[nodiscard]] std::size_t first_item(std::size_t stop) const { return first_item_[stop]; }

    // At first those of the empty floor; who changes them says so to `propagate`.
    [[nodiscard]] const std::vector<State>& states() const { return states_; }
    [[nodiscard]] const State& state(std::size_t item) const { return states_[item]; }
    void set_states(const std::vector<State>& states) {
        states_ = states;
        for (const std::size_t item : may_turn_) take_sides(item);
    }
    // False if it cannot stand anywhere in this shape.
    bool fix_shape(std::size_t item, Shape shape);
    // The one stands so to the other; in a column with it, perhaps either way.
    void relate(std::size_t one, std::size_t two, Bits relation);
    // Draws all consequences of what has changed for these items; false if an item cannot stand
    // anywhere.
    bool propagate(Bits changed);

    // How the one can stand to the other, judging by where they can stand.
    [[nodiscard]] Bits relations(std::size_t one, std::size_t two) const {
        Bits possible = can_share_column(one, two) ? orders(one, two) : 0;
        if ((states_[one].behind() >> two & 1U) != 0) return possible;
        if (can_stand_left(one, two)) possible |= left;
        if (can_stand_left(two, one)) possible |= right;
        return possible;
    }

  private:
    // What an item can do in each of its shapes, on the empty floor.
    struct ShapeStates {
        Shapes shapes;
        std::array<Bits, 2> places{};
        std::array<Bits, 2> left{};  // where it stands in the left half
        std::array<Height, 2> high{};
    };

    void open(bool has_order);
    void stand_in_first_half(std::size_t item, bool has_order);
    void take_sides(std::size_t item);
    // These change states_, and note in changed_ whose; false if an item cannot stand anywhere.
    bool compare_changed();
    bool compare(std::size_t one, Bits others);
    bool compare_unrelated(std::size_t one, std::size_t two);
    bool stand_left(std::size_t left, std::size_t right);
    bool stand_behind(std::size_t one, std::size_t two);
    [[nodiscard]] Bits orders(std::size_t one, std::size_t two) const {
        const State& first = states_[one];
        const State& second = states_[two];
        const Item& a = items_[one];
        const Item& b = items_[two];
        const Length both = a.length + b.length;
        Bits possible = 0;
        if (a.stop <= b.stop && first.low + both <= second.high) possible |= nearer;
        if (b.stop <= a.stop && second.low + both <= first.high) possible |= farther;
        return possible;
    }
    [[nodiscard]] bool can_stand_left(std::size_t one, std::size_t two) const {
        return states_[one].leftmost + items_[one].width <= states_[two].rightmost;
    }
    [[nodiscard]] bool can_stand_behind(std::size_t one, std::size_t two) const {
        return can_share_column(one, two) && orders(one, two) != 0;
    }
    bool make_way(std::size_t item, std::size_t other);
    bool keep(std::size_t item, Bits places) {
        State& state = states_[item];
        if ((state.places & ~places) == 0) return true;
        if ((state.places & places) == 0) return false;
        state.set_places(state.places & places);
        changed_ |= bit(item);
        return true;
    }
    bool raise(std::size_t item, Length low) {
        State& state = states_[item];
        if (low <= state.low) return true;
        if (low + items_[item].length > state.high) return false;
        state.low = static_cast<Height>(low);
        changed_ |= bit(item);
        return true;
    }
    bool lower(std::size_t item, Length high) {
        State& state = states_[item];
        if (high >= state.high) return true;
        if (state.low + items_[item].length > high) return false;
        state.high = static_cast<Height>(high);
        changed_ |= bit(item);
        return true;
    }
    bool order_twins();
    bool bound_by_columns();
    bool raise_floors();
    bool lower_ceilings();
    bool narrow_shapes(std::size_t index, const Height* floor, const Height* ceiling);
    void cover_ceiling(std::size_t index, Height* ceiling) const;
    [[nodiscard]] bool is_free_all_over(std::size_t index, const Height* floor,
                                        const Height* ceiling) const;
    bool bound_by_rows();
    bool push_aside();
    bool push_to_cab();
    [[nodiscard]] Bits ends_of(std::size_t item) const;
    bool stand_against(std::size_t item, std::size_t other, Bits places);
    bool reach(std::size_t near_cab, std::size_t near_door);
    [[nodiscard]] bool can_block(std::size_t one, std::size_t two) const;
    [[nodiscard]] bool can_share_column(std::size_t one, std::size_t two) const {
        return states_[one].leftmost < states_[two].rightmost + items_[two].widest &&
               states_[two].leftmost < states_[one].rightmost + items_[one].widest;
    }
    [[nodiscard]] bool columns_can_be_filled();
    [[nodiscard]] bool rows_can_be_filled();
    Height* floor_of(std::size_t stop) { return floors_.data() + stop * columns_; }
    Height* ceiling_of(std::size_t stop) { return ceilings_.data() + stop * columns_; }
    Height* carried_by(std::size_t stop) { return carried_.data() + stop * columns_; }

    Length width_;
    Length length_;
    std::size_t columns_;  // the width, and room for working on several columns at once
    Area area_ = 0;
    std::vector<Item> items_;              // in the order of loading
    std::vector<std::size_t> first_item_;  // of every stop, and the end
    std::vector<std::size_t> twins_;       // items that equal the one before them
    std::vector<Bits> left_;               // [item] -> where it stands in the left half, if fixed
    std::vector<ShapeStates> shapes_;      // [item]
    std::vector<std::size_t> may_turn_;    // items with two shapes

    std::vector<State> states_;
    Bits changed_ = 0;
    std::vector<Height> floors_;    // [stop][column] -> earlier stops reach at least so far
    std::vector<Height> ceilings_;  // [stop][column] -> stops up to this one end here at the latest
    std::vector<Height> carried_;   // [stop][column] -> length that its items cover in any case
    std::vector<Height> room_;
    std::vector<Length> used_;  // [row] -> width that is covered in any case
    std::vector<Bits> totals_;  // room to work in
};

}  // namespace tailgate::packing
