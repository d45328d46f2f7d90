#include "longest_path_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tailgate::packing {

namespace {

Rectangle least_of(const Shapes& shapes) {
    if (!shapes.is_free()) return shapes.one;
    return {std::min(shapes.one.width, shapes.other.width),
            std::min(shapes.one.length, shapes.other.length)};
}

Rectangle most_of(const Shapes& shapes) {
    if (!shapes.is_free()) return shapes.one;
    return {std::max(shapes.one.width, shapes.other.width),
            std::max(shapes.one.length, shapes.other.length)};
}

}  // namespace

LongestPathSearch::LongestPathSearch(const Problem& problem)
    : problem_(problem), x_(problem.count_items()), y_(problem.count_items()) {
    for (std::size_t stop = 0; stop < problem.stops.size(); ++stop) {
        for (std::size_t i = 0; i < problem.stops[stop].size(); ++i) {
            const Shapes shapes = problem.shapes(stop, i);
            items_.push_back({shapes, static_cast<std::int32_t>(stop), i});
            sizes_.push_back({least_of(shapes), most_of(shapes)});
            areas_.push_back(static_cast<double>(shapes.least_area()));
        }
    }
    relations_.assign(count() * count(), beside | behind);
    failures_.assign(count(), 0);
    priorities_ = areas_;
    order_equal_items();
    keep_mirror_image_out();
}

// Equal items of a stop stand from left to right.
void LongestPathSearch::order_equal_items() {
    for (std::size_t two = 0; two < count(); ++two) {
        for (std::size_t one = two; one-- > 0 && items_[one].stop == items_[two].stop;) {
            if (!(items_[one].shapes == items_[two].shapes)) continue;
            twins_.emplace_back(one, two);
            break;
        }
    }
}

// A plan or its mirror image has the largest item in the left half and, where the order of loading
// is free, in the half at the cab. With a twin it may have changed places.
void LongestPathSearch::keep_mirror_image_out() {
    const auto has_twin = [this](std::size_t item) {
        return std::ranges::any_of(
            twins_, [item](const auto& pair) { return pair.first == item || pair.second == item; });
    };
    std::size_t largest = count();
    for (std::size_t i = 0; i < count(); ++i) {
        if (!has_twin(i) && (largest == count() || areas_[i] > areas_[largest])) largest = i;
    }
    if (largest == count()) return;
    items_[largest].in_left_half = true;
    items_[largest].in_half_at_cab = !problem_.has_order();
}

Verdict LongestPathSearch::run(const Budget& budget) {
    if (verdict_ != Verdict::unknown) return verdict_;
    const std::int64_t last_node = nodes_ + budget.max_nodes;
    const auto must_stop = [&] {
        return nodes_ >= last_node || (budget.expired && budget.expired());
    };
    budget_ = &budget;
    has_stopped_ = false;
    if (must_stop()) return Verdict::unknown;
    if (!is_open_) {
        ++nodes_;
        const bool is_possible = open();
        if (has_stopped_) return Verdict::unknown;  // what has been concluded stays true
        if (!is_possible) return verdict_ = Verdict::infeasible;
        is_open_ = true;
        path_.emplace_back();
        if (!choose(path_.back())) {
            keep_layout();
            return verdict_ = Verdict::feasible;
        }
    }
    while (!path_.empty()) {
        if (path_.back().untried == 0) {
            path_.pop_back();
            if (!path_.empty()) take_back(path_.back());
            continue;
        }
        if (must_stop()) return Verdict::unknown;
        ++nodes_;
        const std::size_t one = path_.back().one;
        const std::size_t two = path_.back().two;
        const Relations untried = path_.back().untried;
        if (!try_next(path_.back())) {
            take_back(path_.back());
            if (has_stopped_) {
                path_.back().untried = untried;
                return Verdict::unknown;
            }
            count_failure(one);
            count_failure(two);
            continue;
        }
        Choice next;
        if (!choose(next)) {
            keep_layout();
            return verdict_ = Verdict::feasible;
        }
        path_.push_back(next);
    }
    return verdict_ = Verdict::infeasible;
}

bool LongestPathSearch::open() {
    for (std::size_t i = 0; i < count(); ++i) {
        if (!x_.require(0, i + 1, 0) || !y_.require(0, i + 1, 0) || !keep_inside(i)) return false;
    }
    for (const auto& [one, two] : twins_) {
        if (!x_.require(one + 1, two + 1, 0)) return false;
    }
    return propagate();
}

