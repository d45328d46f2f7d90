#include "rescale.hpp"

#include <algorithm>
#include <numeric>

namespace tailgate::packing {

namespace {

struct AxisSizes {
    std::vector<Length> sizes;
    std::vector<Length> others;  // the items' sizes in their other shape, 0 where there is none
    Length floor = 0;
};

// Does every set of items fit into `small` exactly if it fits into `large`?
bool fits_alike(const AxisSizes& large, const AxisSizes& small) {
    const auto top = to_index(small.floor) + 1;  // stands for every total above the floor
    constexpr std::int64_t none = -1;
    std::vector<std::int64_t> longest(top + 1, none);   // of sets with this small total
    std::vector<std::int64_t> shortest(top + 1, none);  // likewise
    longest[0] = shortest[0] = 0;
    for (std::size_t i = 0; i < small.sizes.size(); ++i) {
        for (std::size_t total = top + 1; total-- > 0;) {
            if (longest[total] == none) continue;
            const auto add = [&](Length small_size, Length large_size) {
                const std::size_t to = std::min(total + to_index(small_size), top);
                const std::int64_t longer = longest[total] + large_size;
                const std::int64_t shorter = shortest[total] + large_size;
                longest[to] = std::max(longest[to], longer);
                if (shortest[to] == none || shorter < shortest[to]) shortest[to] = shorter;
                return to == top || longer <= large.floor;
            };
            if (!add(small.sizes[i], large.sizes[i])) return false;
            if (!large.others.empty() && large.others[i] > 0 &&
                !add(small.others[i], large.others[i]))
                return false;
        }
    }
    return shortest[top] == none || shortest[top] > large.floor;
}

enum class Round : std::uint8_t { down, nearest, up };

AxisSizes scaled(const AxisSizes& axis, Length floor, Round round) {
    AxisSizes result{axis.sizes, axis.others, floor};
    const Length shift = round == Round::down ? 0
                         : round == Round::up ? axis.floor - 1
                                              : axis.floor / 2;
    for (auto* sizes : {&result.sizes, &result.others}) {
        for (Length& size : *sizes) {
            const std::int64_t product = std::int64_t{size} * floor;
            size = static_cast<Length>((product + shift) / axis.floor);
        }
    }
    return result;
}

// Replaces the axis by an equivalent one with this floor, if rounding gives one.
bool replace_by(AxisSizes& axis, Length floor) {
    for (const Round round : {Round::nearest, Round::down}) {
        AxisSizes small = scaled(axis, floor, round);
        for (Length& size : small.sizes) size = std::max<Length>(1, size);
        for (std::size_t i = 0; i < small.others.size(); ++i) {
            if (axis.others[i] > 0) small.others[i] = std::max<Length>(1, small.others[i]);
        }
        if (!fits_alike(axis, small)) continue;
        axis = std::move(small);
        return true;
    }
    return false;
}

// Up to `small_floor` there is nothing to be gained; up to four times as much is tried.
constexpr Length small_floor = 64;

// The smallest equivalent axis found, or the rounded one; says whether it is equivalent.
bool shrink(AxisSizes& axis, Length max_floor, Rounding rounding) {
    if (axis.floor <= small_floor) return true;
    Length divisor = 0;
    for (const Length size : axis.sizes) divisor = std::gcd(divisor, size);
    for (const Length size : axis.others) divisor = std::gcd(divisor, size);
    for (Length& size : axis.sizes) size /= divisor;
    for (Length& size : axis.others) size /= divisor;
    axis.floor /= divisor;
    for (Length floor = 1; floor <= 4 * small_floor && floor < axis.floor;
         floor += 1 + floor / small_floor) {
        if (replace_by(axis, floor)) return true;
    }
    if (axis.floor <= max_floor || replace_by(axis, max_floor)) return true;
    axis = scaled(axis, max_floor, rounding == Rounding::up ? Round::up : Round::down);
    return false;
}

template <typename Size>
AxisSizes axis_of(const Problem& problem, Length floor, Size size) {
    AxisSizes axis{{}, {}, floor};
    for (const auto& stop : problem.stops) {
        for (const Rectangle& item : stop) axis.sizes.push_back(item.*size);
    }
    for (const auto& stop : problem.turned) {
        for (const Rectangle& item : stop) axis.others.push_back(item.*size);
    }
    return axis;
}

template <typename Size>
void put_back(Problem& problem, const AxisSizes& axis, Size size) {
    const auto put = [&](auto& stops, const std::vector<Length>& sizes) {
        std::size_t i = 0;
        for (auto& stop : stops) {
            for (Rectangle& item : stop) item.*size = sizes[i++];
        }
    };
    put(problem.stops, axis.sizes);
    put(problem.turned, axis.others);
}

// What has been rounded to nothing can be left out: the rest is easier to load.
void leave_out_nothings(Problem& problem, const Problem& original) {
    for (std::size_t stop = 0; stop < problem.stops.size(); ++stop) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < problem.stops[stop].size(); ++i) {
            const Rectangle first = problem.stops[stop][i];
            const Rectangle other = problem.other_shape(stop, i);
            if (first.area() == 0) continue;
            if (original.other_shape(stop, i).width > 0 && other.area() == 0) continue;
            problem.stops[stop][kept] = first;
            if (problem.may_turn()) problem.turned[stop][kept] = other;
            ++kept;
        }
        problem.stops[stop].resize(kept);
        if (problem.may_turn()) problem.turned[stop].resize(kept);
    }
}

