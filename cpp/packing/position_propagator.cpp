#include "position_propagator.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace tailgate::packing {

constexpr Length max_length = 1 << 12;  // a stop and a floor more on one column: still short
constexpr std::size_t block = 8;        // columns worked on at once

bool PositionPropagator::can_hold(const Problem& problem) {
    return problem.count_items() <= word_bits && problem.width <= word_bits &&
           problem.length <= max_length && !problem.has_oversized_item();
}

PositionPropagator::PositionPropagator(const Problem& problem)
    : width_(problem.width),
      length_(problem.length),
      columns_((to_index(problem.width) + block - 1) / block * block) {
    struct Kind {
        Shapes shapes;
        std::size_t index = 0;
    };
    for (std::size_t stop = 0; stop < problem.stops.size(); ++stop) {
        first_item_.push_back(items_.size());
        std::vector<Kind> kinds;
        for (std::size_t i = 0; i < problem.stops[stop].size(); ++i)
            kinds.push_back({problem.shapes(stop, i), i});
        const auto sides = [](const Kind& kind) {
            const auto& [one, other] = kind.shapes;
            return std::tuple(one.width, one.length, other.width, other.length);
        };
        std::ranges::sort(kinds, {}, sides);
        for (const auto& [shapes, index] : kinds) {
            if (shapes.is_free()) may_turn_.push_back(items_.size());
            Item item;
            item.stop = static_cast<std::int32_t>(stop);
            item.index = index;
            items_.push_back(item);
            shapes_.push_back({shapes, {}, {}, {}});
            area_ += shapes.least_area();
        }
    }
    first_item_.push_back(items_.size());
    const std::size_t stops = problem.stops.size();
    floors_.assign((stops + 1) * columns_, 0);
    ceilings_.assign((stops + 1) * columns_, static_cast<Height>(length_));
    carried_.assign((stops + 1) * columns_, 0);
    room_.resize(columns_);
    used_.resize(to_index(length_));
    open(problem.has_order());
}

// Gives the states of the empty floor.
void PositionPropagator::open(bool has_order) {
    states_.resize(count());
    left_.resize(count());
    for (std::size_t i = 0; i < count(); ++i) {
        // Pushed aside, an item stands against the wall or against another one that does.
        Bits sums = 1;
        for (std::size_t j = 0; j < count(); ++j) {
            if (j == i) continue;
            const auto& [one, other] = shapes_[j].shapes;
            const Bits before = sums;
            if (one.width < word_bits) sums |= before << one.width;
            if (other.width < word_bits) sums |= before << other.width;
        }
        ShapeStates& own = shapes_[i];
        for (const std::size_t shape : {0U, 1U}) {
            const Rectangle size = shape == 0 ? own.shapes.one : own.shapes.other;
            if (size.width == 0) continue;
            const Length last = width_ - size.width;
            own.left[shape] = range(0, last / 2 + 1);
            for (Bits rest = sums & own.left[shape]; rest != 0; rest &= rest - 1) {
                const Length x = std::countr_zero(rest);
                own.places[shape] |= bit(to_index(x)) | bit(to_index(last - x));
            }
            own.high[shape] = static_cast<Height>(length_);
        }
    }
    const auto equals_next = [this](std::size_t i) {
        return i + 1 < count() && items_[i].stop == items_[i + 1].stop &&
               shapes_[i].shapes == shapes_[i + 1].shapes;
    };
    // A plan or its mirror image has the largest item in the left half, also when pushed aside;
    // and, where the order of loading is free, in the half at the cab. With a twin it may have
    // changed places.
    std::optional<std::size_t> largest;
    for (std::size_t i = 0; i < count(); ++i) {
        const bool is_second = i > 0 && equals_next(i - 1);
        if (is_second) twins_.push_back(i);
        if (is_second || equals_next(i)) continue;
        if (!largest || shapes_[i].shapes.least_area() > shapes_[*largest].shapes.least_area())
            largest = i;
    }
    if (largest) stand_in_first_half(*largest, has_order);
    for (std::size_t i = 0; i < count(); ++i) {
        const ShapeStates& own = shapes_[i];
        State& state = states_[i];
        state.shape = own.shapes.is_free() ? any_shape : first_shape;
        state.set_places(own.places[0] | own.places[1]);
        state.high = std::max(own.high[0], own.high[1]);
        take_sides(i);
        if (length_ < word_bits) state.beginnings = range(0, length_ - items_[i].length + 1);
    }
}

void PositionPropagator::stand_in_first_half(std::size_t item, bool has_order) {
    ShapeStates& own = shapes_[item];
    for (const std::size_t shape : {0U, 1U}) own.places[shape] &= own.left[shape];
    if (has_order) return;
    own.high[0] = static_cast<Height>((length_ + own.shapes.one.length) / 2);
    if (own.shapes.is_free())
        own.high[1] = static_cast<Height>((length_ + own.shapes.other.length) / 2);
}

// Its sides are those of the shapes that its state leaves it.
void PositionPropagator::take_sides(std::size_t item) {
    const auto& [shapes, places, left, high] = shapes_[item];
    Item& own = items_[item];
    const Shape possible = states_[item].shape;
    const Rectangle& one = possible == second_shape ? shapes.other : shapes.one;
    const Rectangle& other = possible == first_shape ? shapes.one : shapes.other;
    own.width = std::min(one.width, other.width);
    own.widest = std::max(one.width, other.width);
    own.length = static_cast<Height>(std::min(one.length, other.length));
    own.longest = static_cast<Height>(std::max(one.length, other.length));
    left_[item] = left[possible == second_shape ? 1 : 0];
}

