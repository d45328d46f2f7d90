// The exact search by relative positions: decide of two items at a time which stands left of the
// other or, where they share a column, nearer to the cab, the large ones before the small ones.
// (Branching on relations of pairs: Pisinger and Sigurd 2007.)
//
// Under LIFO the one loaded first is nearer to the cab, items of one stop may stand either way. So
// nothing has to be decided in the order of loading, and the large items, which are mostly to
// blame, can come first. An item that may be turned gets its shape before its first relation. At
// every node the consequences are drawn for all other items: position_propagator.hpp. When all
// pairs are related, every item can stand as far to the left and as near to the cab as it is left
// to.
#pragma once

#include <cstdint>
#include <vector>

#include "effort_meter.hpp"
#include "position_propagator.hpp"
#include "problem.hpp"

namespace tailgate::packing {

class RelativePositionSearch {
  public:
    [[nodiscard]] static bool can_search(const Problem& problem) {
        return PositionPropagator::can_hold(problem);
    }

    // Only if can_search; the problem must outlive the search.
    explicit RelativePositionSearch(const Problem& problem);

    // A later call goes on where the last one stopped.
    Verdict run(const Budget& budget);

    [[nodiscard]] std::int64_t nodes() const { return nodes_; }  // in all calls
    // Which part of all has been tried, as if all relations were as much work.
    [[nodiscard]] double progress() const;
    [[nodiscard]] const Layout& layout() const { return layout_; }  // after a feasible verdict

  private:
    using Bits = PositionPropagator::Bits;
    using State = PositionPropagator::State;

    struct Frame {
        std::vector<State> states;
        std::size_t one = 0;  // whose relation to the other one is tried
        std::size_t two = 0;  // or, if it is the same item, whose shape is tried
        Bits all = 0;         // relations, or shapes
        Bits untried = 0;
        Bits tried_now = 0;
    };

    [[nodiscard]] std::size_t count() const { return positions_.count(); }
    bool choose(Frame& frame) const;
    void choose_shape(Frame& frame) const;
    [[nodiscard]] double priority(std::size_t item) const;
    bool try_next(Frame& frame);
    void count_failure(std::size_t item);
    Verdict search(std::int64_t last_node, const Budget& budget);
    void keep_layout();

    const Problem& problem_;
    PositionPropagator positions_;
    std::vector<std::int64_t> failures_;  // [item] -> how often a try failed at once
    std::vector<double> priorities_;      // [item] -> to decide something about it
    std::vector<Frame> frames_;
    std::size_t depth_ = 0;
    std::int64_t nodes_ = 0;
    Verdict verdict_ = Verdict::unknown;
    bool is_open_ = false;
    Layout layout_;
};

}  // namespace tailgate::packing
