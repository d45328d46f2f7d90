#include "column_sweep_search.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <tuple>

namespace tailgate::packing {

namespace {

constexpr std::int64_t nodes_between_looks_at_the_clock = 64;

}  // namespace

bool ColumnSweepSearch::can_search(const Problem& problem) {
    return !problem.has_order() && std::max(problem.width, problem.length) < word_bits &&
           problem.count_shapes() <= word_bits && !problem.has_oversized_item();
}

ColumnSweepSearch::ColumnSweepSearch(const Problem& problem, std::size_t memo_bytes)
    : problem_(problem),
      width_(problem.width),
      length_(problem.length),
      may_stay_empty_(problem.floor_area()),
      failed_(memo_bytes),
      key_(sizeof(Bits) + to_index(problem.width) + KeySet::word) {
    for (std::size_t stop = 0; stop < problem.stops.size(); ++stop) {
        for (std::size_t i = 0; i < problem.stops[stop].size(); ++i) {
            const Shapes shapes = problem.shapes(stop, i);
            may_stay_empty_ -= shapes.least_area();
            const auto list = [&](const Rectangle& shape, const Rectangle& other) {
                items_.push_back({shape.width, shape.length, stop, i, other,
                                  !(shape == problem.stops[stop][i]), false, 0});
            };
            list(shapes.one, shapes.other);
            if (shapes.is_free()) list(shapes.other, shapes.one);
        }
    }
    // Large items are tried first.
    std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
        const auto key = [](const Item& item) {
            return std::tuple(-item.area(), item.width, item.other.width, item.other.length,
                              item.stop, item.index);
        };
        return key(a) < key(b);
    });
    const auto equals_before = [this](std::size_t i) {
        return i > 0 && i < items_.size() && items_[i].width == items_[i - 1].width &&
               items_[i].length == items_[i - 1].length && items_[i].other == items_[i - 1].other;
    };
    for (std::size_t i = items_.size(); i-- > 0;) {
        Item& item = items_[i];
        for (std::size_t j = 0; j < items_.size(); ++j) {
            if (items_[j].stop == item.stop && items_[j].index == item.index)
                item.same_item |= bit(j);
        }
        item.equals_before = equals_before(i);
        if (!equals_before(i) && !equals_before(i + 1)) on_the_left_ = item.same_item;
    }
    positions_.resize(items_.size());
}

bool ColumnSweepSearch::must_stop(std::int64_t last_node, const Budget& budget) const {
    return nodes_ >= last_node ||
           (nodes_ % nodes_between_looks_at_the_clock == 0 && budget.expired && budget.expired());
}

Verdict ColumnSweepSearch::run(const Budget& budget) {
    const std::int64_t last_node = nodes_ + budget.max_nodes;
    if (verdict_ != Verdict::unknown || must_stop(last_node, budget)) return verdict_;
    if (!is_open_) {
        is_open_ = true;
        Node root;
        root.waiting = range(0, static_cast<Length>(items_.size()));
        root.is_first_at_x = true;
        descend(root);
    }
    while (true) {
        if (must_drop_) {
            const Verdict verdict = drop_all(last_node, budget);
            if (verdict == Verdict::feasible) verdict_ = verdict;
            if (verdict != Verdict::infeasible) return verdict;
            must_drop_ = false;
        }
        if (path_.empty()) return verdict_ = Verdict::infeasible;
        if (must_stop(last_node, budget)) return Verdict::unknown;
        Node& node = path_.back();
        if (node.untried != 0) {
            const auto item = to_index(std::countr_zero(node.untried));
            node.untried &= node.untried - 1;
            begin_item(node, item);
        } else if (node.goes_on) {
            node.goes_on = false;
            go_on(node);
        } else {
            leave();
        }
    }
}

