#include "relative_position_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "bit_range.hpp"

namespace tailgate::packing {

constexpr std::size_t max_stop_items = 6;

// Of two items whose relation may be decided, the smaller counts, and the larger so much.
constexpr double share_of_larger = 0.1;

bool RelativePositionSearch::can_search(const Problem& problem) {
    return PositionPropagator::can_hold(problem) &&
           std::all_of(problem.stops.begin(), problem.stops.end(),
                       [](const auto& stop) { return stop.size() <= max_stop_items; });
}

RelativePositionSearch::RelativePositionSearch(const Problem& problem)
    : problem_(problem), positions_(problem) {
    dropped_.resize(count());
    failures_.assign(count(), 0);
    for (std::size_t i = 0; i < count(); ++i) priorities_.push_back(positions_.item(i).area());
}

Verdict RelativePositionSearch::run(const Budget& budget) {
    if (verdict_ != Verdict::unknown) return verdict_;
    return verdict_ = search(nodes_ + budget.max_nodes, budget);
}

// Says what to try next; false if everything is decided.
bool RelativePositionSearch::choose(Frame& frame) const {
    frame.states = positions_.states();
    frame.tried_now = 0;
    return choose_pair(frame) || choose_item(frame);
}

// Large items come first, and those that have failed often. The fourth root: failures say less than
// the size, but they say something.
void RelativePositionSearch::count_failure(std::size_t item) {
    ++failures_[item];
    priorities_[item] = positions_.item(item).area() *
                        std::sqrt(std::sqrt(1.0 + static_cast<double>(failures_[item])));
}

// Items come in one by one, by priority.
bool RelativePositionSearch::choose_pair(Frame& frame) const {
    double best = 0;
    for (std::size_t one = 0; one < count(); ++one) {
        const State& state = positions_.state(one);
        const Bits open =
            range(0, static_cast<Length>(one)) & ~(state.left_of | state.right_of | state.behind);
        for (Bits rest = open; rest != 0; rest &= rest - 1) {
            const auto two = to_index(std::countr_zero(rest));
            const auto [less, more] = std::minmax(priorities_[one], priorities_[two]);
            if (less + share_of_larger * more <= best) continue;
            const Bits possible = positions_.relations(one, two);
            if ((possible & (possible - 1)) == 0) continue;
            best = less + share_of_larger * more;
            frame.item = one;
            frame.other = two;
            frame.untried = frame.all = possible;
        }
    }
    return best > 0;
}

bool RelativePositionSearch::choose_item(Frame& frame) const {
    double best = 0;
    for (std::size_t i = 0; i < count(); ++i) {
        const Bits places = positions_.state(i).places;
        if ((places & (places - 1)) == 0 || priorities_[i] <= best) continue;
        best = priorities_[i];
        frame.item = frame.other = i;
        frame.untried = frame.all = places;
        frame.span = std::min(positions_.item(i).width - 1,
                              (positions_.state(i).rightmost - positions_.state(i).leftmost) / 2);
    }
    return best > 0;
}

// Makes the next try of the frame; says whose states it has changed.
RelativePositionSearch::Bits RelativePositionSearch::try_next(Frame& frame) {
    positions_.set_states(frame.states);
    const Length first = std::countr_zero(frame.untried);
    if (frame.other != frame.item) {
        frame.tried_now = bit(to_index(first));
        positions_.relate(frame.item, frame.other, frame.tried_now);
    } else {
        frame.tried_now = frame.untried & range(first, std::min(word_bits, first + frame.span + 1));
        positions_.set_places(frame.item, frame.tried_now);
    }
    return bit(frame.item) | bit(frame.other);
}

Verdict RelativePositionSearch::search(std::int64_t last_node, const Budget& budget) {
    const auto must_stop = [&] {
        return nodes_ >= last_node || (budget.expired && budget.expired());
    };
    if (must_stop()) return Verdict::unknown;
    if (!is_open_) {
        is_open_ = true;
        ++nodes_;
        if (count() == 0) {
            layout_.resize(problem_.stops.size());
            return Verdict::feasible;
        }
        if (!positions_.propagate(range(0, static_cast<Length>(count()))))
            return Verdict::infeasible;
        frames_.resize(1);
        if (!choose(frames_[0])) frames_[0].untried = frames_[0].all = positions_.state(0).places;
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
        if (!positions_.propagate(changed)) {
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
        skyline_.assign(to_index(problem_.width), 0);
        const Verdict verdict = drop_all(0, 0, last_node, budget);
        if (verdict == Verdict::unknown) frames_[depth_].untried |= frames_[depth_].tried_now;
        if (verdict != Verdict::infeasible) return verdict;
        frames_[depth_].tried_now = 0;
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

// Every item has its x. Drops them, the items of a stop in the order of y; `left` are those of the
// stop at hand that are still outside, `done` is how many are inside.
Verdict RelativePositionSearch::drop_all(std::size_t done, Bits left, std::int64_t last_node,
                                         const Budget& budget) {
    if (done == count()) {
        layout_.assign(problem_.stops.size(), {});
        for (std::size_t stop = 0; stop < layout_.size(); ++stop)
            layout_[stop].resize(problem_.stops[stop].size());
        for (std::size_t i = 0; i < count(); ++i)
            layout_[to_index(positions_.item(i).stop)][positions_.item(i).index] = dropped_[i];
        return Verdict::feasible;
    }
    if (nodes_ >= last_node || (budget.expired && budget.expired())) return Verdict::unknown;
    ++nodes_;
    if (left == 0) {
        const auto stop = to_index(positions_.item(done).stop);
        left = range(static_cast<Length>(positions_.first_item(stop)),
                     static_cast<Length>(positions_.first_item(stop + 1)));
    }
    for (Bits rest = left; rest != 0; rest &= rest - 1) {
        const auto i = to_index(std::countr_zero(rest));
        const auto first = skyline_.begin() + positions_.state(i).leftmost;
        const auto end = first + positions_.item(i).width;
        const Height y = *std::max_element(first, end);
        if (y + positions_.item(i).length > problem_.length) return Verdict::infeasible;
        dropped_[i] = {positions_.state(i).leftmost, y};
        const std::vector<Height> before(first, end);
        std::fill(first, end, static_cast<Height>(y + positions_.item(i).length));
        const Verdict verdict = drop_all(done + 1, left & ~bit(i), last_node, budget);
        if (verdict != Verdict::infeasible) return verdict;
        std::copy(before.begin(), before.end(), first);
    }
    return Verdict::infeasible;
}

}  // namespace tailgate::packing
