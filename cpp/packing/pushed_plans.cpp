// What follows in position_propagator.hpp from looking for pushed plans only.
//
// As long as an item of the left half can be moved to the left, one of the right half to the right,
// or any one towards the cab, the plan is changed so. This ends, and no item has left its half: so
// if there is a plan, there is one in which everything is stopped by a wall or by another item.
// Equal items of a stop may still change names.
#include <bit>
#include <optional>

#include "bit_range.hpp"
#include "position_propagator.hpp"

namespace tailgate::packing {

// Can one of them be in the way of the other that is pushed into its columns? Not if the one loaded
// first is nearer to the cab in any case.
bool PositionPropagator::can_block(std::size_t one, std::size_t two) const {
    const std::int32_t first = items_[one].stop;
    const std::int32_t second = items_[two].stop;
    return (first > second || states_[one].high > states_[two].low) &&
           (second > first || states_[two].high > states_[one].low);
}

// Strikes out places where nothing can stop an item; and the one that alone can stop it, does.
bool PositionPropagator::push_aside() {
    for (std::size_t i = 0; i < count(); ++i) {
        if (is_free(i)) continue;  // its half depends on its shape
        const Bits places = states_[i].places;
        const Length width = items_[i].width;
        Bits stopped = 1 | bit(to_index(width_ - width));
        if ((places & ~stopped) == 0) continue;
        const bool has_its_place = (places & (places - 1)) == 0;
        const Bits not_left = states_[i].right_of | states_[i].behind();
        const Bits not_right = states_[i].left_of | states_[i].behind();
        std::optional<std::size_t> only;
        for (std::size_t j = 0; j < count(); ++j) {
            // What is as wide as the floor has nothing beside it.
            if (j == i || items_[j].width == width_ || !can_block(i, j)) continue;
            Bits by_this = 0;
            if (((not_right >> j) & 1U) == 0) by_this |= ends_of(j) & left_[i];
            if (((not_left >> j) & 1U) == 0) by_this |= (states_[j].places >> width) & ~left_[i];
            if ((places & by_this) == 0) continue;
            const bool is_first = (places & stopped) == 0;
            stopped |= by_this;
            only = is_first ? std::optional(j) : std::nullopt;
            if ((places & ~stopped) == 0 && !(has_its_place && is_first)) break;
        }
        if (!keep(i, stopped)) return false;
        if (!has_its_place || !only) continue;
        const Length x = states_[i].leftmost;
        const Item& stop = items_[*only];
        Bits against = 0;
        if ((places & left_[i]) == 0) {
            against = bit(to_index(x + width));
        } else {
            if (x >= stop.width) against |= bit(to_index(x - stop.width));
            if (x >= stop.widest) against |= bit(to_index(x - stop.widest));
        }
        if (!stand_against(i, *only, against)) return false;
    }
    return true;
}

// Where the item can end.
PositionPropagator::Bits PositionPropagator::ends_of(std::size_t item) const {
    const Item& own = items_[item];
    const Bits places = states_[item].places;
    const Bits ends = places << own.width;
    return own.widest == own.width || own.widest == width_ ? ends : ends | places << own.widest;
}

// The other one stands at one of these places, and in the way of the item.
bool PositionPropagator::stand_against(std::size_t item, std::size_t other, Bits places) {
    if (!keep(other, places)) return false;
    return (items_[other].stop > items_[item].stop || reach(other, item)) &&
           (items_[item].stop > items_[other].stop || reach(item, other));
}

// The one does not end before the other begins.
bool PositionPropagator::reach(std::size_t near_cab, std::size_t near_door) {
    return lower(near_door, states_[near_cab].high - 1 + items_[near_door].longest) &&
           raise(near_cab, states_[near_door].low + 1 - items_[near_cab].longest);
}

// An item begins at the cab, or where another one ends that it can share a column with.
bool PositionPropagator::push_to_cab() {
    if (length_ >= word_bits) return true;
    for (std::size_t i = 0; i < count(); ++i) {
        State& state = states_[i];
        state.beginnings &= range(state.low, state.high - items_[i].length + 1);
    }
    for (std::size_t i = 0; i < count(); ++i) {
        State& state = states_[i];
        Bits stopped = 1;
        const Bits not_before =
            state.left_of | state.right_of | (state.nearer_than & ~state.farther_than);
        for (std::size_t j = 0; j < count() && (state.beginnings & ~stopped) != 0; ++j) {
            if (j != i && items_[j].stop <= items_[i].stop && ((not_before >> j) & 1U) == 0 &&
                can_share_column(i, j))
                stopped |= states_[j].beginnings << items_[j].length | states_[j].beginnings
                                                                           << items_[j].longest;
        }
        state.beginnings &= stopped;
        if (state.beginnings == 0) return false;
        const Length last = word_bits - 1 - std::countl_zero(state.beginnings);
        if (!raise(i, std::countr_zero(state.beginnings)) || !lower(i, last + items_[i].longest))
            return false;
    }
    return true;
}

}  // namespace tailgate::packing