// Goes on from a node, unless nothing can come of it.
void ColumnSweepSearch::descend(const Node& node) {
    ++nodes_;
    if (node.waiting == 0) {
        must_drop_ = true;
        begun_ = node.begun;
        for (Node& above : path_) above.has_been_through = true;
        return;
    }
    if (node.is_first_at_x) {
        if (!can_be_filled(node) || failed_.contains(key_of(node))) return;
    } else if (!column_can_be_filled(node)) {
        return;
    }
    path_.push_back(node);
    path_.back().goes_on = true;
    if (node.is_first_at_x) path_.back().untried = node.waiting;
}

void ColumnSweepSearch::leave() {
    const Node& node = path_.back();
    if (node.is_first_at_x && !node.has_been_through) failed_.insert(key_of(node));
    path_.pop_back();
}

void ColumnSweepSearch::begin_item(Node& node, std::size_t index) {
    const Item& item = items_[index];
    if (node.x + item.width > width_ || node.carried[to_index(node.x)] + item.length > length_ ||
        (item.equals_before && (node.waiting >> (index - 1) & 1U) != 0) ||
        ((on_the_left_ & bit(index)) != 0 && 2 * node.x > width_ - item.width))
        return;
    Node next = node;
    next.is_first_at_x = false;
    next.has_been_through = false;
    next.waiting &= ~item.same_item;
    next.untried &= ~item.same_item;
    next.begun |= bit(index);
    next.empty += item.area() - item.least_area();
    for (Length column = node.x; column < node.x + item.width; ++column)
        next.carried[to_index(column)] =
            static_cast<Height>(next.carried[to_index(column)] + item.length);
    positions_[index].x = node.x;
    descend(next);
}

// Nothing more begins here.
void ColumnSweepSearch::go_on(const Node& node) {
    Node next = node;
    const Height carried = node.carried[to_index(node.x)];
    while (next.x < width_ && next.carried[to_index(next.x)] == carried) ++next.x;
    next.empty += Area{length_ - carried} * (next.x - node.x);
    if (next.x == width_ || next.empty > may_stay_empty_) return;
    next.is_first_at_x = true;
    next.has_been_through = false;
    descend(next);
}

// Does the column at x not lose too much, whatever else begins there?
bool ColumnSweepSearch::column_can_be_filled(const Node& node) const {
    const Length room = length_ - node.carried[to_index(node.x)];
    Bits totals = 1;
    for (Bits rest = node.untried; rest != 0;) {
        const Item& item = items_[to_index(std::countr_zero(rest))];
        const Bits without = totals;
        totals |= without << item.length;
        rest &= rest - 1;
        if ((rest & item.same_item) != 0) totals |= without << item.other.length;
        rest &= ~item.same_item;
    }
    const Length filled = word_bits - 1 - std::countl_zero(totals & range(0, room + 1));
    return node.empty + room - filled <= may_stay_empty_;
}

// Do the columns ahead, all together, not lose too much, and does every item find room?
bool ColumnSweepSearch::can_be_filled(const Node& node) const {
    std::array<Length, word_bits> carried{};
    for (Length column = node.x; column < width_; ++column)
        carried[to_index(column)] = node.carried[to_index(column)];
    Bits totals = 1;
    for (Bits rest = node.waiting; rest != 0;) {
        const auto index = to_index(std::countr_zero(rest));
        const Item& item = items_[index];
        rest &= ~item.same_item;
        Sure sure = sure_columns(node, item);
        Length length = item.length;
        const Bits without = totals;
        if (sure.is_possible) totals |= without << length;
        if (const Bits other = item.same_item & ~bit(index); other != 0) {
            const Item& turned = items_[to_index(std::countr_zero(other))];
            const Sure also = sure_columns(node, turned);
            if (also.is_possible) {
                totals |= without << turned.length;
                if (sure.is_possible) {
                    sure = {std::max(sure.from, also.from), std::min(sure.to, also.to), true};
                    // The shorter shape is sure; the longer one fills more.
                    if (sure.from < sure.to) totals |= without << std::abs(length - turned.length);
                    length = std::min(length, turned.length);
                } else {
                    sure = also;
                    length = turned.length;
                }
            }
        }
        if (!sure.is_possible) return false;
        for (Length column = sure.from; column < sure.to; ++column)
            carried[to_index(column)] += length;
    }
    Area empty = node.empty;
    for (Length column = node.x; column < width_; ++column) {
        const Length room = length_ - carried[to_index(column)];
        if (room < 0) return false;
        empty += room - (word_bits - 1 - std::countl_zero(totals & range(0, room + 1)));
    }
    return empty <= may_stay_empty_;
}

