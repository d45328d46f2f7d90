// What the columns and rows of the floor say in position_propagator.hpp.
#include <algorithm>
#include <bit>
#include <optional>

#include "bit_range.hpp"
#include "position_propagator.hpp"

namespace tailgate::packing {

namespace {

// The totals that each line of the floor (a column, or a row) can have of the items' sizes.
class LineTotals {
  public:
    LineTotals(std::vector<std::uint64_t>& totals, Length lines) : totals_(totals) {
        totals_.assign(to_index(lines), 1);
    }

    // The same for an item of which either size is possible.
    void add_one_of(Length from, Length sure, Length sure_end, Length to, Length one,
                    Length other) {
        for (Length line = from; line < to; ++line) {
            const std::uint64_t before = at(line);
            const bool is_sure = line >= sure && line < sure_end;
            at(line) = (is_sure ? 0 : before) | before << one | before << other;
        }
    }
    // An item can cover the lines `from` to `to`, and covers `sure` to `sure_end` in any case.
    void add(Length from, Length sure, Length sure_end, Length to, Length size) {
        if (sure >= sure_end) {
            may_cover(from, to, size);
            return;
        }
        may_cover(from, sure, size);
        for (Length line = sure; line < sure_end; ++line) at(line) <<= size;
        may_cover(sure_end, to, size);
    }
    // What can be covered at most of lines that are so long; nothing if a line cannot bear what it
    // must.
    [[nodiscard]] std::optional<Area> most(Length line_length) const {
        const std::uint64_t fitting = range(0, line_length + 1);
        Area covered = 0;
        for (const std::uint64_t totals : totals_) {
            if ((totals & fitting) == 0) return std::nullopt;
            covered += word_bits - 1 - std::countl_zero(totals & fitting);
        }
        return covered;
    }

  private:
    std::uint64_t& at(Length line) { return totals_[to_index(line)]; }
    void may_cover(Length from, Length to, Length size) {
        for (Length line = from; line < to; ++line) at(line) |= at(line) << size;
    }