struct Placed {
    Rectangle item;
    Position position;
    std::size_t stop = 0;
    std::size_t index = 0;
    [[nodiscard]] Length right() const { return position.x + item.width; }
    [[nodiscard]] Length top() const { return position.y + item.length; }
};

std::vector<Placed> placed_items(const Problem& problem, const Layout& layout) {
    std::vector<Placed> items;
    for (std::size_t stop = 0; stop < problem.stops.size(); ++stop) {
        for (std::size_t i = 0; i < problem.stops[stop].size(); ++i) {
            const Position& position = layout[stop][i];
            items.push_back({problem.placed(stop, i, position.turned), position, stop, i});
        }
    }
    return items;
}

bool beside(const Placed& a, const Placed& b) {
    return a.right() <= b.position.x || b.right() <= a.position.x;
}

}  // namespace

Rescaled rescale(const Problem& problem, Length max_floor, Rounding rounding) {
    Rescaled result{problem, true, true};
    AxisSizes widths = axis_of(problem, problem.width, &Rectangle::width);
    AxisSizes lengths = axis_of(problem, problem.length, &Rectangle::length);
    const bool equivalent_widths = shrink(widths, max_floor, rounding);
    const bool equivalent_lengths = shrink(lengths, max_floor, rounding);
    put_back(result.problem, widths, &Rectangle::width);
    put_back(result.problem, lengths, &Rectangle::length);
    result.problem.width = widths.floor;
    result.problem.length = lengths.floor;
    if (!equivalent_widths || !equivalent_lengths) {
        result.proves_feasible = rounding == Rounding::up;
        result.proves_infeasible = rounding == Rounding::down;
        leave_out_nothings(result.problem, problem);
    }
    return result;
}

Layout transfer_layout(const Problem& from, const Layout& layout, const Problem& to) {
    std::vector<Placed> items = placed_items(from, layout);
    Layout result = layout;
    const auto push = [&](Length Position::* start, Length Rectangle::* size, auto is_before) {
        std::ranges::sort(items, {}, [&](const Placed& item) { return item.position.*start; });
        for (const Placed& item : items) {
            Length least = 0;
            for (const Placed& other : items) {
                if (!is_before(other, item)) continue;
                const Position& before = result[other.stop][other.index];
                const Rectangle shape = to.placed(other.stop, other.index, before.turned);
                least = std::max(least, before.*start + shape.*size);
            }
            result[item.stop][item.index].*start = least;
        }
    };
    push(&Position::x, &Rectangle::width,
         [](const Placed& a, const Placed& b) { return a.right() <= b.position.x; });
    push(&Position::y, &Rectangle::length,
         [](const Placed& a, const Placed& b) { return a.top() <= b.position.y && !beside(a, b); });
    return result;
}

bool is_valid_layout(const Problem& problem, const Layout& layout) {
    const std::vector<Placed> items = placed_items(problem, layout);
    for (const Placed& a : items) {
        if (a.position.x < 0 || a.position.y < 0 || a.right() > problem.width ||
            a.top() > problem.length)
            return false;
        for (const Placed& b : items) {
            if (&a == &b || beside(a, b)) continue;
            const bool a_below = a.top() <= b.position.y;
            const bool b_below = b.top() <= a.position.y;
            if (!a_below && !b_below) return false;
            if (a.stop < b.stop && !a_below) return false;
        }
    }
    return true;
}

}  // namespace tailgate::packing