// Large items come first, and those that have failed often. False if everything is decided.
bool LongestPathSearch::choose(Choice& choice) {
    double best = 0;
    for (std::size_t one = 0; one < count(); ++one) {
        for (std::size_t two = one + 1; two < count(); ++two) {
            const Relations open = relations(one, two);
            if ((open & (open - 1)) == 0) continue;
            const auto [less, more] = std::minmax(priorities_[one], priorities_[two]);
            const double priority = less + share_of_larger * more;
            if (priority <= best) continue;
            best = priority;
            choice = {one, two, open, 0, 0, 0, 0};
        }
    }
    if (best > 0) {
        // Shapes before relations.
        for (const std::size_t item : {choice.one, choice.two}) {
            if (!sizes_[item].is_fixed()) {
                choice = {item, item, beside, 0, 0, 0, 0};
                break;
            }
        }
    } else {
        // What nothing else stands against may still be of two shapes.
        const auto open =
            std::ranges::find_if(sizes_, [](const Size& size) { return !size.is_fixed(); });
        if (open == sizes_.end()) return false;
        const auto item = static_cast<std::size_t>(open - sizes_.begin());
        choice = {item, item, beside, 0, 0, 0, 0};
    }
    choice.x_changes = x_.changes();
    choice.y_changes = y_.changes();
    choice.relation_changes = relation_trail_.size();
    choice.size_changes = size_trail_.size();
    return true;
}

bool LongestPathSearch::try_next(Choice& choice) {
    const auto now = static_cast<Relations>(choice.untried & -choice.untried);
    choice.untried = static_cast<Relations>(choice.untried & ~now);
    if (choice.one == choice.two) {
        const Shapes& shapes = items_[choice.one].shapes;
        return fix_shape(choice.one, now == left ? shapes.one : shapes.other) && propagate();
    }
    return relate(choice.one, choice.two, now) && propagate();
}

void LongestPathSearch::take_back(const Choice& choice) {
    x_.take_back(choice.x_changes);
    y_.take_back(choice.y_changes);
    while (relation_trail_.size() > choice.relation_changes) {
        relations_[relation_trail_.back().entry] = relation_trail_.back().before;
        relation_trail_.pop_back();
    }
    while (size_trail_.size() > choice.size_changes) {
        sizes_[size_trail_.back().entry] = size_trail_.back().before;
        size_trail_.pop_back();
    }
}

// The fourth root: failures say less than the size, but they say something.
void LongestPathSearch::count_failure(std::size_t item) {
    ++failures_[item];
    priorities_[item] = areas_[item] * std::sqrt(std::sqrt(1.0 + failures_[item]));
}

bool LongestPathSearch::must_stop_here() {
    if (count() > max_items_for_areas && budget_->expired && budget_->expired())
        has_stopped_ = true;
    return has_stopped_;
}

bool LongestPathSearch::propagate() {
    for (bool changed = true; changed;) {
        const std::size_t before =
            relation_trail_.size() + x_.changes() + y_.changes() + size_trail_.size();
        for (std::size_t i = 0; i < count(); ++i) {
            if (sizes_[i].is_fixed()) continue;
            // A shape that has no room any more is none.
            const auto has_room = [&](const Rectangle& shape) {
                return x_.allows(i + 1, 0, shape.width - problem_.width) &&
                       y_.allows(i + 1, 0, shape.length - problem_.length);
            };
            const Shapes& shapes = items_[i].shapes;
            if (!has_room(shapes.one)) {
                if (!has_room(shapes.other) || !fix_shape(i, shapes.other)) return false;
            } else if (!has_room(shapes.other) && !fix_shape(i, shapes.one)) {
                return false;
            }
        }
        for (std::size_t one = 0; one < count(); ++one) {
            if (must_stop_here()) return false;
            for (std::size_t two = one + 1; two < count(); ++two) {
                if (!narrow(one, two)) return false;
            }
        }
        changed =
            before != relation_trail_.size() + x_.changes() + y_.changes() + size_trail_.size();
    }
    return areas_have_room(x_, false) && areas_have_room(y_, true);
}

LongestPathSearch::Relations LongestPathSearch::possible(std::size_t one, std::size_t two) const {
    const Size& first = sizes_[one];
    const Size& second = sizes_[two];
    const std::size_t a = one + 1;
    const std::size_t b = two + 1;
    Relations result = 0;
    if (x_.allows(a, b, first.least.width)) result |= left;
    if (x_.allows(b, a, second.least.width)) result |= right;
    if (x_.least(a, b) >= first.most.width || x_.least(b, a) >= second.most.width) return result;
    if (items_[one].stop <= items_[two].stop && y_.allows(a, b, first.least.length))
        result |= nearer;
    if (items_[two].stop <= items_[one].stop && y_.allows(b, a, second.least.length))
        result |= farther;
    return result;
}