    std::vector<std::uint64_t>& totals_;
};

}  // namespace

bool PositionPropagator::bound_by_columns() {
    std::fill(carried_.begin(), carried_.end(), Height{0});
    for (std::size_t i = 0; i < count(); ++i) {
        const Item& item = items_[i];
        Height* carried = carried_by(to_index(item.stop));
        const Length end = states_[i].leftmost + item.width;
        for (Length x = states_[i].rightmost; x < end; ++x)
            carried[x] = static_cast<Height>(carried[x] + item.length);
    }
    return raise_floors() && lower_ceilings();
}

bool PositionPropagator::raise_floors() {
    for (std::size_t stop = 0; stop + 1 < first_item_.size(); ++stop) {
        const Height* floor = floor_of(stop);
        const Height* carried = carried_by(stop);
        Height* above = floor_of(stop + 1);
        for (std::size_t x = 0; x < columns_; ++x)
            above[x] = static_cast<Height>(floor[x] + carried[x]);
        if (*std::max_element(above, above + columns_) > length_) return false;
        for (std::size_t i = first_item_[stop]; i < first_item_[stop + 1]; ++i) {
            const Length width = items_[i].width;
            Height lowest = static_cast<Height>(length_);
            for (Bits rest = states_[i].places; rest != 0; rest &= rest - 1) {
                const Length x = std::countr_zero(rest);
                const Height here = *std::max_element(floor + x, floor + x + width);
                lowest = std::min(lowest, here);
                if (lowest <= states_[i].low) break;
            }
            if (!raise(i, lowest)) return false;
            const auto top = static_cast<Height>(states_[i].low + items_[i].length);
            const Length end = states_[i].leftmost + width;
            for (Length x = states_[i].rightmost; x < end; ++x) above[x] = std::max(above[x], top);
        }
    }
    return true;
}

// Is nothing in its way in any of its places?
bool PositionPropagator::is_free_all_over(std::size_t index, const Height* floor,
                                          const Height* ceiling) const {
    const State& state = states_[index];
    Height highest_floor = 0;
    Height lowest_ceiling = state.high;
    Height least_room = items_[index].length;
    for (Length x = state.leftmost; x < state.rightmost + items_[index].width; ++x) {
        highest_floor = std::max(highest_floor, floor[x]);
        lowest_ceiling = std::min(lowest_ceiling, ceiling[x]);
        least_room = std::min(least_room, room_[to_index(x)]);
    }
    return lowest_ceiling == state.high && least_room == items_[index].length &&
           highest_floor + items_[index].length <= state.high;
}

bool PositionPropagator::lower_ceilings() {
    for (std::size_t stop = first_item_.size() - 1; stop-- > 0;) {
        const Height* floor = floor_of(stop);
        const Height* above = ceiling_of(stop + 1);
        const Height* carried = carried_by(stop);
        Height* ceiling = ceiling_of(stop);
        for (std::size_t x = 0; x < columns_; ++x) {
            ceiling[x] = static_cast<Height>(above[x] - carried[x]);
            room_[x] = static_cast<Height>(ceiling[x] - floor[x]);
        }
        if (std::any_of(room_.begin(), room_.begin() + width_, [](Height h) { return h < 0; }))
            return false;
        for (std::size_t i = first_item_[stop]; i < first_item_[stop + 1]; ++i) {
            const Item& item = items_[i];
            const State& state = states_[i];
            // Columns that it covers anyway have room for it.
            const Length own = state.rightmost;
            const Length own_end = state.leftmost + item.width;
            const Height least_length = item.length;
            for (Length x = own; x < own_end; ++x) room_[to_index(x)] += least_length;
            if (is_free(i)) {
                const bool fits = narrow_shapes(i, floor, above);
                for (Length x = own; x < own_end; ++x) room_[to_index(x)] -= least_length;
                if (!fits) return false;
                cover_ceiling(i, ceiling);
                continue;
            }
            const bool stays = is_free_all_over(i, floor, above);
            Bits possible = stays ? state.places : 0;
            Height highest = stays ? state.high : Height{0};
            for (Bits rest = stays ? 0 : state.places; rest != 0; rest &= rest - 1) {
                const Length x = std::countr_zero(rest);
                Height from = state.low;
                Height to = state.high;
                Height room = item.length;
                for (Length column = x; column < x + item.width; ++column) {
                    from = std::max(from, floor[column]);
                    to = std::min(to, above[column]);
                    room = std::min(room, room_[to_index(column)]);
                }
                if (from + item.length > to || room < item.length) continue;
                possible |= rest & -rest;
                highest = std::max(highest, to);
            }
            for (Length x = own; x < own_end; ++x) room_[to_index(x)] -= item.length;
            if (!keep(i, possible) || !lower(i, highest)) return false;
            cover_ceiling(i, ceiling);
        }
    }
    return true;
}

// The same for an item whose shape is not fixed, in each of its shapes; where only one is left, it
// is fixed.
bool PositionPropagator::narrow_shapes(std::size_t index, const Height* floor,
                                       const Height* ceiling) {
    const State& state = states_[index];
    const ShapeStates& own = shapes_[index];
    Bits possible = 0;
    Height highest = 0;
    Shape shapes = 0;
    for (const Shape shape : {first_shape, second_shape}) {
        const Rectangle& size = shape == first_shape ? own.shapes.one : own.shapes.other;
        const std::size_t at = shape == first_shape ? 0 : 1;
        const Height end = std::min(state.high, own.high[at]);
        for (Bits rest = state.places & own.places[at]; rest != 0; rest &= rest - 1) {
            const Length x = std::countr_zero(rest);
            Height from = state.low;
            Height to = end;
            Height room = static_cast<Height>(size.length);
            for (Length column = x; column < x + size.width; ++column) {
                from = std::max(from, floor[column]);
                to = std::min(to, ceiling[column]);
                room = std::min(room, room_[to_index(column)]);
            }
            if (from + size.length > to || room < size.length) continue;
            possible |= rest & -rest;
            highest = std::max(highest, to);
            shapes |= shape;
        }
    }
    if (shapes == 0) return false;
    if (shapes != any_shape) {
        if (!fix_shape(index, shapes)) return false;
        changed_ |= bit(index);
    }
    return keep(index, possible) && lower(index, highest);
}

void PositionPropagator::cover_ceiling(std::size_t index, Height* ceiling) const {
    const State& state = states_[index];
    const auto bottom = static_cast<Height>(state.high - items_[index].length);
    const Length end = state.leftmost + items_[index].width;
    for (Length x = state.rightmost; x < end; ++x) ceiling[x] = std::min(ceiling[x], bottom);
}

bool PositionPropagator::bound_by_rows() {
    Length first = length_;
    Length last = 0;
    for (std::size_t i = 0; i < count(); ++i) {
        const Length from = states_[i].high - items_[i].length;
        const Length to = states_[i].low + items_[i].length;
        if (from >= to) continue;
        first = std::min(first, from);
        last = std::max(last, to);
    }
    if (first >= last) return true;
    std::fill(used_.begin(), used_.end(), 0);
    for (std::size_t i = 0; i < count(); ++i) {
        const Length to = states_[i].low + items_[i].length;
        for (Length y = states_[i].high - items_[i].length; y < to; ++y)
            used_[to_index(y)] += items_[i].width;
    }
    const Length most = *std::max_element(used_.begin() + first, used_.begin() + last);
    if (most > width_) return false;
    for (std::size_t i = 0; i < count(); ++i) {
        if (most + items_[i].width <= width_) continue;
        const Length length = items_[i].length;
        const Length own = states_[i].high - length;
        const Length own_end = states_[i].low + length;
        const auto is_full = [&](Length y) {
            return (y < own || y >= own_end) && used_[to_index(y)] + items_[i].width > width_;
        };
        Length low = states_[i].low;
        for (Length y = low; y < low + length && y < length_; ++y) {
            if (is_full(y)) low = y + 1;
        }
        Length high = states_[i].high;
        for (Length y = high; y > high - length && y > 0; --y) {
            if (is_full(y - 1)) high = y - 1;
        }
        if (!raise(i, low) || !lower(i, high)) return false;
    }
    return true;
}

bool PositionPropagator::columns_can_be_filled() {
    if (length_ >= word_bits) return true;
    LineTotals columns(totals_, width_);
    for (std::size_t i = 0; i < count(); ++i) {
        const State& state = states_[i];
        const Item& item = items_[i];
        const Length sure_end = state.leftmost + item.width;
        const Length end = std::min(width_, state.rightmost + item.widest);
        if (is_free(i))
            columns.add_one_of(state.leftmost, state.rightmost, sure_end, end, item.length,
                               item.longest);
        else
            columns.add(state.leftmost, state.rightmost, sure_end, end, item.length);
    }
    return columns.most(length_).value_or(-1) >= area_;
}

bool PositionPropagator::rows_can_be_filled() {
    if (width_ >= word_bits) return true;
    LineTotals rows(totals_, length_);
    for (std::size_t i = 0; i < count(); ++i) {
        const State& state = states_[i];
        const Item& item = items_[i];
        const Length sure = state.high - item.length;
        const Length sure_end = state.low + item.length;
        if (is_free(i))
            rows.add_one_of(state.low, sure, sure_end, state.high, item.width, item.widest);
        else
            rows.add(state.low, sure, sure_end, state.high, item.width);
    }
    return rows.most(width_).value_or(-1) >= area_;
}

}  // namespace tailgate::packing
