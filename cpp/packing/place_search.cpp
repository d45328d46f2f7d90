#include "place_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "bit_range.hpp"

namespace tailgate::packing {

namespace {

constexpr std::size_t max_stop_items = 6;
constexpr Length max_length = 1 << 12;  // a stop and a floor more on one column: still short
constexpr std::size_t block = 8;        // columns worked on at once

// Of two items whose relation may be decided, the smaller counts, and the larger so much.
constexpr double share_of_larger = 0.1;

// The totals that each line of the floor (a column, or a row) can have of the items' sizes.
class LineTotals {
  public:
    LineTotals(std::vector<std::uint64_t>& totals, Length lines) : totals_(totals) {
        totals_.assign(static_cast<std::size_t>(lines), 1);
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
    std::uint64_t& at(Length line) { return totals_[static_cast<std::size_t>(line)]; }
    void may_cover(Length from, Length to, Length size) {
        for (Length line = from; line < to; ++line) at(line) |= at(line) << size;
    }

    std::vector<std::uint64_t>& totals_;
};

}  // namespace

// Not empty.
void PlaceSearch::State::set_places(Bits bits) {
    places = bits;
    leftmost = static_cast<Height>(std::countr_zero(bits));
    rightmost = static_cast<Height>(word_bits - 1 - std::countl_zero(bits));
}

bool PlaceSearch::can_search(const Problem& problem) {
    std::size_t items = 0;
    for (const auto& stop : problem.stops) {
        if (stop.size() > max_stop_items) return false;
        items += stop.size();
        for (const Rectangle& item : stop) {
            if (item.width > problem.width || item.length > problem.length) return false;
        }
    }
    return items <= word_bits && problem.width <= word_bits && problem.length <= max_length;
}

PlaceSearch::PlaceSearch(const Problem& problem)
    : problem_(problem),
      width_(problem.width),
      length_(problem.length),
      columns_((static_cast<std::size_t>(problem.width) + block - 1) / block * block) {
    for (std::size_t stop = 0; stop < problem.stops.size(); ++stop) {
        first_item_.push_back(items_.size());
        for (std::size_t i = 0; i < problem.stops[stop].size(); ++i) {
            const Rectangle size = problem.stops[stop][i];
            items_.push_back(
                {size.width, static_cast<Height>(size.length), static_cast<std::int32_t>(stop), i});
            area_ += size.area();
        }
        std::sort(items_.begin() + static_cast<std::ptrdiff_t>(first_item_.back()), items_.end(),
                  [](const Item& a, const Item& b) {
                      return a.width != b.width ? a.width < b.width : a.length < b.length;
                  });
    }
    first_item_.push_back(items_.size());
    for (std::size_t i = 1; i < count(); ++i) {
        const Item& item = items_[i];
        const Item& last = items_[i - 1];
        if (item.stop == last.stop && item.width == last.width && item.length == last.length)
            twins_.push_back(i);
    }
    by_area_.resize(count());
    std::iota(by_area_.begin(), by_area_.end(), std::size_t{0});
    std::stable_sort(by_area_.begin(), by_area_.end(), [this](std::size_t a, std::size_t b) {
        return items_[a].width * items_[a].length > items_[b].width * items_[b].length;
    });
}

// Puts the empty floor at the bottom of the stack.
void PlaceSearch::open() {
    const std::size_t stops = problem_.stops.size();
    floors_.assign((stops + 1) * columns_, 0);
    ceilings_.assign((stops + 1) * columns_, static_cast<Height>(length_));
    carried_.assign((stops + 1) * columns_, 0);
    room_.resize(columns_);
    used_.resize(static_cast<std::size_t>(length_));
    dropped_.resize(count());
    states_.resize(count());
    failures_.assign(count(), 0);
    promises_.resize(count());
    left_.resize(count());
    for (std::size_t i = 0; i < count(); ++i) {
        const Length last = width_ - items_[i].width;
        left_[i] = range(0, last / 2 + 1);
        // Pushed aside, an item stands against the wall or against another one that does.
        Bits sums = 1;
        for (std::size_t j = 0; j < count(); ++j) {
            if (j != i && items_[j].width < word_bits) sums |= sums << items_[j].width;
        }
        Bits places = 0;
        for (Bits rest = sums & left_[i]; rest != 0; rest &= rest - 1) {
            const Length x = std::countr_zero(rest);
            places |= bit(static_cast<std::size_t>(x)) | bit(static_cast<std::size_t>(last - x));
        }
        states_[i].set_places(places);
        states_[i].high = static_cast<Height>(length_);
        promises_[i] = items_[i].width * items_[i].length;
        if (length_ < word_bits) states_[i].beginnings = range(0, length_ - items_[i].length + 1);
    }
    // A plan or its mirror image has this item in the left half, also when pushed aside. With a
    // twin it may have changed places.
    for (const std::size_t i : by_area_) {
        const auto is_twin = [&](std::size_t twin) { return twin == i || twin == i + 1; };
        if (std::any_of(twins_.begin(), twins_.end(), is_twin)) continue;
        states_[i].set_places(states_[i].places & left_[i]);
        break;
    }
}

Verdict PlaceSearch::run(const Budget& budget) {
    if (settled_ != Verdict::unknown) return settled_;
    return settled_ = search(nodes_ + budget.max_nodes, budget);
}

// Says what to try next; false if everything is settled.
bool PlaceSearch::choose(Frame& frame) const {
    frame.states = states_;
    frame.tried_now = 0;
    return choose_pair(frame) || choose_item(frame);
}

// Large items are promising, and those that have failed often. The fourth root: failures tell less
// than the size, but they tell something.
void PlaceSearch::count_failure(std::size_t item) {
    ++failures_[item];
    promises_[item] = items_[item].width * items_[item].length *
                      std::sqrt(std::sqrt(1.0 + static_cast<double>(failures_[item])));
}

// Items come in one by one, the promising ones first.
bool PlaceSearch::choose_pair(Frame& frame) const {
    double best = 0;
    for (std::size_t one = 0; one < count(); ++one) {
        const State& state = states_[one];
        const Bits open =
            range(0, static_cast<Length>(one)) & ~(state.left_of | state.right_of | state.behind);
        for (Bits rest = open; rest != 0; rest &= rest - 1) {
            const auto two = static_cast<std::size_t>(std::countr_zero(rest));
            const auto [less, more] = std::minmax(promises_[one], promises_[two]);
            if (less + share_of_larger * more <= best) continue;
            const Bits possible = relations(one, two);
            if ((possible & (possible - 1)) == 0) continue;
            best = less + share_of_larger * more;
            frame.item = one;
            frame.other = two;
            frame.untried = frame.all = possible;
        }
    }
    return best > 0;
}

bool PlaceSearch::choose_item(Frame& frame) const {
    double best = 0;
    for (std::size_t i = 0; i < count(); ++i) {
        const Bits places = states_[i].places;
        if ((places & (places - 1)) == 0 || promises_[i] <= best) continue;
        best = promises_[i];
        frame.item = frame.other = i;
        frame.untried = frame.all = places;
        frame.span =
            std::min(items_[i].width - 1, (states_[i].rightmost - states_[i].leftmost) / 2);
    }
    return best > 0;
}

// Puts the next try of the frame into states_; says whose states it has changed.
PlaceSearch::Bits PlaceSearch::try_next(Frame& frame) {
    states_ = frame.states;
    const Length first = std::countr_zero(frame.untried);
    if (frame.other != frame.item) {
        frame.tried_now = bit(static_cast<std::size_t>(first));
        relate(frame.item, frame.other, frame.tried_now);
    } else {
        frame.tried_now = frame.untried & range(first, std::min(word_bits, first + frame.span + 1));
        states_[frame.item].set_places(frame.tried_now);
    }
    return bit(frame.item) | bit(frame.other);
}

Verdict PlaceSearch::search(std::int64_t last_node, const Budget& budget) {
    const auto must_stop = [&] {
        return nodes_ >= last_node || (budget.expired && budget.expired());
    };
    if (must_stop()) return Verdict::unknown;
    if (!is_open_) {
        open();
        is_open_ = true;
        ++nodes_;
        if (count() == 0) {
            layout_.resize(problem_.stops.size());
            return Verdict::feasible;
        }
        if (!propagate(range(0, static_cast<Length>(count())))) return Verdict::infeasible;
        frames_.resize(1);
        if (!choose(frames_[0])) frames_[0].untried = frames_[0].all = states_[0].places;
    }
    while (true) {
        Frame& here = frames_[depth_];
        if (here.untried == 0) {
            if (depth_ == 0) return Verdict::infeasible;
            frames_[--depth_].tried_now = 0;
            continue;
        }
        if (must_stop()) return Verdict::unknown;
        ++nodes_;
        const Bits changed = try_next(here);
        here.untried &= ~here.tried_now;
        if (!propagate(changed)) {
            here.tried_now = 0;
            count_failure(here.item);
            if (here.other != here.item) count_failure(here.other);
            continue;
        }
        if (frames_.size() <= depth_ + 1) frames_.resize(depth_ + 2);
        if (choose(frames_[depth_ + 1])) {
            ++depth_;
            continue;
        }
        skyline_.assign(static_cast<std::size_t>(width_), 0);
        const Verdict verdict = drop_all(0, 0, last_node, budget);
        if (verdict == Verdict::unknown) frames_[depth_].untried |= frames_[depth_].tried_now;
        if (verdict != Verdict::infeasible) return verdict;
        frames_[depth_].tried_now = 0;
    }
}

double PlaceSearch::progress() const {
    double done = 0;
    double share = 1;
    for (std::size_t depth = 0; depth < frames_.size() && depth <= depth_; ++depth) {
        const Frame& frame = frames_[depth];
        const double all = std::popcount(frame.all);
        const double now = std::popcount(frame.tried_now);
        const double ahead = std::popcount(frame.untried & ~frame.tried_now);
        done += share * (all - now - ahead) / all;
        share *= now / all;
    }
    return done;
}

bool PlaceSearch::keep(std::size_t item, Bits places) {
    State& state = states_[item];
    if ((state.places & ~places) == 0) return true;
    if ((state.places & places) == 0) return false;
    state.set_places(state.places & places);
    changed_ |= bit(item);
    return true;
}

bool PlaceSearch::raise(std::size_t item, Length low) {
    State& state = states_[item];
    if (low <= state.low) return true;
    if (low + items_[item].length > state.high) return false;
    state.low = static_cast<Height>(low);
    changed_ |= bit(item);
    return true;
}

bool PlaceSearch::lower(std::size_t item, Length high) {
    State& state = states_[item];
    if (high >= state.high) return true;
    if (state.low + items_[item].length > high) return false;
    state.high = static_cast<Height>(high);
    changed_ |= bit(item);
    return true;
}

bool PlaceSearch::propagate(Bits changed) {
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
bool PlaceSearch::order_twins() {
    for (const std::size_t right : twins_) {
        if (!keep(right, ~range(0, states_[right - 1].leftmost))) return false;
        if (!keep(right - 1, range(0, states_[right].rightmost + 1))) return false;
    }
    return true;
}

bool PlaceSearch::compare_changed() {
    while (changed_ != 0) {
        Bits others = range(0, static_cast<Length>(count()));
        for (Bits rest = std::exchange(changed_, 0); rest != 0; rest &= rest - 1) {
            const auto one = static_cast<std::size_t>(std::countr_zero(rest));
            others &= ~bit(one);  // all have been compared with it
            if (!compare(one, others)) return false;
        }
    }
    return true;
}

bool PlaceSearch::compare(std::size_t one, Bits others) {
    const Bits on_right = states_[one].left_of;
    const Bits on_left = states_[one].right_of;
    const Bits behind = states_[one].behind;
    const auto all_of = [](Bits set, auto holds) {
        for (; set != 0; set &= set - 1) {
            if (!holds(static_cast<std::size_t>(std::countr_zero(set)))) return false;
        }
        return true;
    };
    return all_of(others & on_right, [&](std::size_t two) { return stand_left(one, two); }) &&
           all_of(others & on_left, [&](std::size_t two) { return stand_left(two, one); }) &&
           all_of(others & behind, [&](std::size_t two) { return stand_behind(one, two); }) &&
           all_of(others & ~(on_right | on_left | behind),
                  [&](std::size_t two) { return settle(one, two); });
}

// Nothing has been said of the two so far.
bool PlaceSearch::settle(std::size_t one, std::size_t two) {
    const Bits possible = relations(one, two);
    switch (possible) {
        case left:
            relate(one, two, left);
            return stand_left(one, two);
        case right:
            relate(one, two, right);
            return stand_left(two, one);
        case left | right:
            return make_way(one, two) && make_way(two, one);
        case behind:
            relate(one, two, behind);
            return stand_behind(one, two);
        default:
            return possible != 0;
    }
}

// How the one can stand to the other, judging by where they can stand.
PlaceSearch::Bits PlaceSearch::relations(std::size_t one, std::size_t two) const {
    const State& first = states_[one];
    const State& second = states_[two];
    const Item& a = items_[one];
    const Item& b = items_[two];
    const Length both = a.length + b.length;
    Bits possible = 0;
    if (first.leftmost + a.width <= second.rightmost) possible |= left;
    if (second.leftmost + b.width <= first.rightmost) possible |= right;
    if (((a.stop <= b.stop && first.low + both <= second.high) ||
         (b.stop <= a.stop && second.low + both <= first.high)) &&
        can_share_column(one, two))
        possible |= behind;
    return possible;
}

void PlaceSearch::relate(std::size_t one, std::size_t two, Bits relation) {
    State& first = states_[one];
    State& second = states_[two];
    (relation == left    ? first.left_of
     : relation == right ? first.right_of
                         : first.behind) |= bit(two);
    (relation == left    ? second.right_of
     : relation == right ? second.left_of
                         : second.behind) |= bit(one);
}

bool PlaceSearch::stand_left(std::size_t left, std::size_t right) {
    return keep(left, range(0, states_[right].rightmost - items_[left].width + 1)) &&
           keep(right, ~range(0, states_[left].leftmost + items_[left].width));
}

// They share a column, so that one of them is nearer to the cab.
bool PlaceSearch::stand_behind(std::size_t one, std::size_t two) {
    const State& first = states_[one];
    const State& second = states_[two];
    const Item& a = items_[one];
    const Item& b = items_[two];
    if (!keep(one, range(std::max(0, second.leftmost - a.width + 1), second.rightmost + b.width)) ||
        !keep(two, range(std::max(0, first.leftmost - b.width + 1), first.rightmost + a.width)))
        return false;
    const Length both = a.length + b.length;
    const bool one_two = a.stop <= b.stop && first.low + both <= second.high;
    const bool two_one = b.stop <= a.stop && second.low + both <= first.high;
    if (one_two == two_one) return one_two;
    const std::size_t near_cab = one_two ? one : two;
    const std::size_t near_door = one_two ? two : one;
    return raise(near_door, states_[near_cab].low + items_[near_cab].length) &&
           lower(near_cab, states_[near_door].high - items_[near_door].length);
}

// Strikes out the places of the item where it shares a column with every place of the other.
bool PlaceSearch::make_way(std::size_t item, std::size_t other) {
    const State& standing = states_[other];
    return keep(item, ~range(std::max(0, standing.rightmost - items_[item].width + 1),
                             standing.leftmost + items_[other].width));
}

bool PlaceSearch::bound_by_columns() {
    std::fill(carried_.begin(), carried_.end(), Height{0});
    for (std::size_t i = 0; i < count(); ++i) {
        const Item& item = items_[i];
        Height* carried = carried_by(static_cast<std::size_t>(item.stop));
        const Length end = states_[i].leftmost + item.width;
        for (Length x = states_[i].rightmost; x < end; ++x)
            carried[x] = static_cast<Height>(carried[x] + item.length);
    }
    return raise_floors() && lower_ceilings();
}

bool PlaceSearch::raise_floors() {
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
bool PlaceSearch::is_free_all_over(std::size_t index, const Height* floor,
                                   const Height* ceiling) const {
    const State& state = states_[index];
    Height highest_floor = 0;
    Height lowest_ceiling = state.high;
    Height least_room = items_[index].length;
    for (Length x = state.leftmost; x < state.rightmost + items_[index].width; ++x) {
        highest_floor = std::max(highest_floor, floor[x]);
        lowest_ceiling = std::min(lowest_ceiling, ceiling[x]);
        least_room = std::min(least_room, room_[static_cast<std::size_t>(x)]);
    }
    return lowest_ceiling == state.high && least_room == items_[index].length &&
           highest_floor + items_[index].length <= state.high;
}

bool PlaceSearch::lower_ceilings() {
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
            for (Length x = own; x < own_end; ++x)
                room_[static_cast<std::size_t>(x)] += item.length;
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
                    room = std::min(room, room_[static_cast<std::size_t>(column)]);
                }
                if (from + item.length > to || room < item.length) continue;
                possible |= rest & -rest;
                highest = std::max(highest, to);
            }
            for (Length x = own; x < own_end; ++x)
                room_[static_cast<std::size_t>(x)] -= item.length;
            if (!keep(i, possible) || !lower(i, highest)) return false;
            const auto bottom = static_cast<Height>(state.high - item.length);
            const Length end = state.leftmost + item.width;
            for (Length x = state.rightmost; x < end; ++x)
                ceiling[x] = std::min(ceiling[x], bottom);
        }
    }
    return true;
}