bool LongestPathSearch::narrow(std::size_t one, std::size_t two) {
    const Relations open = relations(one, two);
    if ((open & (open - 1)) == 0) return true;  // its longest paths have been required
    const auto still = static_cast<Relations>(open & possible(one, two));
    return still == open || relate(one, two, still);
}

bool LongestPathSearch::relate(std::size_t one, std::size_t two, Relations open) {
    if (open == 0) return false;
    const std::size_t entry = one * count() + two;
    if (relations_[entry] != open) {
        relation_trail_.push_back({entry, relations_[entry]});
        relations_[entry] = open;
    }
    const std::size_t a = one + 1;
    const std::size_t b = two + 1;
    const Rectangle& first = sizes_[one].least;
    const Rectangle& second = sizes_[two].least;
    if (open == left) return x_.require(a, b, first.width);
    if (open == right) return x_.require(b, a, second.width);
    if ((open & beside) != 0) return true;
    if (!share_column(one, two)) return false;
    if (open == nearer) return y_.require(a, b, first.length);
    if (open == farther) return y_.require(b, a, second.length);
    return true;
}

bool LongestPathSearch::share_column(std::size_t one, std::size_t two) {
    return x_.require(two + 1, one + 1, 1 - std::int64_t{sizes_[one].most.width}) &&
           x_.require(one + 1, two + 1, 1 - std::int64_t{sizes_[two].most.width});
}

bool LongestPathSearch::fix_shape(std::size_t item, const Rectangle& shape) {
    size_trail_.push_back({item, sizes_[item]});
    sizes_[item] = {shape, shape};
    if (!keep_inside(item)) return false;
    for (std::size_t other = 0; other < count(); ++other) {
        if (other == item) continue;
        const auto [one, two] = std::minmax(item, other);
        const Relations known = relations(one, two);
        if (known != (beside | behind) && !relate(one, two, known)) return false;
    }
    return true;
}

bool LongestPathSearch::keep_inside(std::size_t item) {
    const Rectangle& size = sizes_[item].least;
    Length last_x = problem_.width - size.width;
    Length last_y = problem_.length - size.length;
    if (items_[item].in_left_half && sizes_[item].is_fixed()) last_x /= 2;
    if (items_[item].in_half_at_cab && sizes_[item].is_fixed()) last_y /= 2;
    return x_.require(item + 1, 0, -std::int64_t{last_x}) &&
           y_.require(item + 1, 0, -std::int64_t{last_y});
}

// Energetic reasoning: what the items cover in any case between two lines, is that too much?
bool LongestPathSearch::areas_have_room(const DifferenceBounds& along, bool lengths) {
    if (count() > max_items_for_areas) return true;
    windows_.clear();
    const Length across = lengths ? problem_.width : problem_.length;
    for (std::size_t i = 0; i < count(); ++i) {
        const Rectangle& least = sizes_[i].least;
        const std::int64_t size = lengths ? least.length : least.width;
        const Area area = sizes_[i].is_fixed() ? least.area() : items_[i].shapes.least_area();
        // Of an item whose shape is open the area counts only where it stands as a whole.
        const Rectangle& most = sizes_[i].most;
        const std::int64_t longest = lengths ? most.length : most.width;
        const std::int64_t end = (lengths ? problem_.length : problem_.width);
        const std::int64_t last = std::min(end, longest - along.least(i + 1, 0));
        windows_.push_back({along.least(0, i + 1), last, sizes_[i].is_fixed() ? size : 0, area});
    }
    for (const Window& opening : windows_) {
        for (const Window& closing : windows_) {
            const std::int64_t begin = opening.begin;
            const std::int64_t end = closing.end;
            if (begin >= end) continue;
            Area room = (end - begin) * across;
            for (const Window& window : windows_) {
                if (window.begin >= begin && window.end <= end) {
                    room -= window.area;
                } else if (window.size > 0) {
                    const std::int64_t before = std::max<std::int64_t>(0, begin - window.begin);
                    const std::int64_t after = std::max<std::int64_t>(0, window.end - end);
                    const std::int64_t inside =
                        std::min(window.size - std::max(before, after), end - begin);
                    if (inside > 0) room -= inside * (window.area / window.size);
                }
                if (room < 0) return false;
            }
        }
    }
    return true;
}

// Leftmost and lowest.
void LongestPathSearch::keep_layout() {
    for (const auto& stop : problem_.stops) layout_.emplace_back(stop.size());
    for (std::size_t i = 0; i < count(); ++i) {
        const auto stop = to_index(items_[i].stop);
        Position& position = layout_[stop][items_[i].index];
        position = {static_cast<Length>(x_.least(0, i + 1)),
                    static_cast<Length>(y_.least(0, i + 1)),
                    !(sizes_[i].least == problem_.stops[stop][items_[i].index])};
    }
}

}  // namespace tailgate::packing
