#include "greedy.hpp"

#include <algorithm>
#include <limits>

#include "skyline.hpp"
#include "views.hpp"

namespace tailgate::packing {

namespace {

// What counts besides the room that is lost, in hundredths of an area: the item's, for large ones
// to go first, and the floor's up to where it stands. Two tastes get more in than one.
struct Taste {
    Area size = 0;
    Area depth = 0;
};
constexpr Taste tastes[] = {{0, 0}, {50, 2}};
constexpr Area hundred = 100;

constexpr Length nothing_left = std::numeric_limits<Length>::max();

// The smallest sizes among items: room below them is lost.
struct Smallest {
    Length width = nothing_left;
    Length length = nothing_left;
    void include(const Rectangle& item) {
        width = std::min(width, item.width);
        length = std::min(length, item.length);
    }
};

struct Place {
    std::size_t item = 0;  // of the stop
    Rectangle size;
    std::size_t begin = 0;  // the steps under it: from here
    std::size_t end = 0;    // to here
    Position position;
    Area score = std::numeric_limits<Area>::max();
};

class Greedy {
  public:
    Greedy(const Problem& problem, Taste taste, bool from_door)
        : problem_(problem),
          taste_(taste),
          from_door_(from_door),
          step_score_(std::max<Area>(1, Area{problem.width} * problem.length / steps_per_floor)) {
        skyline_.reserve(64);
        skyline_.push_back({0, 0});
        layout_.resize(problem.stops.size());
        later_.resize(problem.stops.size() + 1);
        for (std::size_t turn = problem.stops.size(); turn-- > 0;) {
            later_[turn] = later_[turn + 1];
            for (std::size_t i = 0; i < problem.stops[stop_of(turn)].size(); ++i)
                include(later_[turn], stop_of(turn), i);
        }
    }

    bool run() {
        for (std::size_t turn = 0; turn < problem_.stops.size(); ++turn) {
            if (!load(turn)) return false;
        }
        return true;
    }

    [[nodiscard]] Layout& layout() { return layout_; }

  private:
    [[nodiscard]] std::size_t stop_of(std::size_t turn) const {
        return from_door_ ? problem_.stops.size() - 1 - turn : turn;
    }

    void include(Smallest& smallest, std::size_t stop, std::size_t index) const {
        smallest.include(problem_.stops[stop][index]);
        const Rectangle other = problem_.other_shape(stop, index);
        if (other.width > 0) smallest.include(other);
    }

    bool load(std::size_t turn) {
        const std::size_t stop = stop_of(turn);
        const auto& items = problem_.stops[stop];
        auto& positions = layout_[stop];
        positions.assign(items.size(), {});
        is_outside_.assign(items.size(), true);
        for (std::size_t count = items.size(); count > 0; --count) {
            Place best;
            for (std::size_t item = 0; item < items.size(); ++item) {
                if (is_outside_[item]) look_for_places(stop, item, later_[turn + 1], best);
            }
            if (best.score == std::numeric_limits<Area>::max()) return false;
            is_outside_[best.item] = false;
            positions[best.item] = best.position;
            if (from_door_)
                positions[best.item].y = problem_.length - best.position.y - best.size.length;
            drop(best);
        }
        return true;
    }

    void look_for_places(std::size_t stop, std::size_t item, Smallest rest, Place& best) const {
        const auto& items = problem_.stops[stop];
        const Rectangle turned = problem_.other_shape(stop, item);
        for (std::size_t other = 0; other < items.size(); ++other) {
            if (!is_outside_[other] || other == item) continue;
            if (other < item && items[other] == items[item] &&
                problem_.other_shape(stop, other) == turned)
                return;
            include(rest, stop, other);
        }
        try_corners(items[item], item, false, rest, best);
        if (turned.width > 0) try_corners(turned, item, true, rest, best);
    }

    // Next to each step, on its left and on its right end.
    void try_corners(const Rectangle& size, std::size_t item, bool is_turned, const Smallest& rest,
                     Place& best) const {
        std::size_t begin = 0;
        for (std::size_t i = 0; i < skyline_.size(); ++i) {
            const Length right = end_of(i);
            if (skyline_[i].x + size.width <= problem_.width)
                weigh(size, item, is_turned, skyline_[i].x, i, rest, best);
            const Length x = right - size.width;
            if (x < 0 || x == skyline_[i].x) continue;
            while (end_of(begin) <= x) ++begin;
            weigh(size, item, is_turned, x, begin, rest, best);
        }
    }