bool PositionPropagator::fix_shape(std::size_t item, Shape shape) {
    const std::size_t index = shape == second_shape ? 1 : 0;
    const ShapeStates& own = shapes_[item];
    State& state = states_[item];
    state.shape = shape;
    take_sides(item);
    return keep(item, own.places[index]) && lower(item, own.high[index]) &&
           state.low + items_[item].length <= state.high;
}

PositionPropagator::Bits PositionPropagator::free_items() const {
    Bits free = 0;
    for (const std::size_t item : may_turn_) {
        if (is_free(item)) free |= bit(item);
    }
    return free;
}

bool PositionPropagator::propagate(Bits changed) {
    changed_ = changed;
    while (true) {
        while (changed_ != 0) {
            if (!order_twins() || !compare_changed() || !bound_by_columns()) return false;
        }
        if (!bound_by_rows()) return false;
        if (changed_ == 0 && (!push_aside() || !push_to_cab())) return false;
        if (changed_ == 0) return columns_can_be_filled() && rows_can_be_filled();
    }
}

// Equal items of one stop stand from left to right.
bool PositionPropagator::order_twins() {
    for (const std::size_t right : twins_) {
        if (!keep(right, ~range(0, states_[right - 1].leftmost))) return false;
        if (!keep(right - 1, range(0, states_[right].rightmost + 1))) return false;
    }
    return true;
}

bool PositionPropagator::compare_changed() {
    while (changed_ != 0) {
        Bits others = range(0, static_cast<Length>(count()));
        for (Bits rest = std::exchange(changed_, 0); rest != 0; rest &= rest - 1) {
            const auto one = to_index(std::countr_zero(rest));
            others &= ~bit(one);  // all have been compared with it
            if (!compare(one, others)) return false;
        }
    }
    return true;
}

bool PositionPropagator::compare(std::size_t one, Bits others) {
    const Bits on_right = states_[one].left_of;
    const Bits on_left = states_[one].right_of;
    const Bits behind = states_[one].behind();
    const auto all_of = [](Bits set, auto holds) {
        for (; set != 0; set &= set - 1) {
            if (!holds(to_index(std::countr_zero(set)))) return false;
        }
        return true;
    };
    return all_of(others & on_right, [&](std::size_t two) { return stand_left(one, two); }) &&
           all_of(others & on_left, [&](std::size_t two) { return stand_left(two, one); }) &&
           all_of(others & behind, [&](std::size_t two) { return stand_behind(one, two); }) &&
           all_of(others & ~(on_right | on_left | behind),
                  [&](std::size_t two) { return compare_unrelated(one, two); });
}

// Nothing has been said of the two so far.
bool PositionPropagator::compare_unrelated(std::size_t one, std::size_t two) {
    // Mostly either may be on the left, or nearer to the cab: nothing follows.
    if (can_stand_left(one, two) && can_stand_left(two, one))
        return can_stand_behind(one, two) || (make_way(one, two) && make_way(two, one));
    const Bits possible = relations(one, two);
    switch (possible) {
        case left:
            relate(one, two, left);
            return stand_left(one, two);
        case right:
            relate(one, two, right);
            return stand_left(two, one);
        case nearer:
        case farther:
        case behind:
            relate(one, two, possible);
            return stand_behind(one, two);
        default:
            return possible != 0;
    }
}

void PositionPropagator::relate(std::size_t one, std::size_t two, Bits relation) {
    State& first = states_[one];
    State& second = states_[two];
    const auto set = [&](Bits& of_first, Bits& of_second, bool holds) {
        of_first = holds ? of_first | bit(two) : of_first & ~bit(two);
        of_second = holds ? of_second | bit(one) : of_second & ~bit(one);
    };
    set(first.left_of, second.right_of, (relation & left) != 0);
    set(first.right_of, second.left_of, (relation & right) != 0);
    set(first.nearer_than, second.farther_than, (relation & nearer) != 0);
    set(first.farther_than, second.nearer_than, (relation & farther) != 0);
}

bool PositionPropagator::stand_left(std::size_t left, std::size_t right) {
    return keep(left, range(0, states_[right].rightmost - items_[left].width + 1)) &&
           keep(right, ~range(0, states_[left].leftmost + items_[left].width));
}

// They share a column, so that one of them is nearer to the cab.
bool PositionPropagator::stand_behind(std::size_t one, std::size_t two) {
    const State& first = states_[one];
    const State& second = states_[two];
    const Item& a = items_[one];
    const Item& b = items_[two];
    if (!keep(one,
              range(std::max(0, second.leftmost - a.widest + 1), second.rightmost + b.widest)) ||
        !keep(two, range(std::max(0, first.leftmost - b.widest + 1), first.rightmost + a.widest)))
        return false;
    const Bits still = ((first.nearer_than >> two & 1U) != 0 ? Bits{nearer} : 0) |
                       ((first.farther_than >> two & 1U) != 0 ? Bits{farther} : 0);
    const Bits order = still & orders(one, two);
    if (order == 0 || order == behind) return order != 0;
    if (order != still) relate(one, two, order);
    const std::size_t near_cab = order == nearer ? one : two;
    const std::size_t near_door = order == nearer ? two : one;
    return raise(near_door, states_[near_cab].low + items_[near_cab].length) &&
           lower(near_cab, states_[near_door].high - items_[near_door].length);
}

// Strikes out the places of the item where it shares a column with every place of the other.
bool PositionPropagator::make_way(std::size_t item, std::size_t other) {
    const State& fixed = states_[other];
    return keep(item, ~range(std::max(0, fixed.rightmost - items_[item].width + 1),
                             fixed.leftmost + items_[other].width));
}

}  // namespace tailgate::packing