bool PlaceSearch::bound_by_rows() {
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
            used_[static_cast<std::size_t>(y)] += items_[i].width;
    }
    const Length most = *std::max_element(used_.begin() + first, used_.begin() + last);
    if (most > width_) return false;
    for (std::size_t i = 0; i < count(); ++i) {
        if (most + items_[i].width <= width_) continue;
        const Length length = items_[i].length;
        const Length own = states_[i].high - length;
        const Length own_end = states_[i].low + length;
        const auto is_full = [&](Length y) {
            return (y < own || y >= own_end) &&
                   used_[static_cast<std::size_t>(y)] + items_[i].width > width_;
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

bool PlaceSearch::columns_can_be_filled() {
    if (length_ >= word_bits) return true;
    LineTotals columns(totals_, width_);
    for (std::size_t i = 0; i < count(); ++i) {
        const State& state = states_[i];
        const Length width = items_[i].width;
        columns.add(state.leftmost, state.rightmost, state.leftmost + width,
                    state.rightmost + width, items_[i].length);
    }
    return columns.most(length_).value_or(-1) >= area_;
}

bool PlaceSearch::rows_can_be_filled() {
    if (width_ >= word_bits) return true;
    LineTotals rows(totals_, length_);
    for (std::size_t i = 0; i < count(); ++i) {
        const State& state = states_[i];
        const Length length = items_[i].length;
        rows.add(state.low, state.high - length, state.low + length, state.high, items_[i].width);
    }
    return rows.most(width_).value_or(-1) >= area_;
}

// Every item has its x. Drops them, the items of a stop in the order of y; `left` are those of the
// stop at hand that are still outside, `done` is how many are inside.
Verdict PlaceSearch::drop_all(std::size_t done, Bits left, std::int64_t last_node,
                              const Budget& budget) {
    if (done == count()) {
        layout_.assign(problem_.stops.size(), {});
        for (std::size_t stop = 0; stop < layout_.size(); ++stop)
            layout_[stop].resize(problem_.stops[stop].size());
        for (std::size_t i = 0; i < count(); ++i)
            layout_[static_cast<std::size_t>(items_[i].stop)][items_[i].index] = dropped_[i];
        return Verdict::feasible;
    }
    if (nodes_ >= last_node || (budget.expired && budget.expired())) return Verdict::unknown;
    ++nodes_;
    if (left == 0) {
        const auto stop = static_cast<std::size_t>(items_[done].stop);
        left = range(static_cast<Length>(first_item_[stop]),
                     static_cast<Length>(first_item_[stop + 1]));
    }
    for (Bits rest = left; rest != 0; rest &= rest - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(rest));
        const auto first = skyline_.begin() + states_[i].leftmost;
        const auto end = first + items_[i].width;
        const Height y = *std::max_element(first, end);
        if (y + items_[i].length > length_) return Verdict::infeasible;
        dropped_[i] = {states_[i].leftmost, y};
        const std::vector<Height> before(first, end);
        std::fill(first, end, static_cast<Height>(y + items_[i].length));
        const Verdict verdict = drop_all(done + 1, left & ~bit(i), last_node, budget);
        if (verdict != Verdict::infeasible) return verdict;
        std::copy(before.begin(), before.end(), first);
    }
    return Verdict::infeasible;
}

}  // namespace tailgate::packing