    void weigh(const Rectangle& size, std::size_t item, bool is_turned, Length x, std::size_t begin,
               const Smallest& rest, Place& best) const {
        const Length right = x + size.width;
        Length y = 0;
        std::size_t end = begin;
        for (; end < skyline_.size() && skyline_[end].x < right; ++end)
            y = std::max(y, skyline_[end].height);
        const Length top = y + size.length;
        if (top > problem_.length) return;
        Area lost = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const Length from = std::max(skyline_[i].x, x);
            const Length to = std::min(end_of(i), right);
            lost += Area{to - from} * (y - skyline_[i].height);
        }
        if (problem_.length - top < rest.length) lost += Area{size.width} * (problem_.length - top);
        // What is left beside the item in the steps that it stands on.
        const Length wall_left = begin == 0 ? nothing_left : skyline_[begin - 1].height;
        const Length wall_right = end == skyline_.size() ? nothing_left : skyline_[end].height;
        const Length gap_left = x - skyline_[begin].x;
        const Length gap_right = end_of(end - 1) - right;
        if (gap_left < rest.width)
            lost += Area{gap_left} * depth(skyline_[begin].height, wall_left, top);
        if (gap_right < rest.width)
            lost += Area{gap_right} * depth(skyline_[end - 1].height, wall_right, top);
        auto steps = static_cast<Area>(skyline_.size() - (end - begin) + 1);
        steps += gap_left > 0 ? 1 : (wall_left == top ? -1 : 0);
        steps += gap_right > 0 ? 1 : (wall_right == top ? -1 : 0);
        const Area score = lost + step_score_ * steps - percent(taste_.size, size.area()) +
                           percent(taste_.depth, Area{problem_.width} * y);
        if (score < best.score || (score == best.score && y < best.position.y))
            best = {item, size, begin, end, {x, y, is_turned}, score};
    }

    // So many hundredths, rounded down; of areas of which the product could not be held.
    static Area percent(Area share, Area area) {
        return share * (area / hundred) + share * (area % hundred) / hundred;
    }
    // How deep is a gap with this bottom, between what stands beside it and the item?
    static Length depth(Length bottom, Length wall, Length top) {
        return std::max<Length>(0, std::min(top, wall) - bottom);
    }
    [[nodiscard]] Length end_of(std::size_t step) const {
        return step + 1 < skyline_.size() ? skyline_[step + 1].x : problem_.width;
    }

    void drop(const Place& place) {
        const Length left = place.position.x;
        const Length right = left + place.size.width;
        const Length top = place.position.y + place.size.length;
        after_.assign(skyline_.begin(),
                      skyline_.begin() + static_cast<std::ptrdiff_t>(place.begin));
        if (skyline_[place.begin].x < left) after_.push_back(skyline_[place.begin]);
        push({left, top});
        if (right < end_of(place.end - 1)) push({right, skyline_[place.end - 1].height});
        for (std::size_t i = place.end; i < skyline_.size(); ++i) push(skyline_[i]);
        skyline_.swap(after_);
    }
    void push(const Step& step) {
        if (after_.empty() || after_.back().height != step.height) after_.push_back(step);
    }

    const Problem& problem_;
    Taste taste_;
    bool from_door_;
    Area step_score_;
    Skyline skyline_;
    Skyline after_;
    std::vector<char> is_outside_;
    std::vector<Smallest> later_;  // among the items of this turn and of later ones
    Layout layout_;
};

}  // namespace

std::optional<Layout> greedy_layout(const Problem& problem) {
    const View other = other_view(problem);
    const Problem exchanged =
        other == View::axes_exchanged ? seen(problem, View::axes_exchanged) : Problem{};
    for (const Taste taste : tastes) {
        Greedy from_cab(problem, taste, false);
        if (from_cab.run()) return std::move(from_cab.layout());
        if (other == View::axes_exchanged) {
            Greedy from_side(exchanged, taste, false);
            if (from_side.run()) return as_given(exchanged, other, std::move(from_side.layout()));
        } else {
            Greedy from_door(problem, taste, true);
            if (from_door.run()) return std::move(from_door.layout());
        }
    }
    return std::nullopt;
}

}  // namespace tailgate::packing