ColumnSweepSearch::Sure ColumnSweepSearch::sure_columns(const Node& node, const Item& item) const {
    // Columns ahead carry less and less.
    Length first = node.x;
    while (first < width_ && node.carried[to_index(first)] + item.length > length_) ++first;
    const Length last = width_ - item.width;
    return {last, first + item.width, first <= last};
}

// The same for nodes of which the same can come.
KeySet::Key ColumnSweepSearch::key_of(const Node& node) {
    std::memcpy(key_.data(), &node.waiting, sizeof(Bits));
    std::uint8_t* end = key_.data() + sizeof(Bits);
    for (Length column = node.x; column < width_; ++column)
        *end++ = static_cast<std::uint8_t>(node.carried[to_index(column)]);
    while (to_index(end - key_.data()) % KeySet::word != 0) *end++ = 0xFF;
    return {key_.data(), end};
}

Verdict ColumnSweepSearch::drop_all(std::int64_t last_node, const Budget& budget) {
    Drop start;
    start.spare.fill(static_cast<Height>(length_));
    for (Bits rest = begun_; rest != 0; rest &= rest - 1) {
        const auto i = to_index(std::countr_zero(rest));
        for (Length column = positions_[i].x; column < positions_[i].x + items_[i].width; ++column)
            start.spare[to_index(column)] =
                static_cast<Height>(start.spare[to_index(column)] - items_[i].length);
    }
    const Verdict verdict = drop(start, begun_, 0, 0, last_node, budget);
    if (verdict == Verdict::feasible) {
        for (const auto& stop : problem_.stops) layout_.emplace_back(stop.size());
        for (Bits rest = begun_; rest != 0; rest &= rest - 1) {
            const auto i = to_index(std::countr_zero(rest));
            layout_[items_[i].stop][items_[i].index] = {positions_[i].x, positions_[i].y,
                                                        items_[i].turned};
        }
    }
    return verdict;
}

// Those that wait stand at y or higher; at y itself, only those after the latest one.
Verdict ColumnSweepSearch::drop(const Drop& before, Bits waiting, Length y, std::size_t latest,
                                std::int64_t last_node, const Budget& budget) {
    if (waiting == 0) return Verdict::feasible;
    if (must_stop(last_node, budget)) return Verdict::unknown;
    ++nodes_;
    for (Bits rest = waiting; rest != 0; rest &= rest - 1) {
        const auto index = to_index(std::countr_zero(rest));
        const Item& item = items_[index];
        const auto first = to_index(positions_[index].x);
        const auto end = first + to_index(item.width);
        Length at = y;
        for (std::size_t column = first; column < end; ++column)
            at = std::max<Length>(at, before.heights[column]);
        if (at == y && index < latest) continue;
        Drop after = before;
        bool has_room = true;
        const Bits others = waiting & ~bit(index);
        for (std::size_t column = 0; column < to_index(width_); ++column) {
            // What is lower than this item is lost to those that wait.
            const Length lost = std::max<Length>(0, at - before.heights[column]);
            after.heights[column] = static_cast<Height>(before.heights[column] + lost);
            after.spare[column] = static_cast<Height>(before.spare[column] - lost);
            has_room = has_room && after.spare[column] >= 0;
        }
        if (!has_room) continue;
        for (std::size_t column = first; column < end; ++column)
            after.heights[column] = static_cast<Height>(at + item.length);
        positions_[index].y = at;
        const Verdict verdict = drop(after, others, at, index, last_node, budget);
        if (verdict != Verdict::infeasible) return verdict;
    }
    return Verdict::infeasible;
}

}  // namespace tailgate::packing
