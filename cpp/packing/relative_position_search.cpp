#include "relative_position_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "bit_range.hpp"

namespace tailgate::packing {

// Of two items whose relation may be decided, the smaller counts, and the larger so much.
constexpr double share_of_larger = 0.1;
// An item whose shape is not fixed counts for so much of one of its size: its relation says less.
constexpr double share_of_free = 0.7;

RelativePositionSearch::RelativePositionSearch(const Problem& problem)
    : problem_(problem), positions_(problem) {
    failures_.assign(count(), 0);
    for (std::size_t i = 0; i < count(); ++i)
        priorities_.push_back(static_cast<double>(positions_.shapes(i).least_area()));
}

Verdict RelativePositionSearch::run(const Budget& budget) {
    if (verdict_ != Verdict::unknown) return verdict_;
    return verdict_ = search(nodes_ + budget.max_nodes, budget);
}

// Large items come first, and those that have failed often. The fourth root: failures say less than
// the size, but they say something.
void RelativePositionSearch::count_failure(std::size_t item) {
    ++failures_[item];
    priorities_[item] = static_cast<double>(positions_.shapes(item).least_area()) *
                        std::sqrt(std::sqrt(1.0 + static_cast<double>(failures_[item])));
}

double RelativePositionSearch::priority(std::size_t item) const {
    return positions_.is_free(item) ? share_of_free * priorities_[item] : priorities_[item];
}

// Says what to try next; false if everything is decided. Items come in one by one, by priority.
bool RelativePositionSearch::choose(Frame& frame) const {
    double best = 0;
    for (std::size_t one = 0; one < count(); ++one) {
        const Bits open = range(0, static_cast<Length>(one)) & ~positions_.state(one).related();
        for (Bits rest = open; rest != 0; rest &= rest - 1) {
            const auto two = to_index(std::countr_zero(rest));
            const auto [less, more] = std::minmax({priority(one), priority(two)});
            if (less + share_of_larger * more <= best) continue;
            const Bits possible = positions_.relations(one, two);
            if ((possible & (possible - 1)) == 0) continue;
            best = less + share_of_larger * more;
            frame.one = one;
            frame.two = two;
            frame.untried = frame.all = possible;
        }
    }
    const Bits free = positions_.free_items();
    if (free != 0) {
        if (best <= 0) frame.one = frame.two = to_index(std::countr_zero(free));
        choose_shape(frame);
    } else if (best <= 0) {
        return false;
    }
    frame.states = positions_.states();
    frame.tried_now = 0;
    return true;
}

// The shape of the larger of the two comes before their relation.
void RelativePositionSearch::choose_shape(Frame& frame) const {
    std::size_t larger = frame.one;
    std::size_t smaller = frame.two;
    if (priorities_[larger] < priorities_[smaller]) std::swap(larger, smaller);
    for (const std::size_t item : {larger, smaller}) {
        if (!positions_.is_free(item)) continue;
        frame.one = frame.two = item;
        frame.untried = frame.all = PositionPropagator::any_shape;
        return;
    }
}

// False if what is tried cannot be.
bool RelativePositionSearch::try_next(Frame& frame) {
    frame.tried_now = frame.untried & -frame.untried;
    frame.untried &= ~frame.tried_now;
    positions_.set_states(frame.states);
    if (frame.one != frame.two)
        positions_.relate(frame.one, frame.two, frame.tried_now);
    else if (!positions_.fix_shape(frame.one,
                                   static_cast<PositionPropagator::Shape>(frame.tried_now)))
        return false;
    return positions_.propagate(bit(frame.one) | bit(frame.two));
}

Verdict RelativePositionSearch::search(std::int64_t last_node, const Budget& budget) {
    const auto must_stop = [&] {
        return nodes_ >= last_node || (budget.expired && budget.expired());
    };
    if (must_stop()) return Verdict::unknown;
    if (!is_open_) {
        is_open_ = true;
        ++nodes_;
        if (!positions_.propagate(range(0, static_cast<Length>(count()))))
            return Verdict::infeasible;
        frames_.resize(1);
        if (!choose(frames_[0])) {
            frames_.clear();
            keep_layout();
            return Verdict::feasible;
        }
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
        if (!try_next(here)) {
            here.tried_now = 0;
            count_failure(here.one);
            if (here.two != here.one) count_failure(here.two);
            continue;
        }
        if (frames_.size() <= depth_ + 1) frames_.resize(depth_ + 2);
        if (!choose(frames_[depth_ + 1])) {
            keep_layout();
            return Verdict::feasible;
        }
        ++depth_;
    }
}

double RelativePositionSearch::progress() const {
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

// Leftmost and lowest: what is left of something, or nearer to the cab, stays so, for propagation
// has moved the other one out of its way.
void RelativePositionSearch::keep_layout() {
    for (const auto& stop : problem_.stops) layout_.emplace_back(stop.size());
    for (std::size_t i = 0; i < count(); ++i) {
        const PositionPropagator::Item& item = positions_.item(i);
        const auto stop = to_index(item.stop);
        const bool turned = !(problem_.stops[stop][item.index] == positions_.fixed_shape(i));
        layout_[stop][item.index] = {positions_.state(i).leftmost, positions_.state(i).low, turned};
    }
}

}  // namespace tailgate::packing
