// The exact search by relative positions: decide which items stand beside each other and which
// behind one another, the large ones before the small ones, and then every item's x. (Branching on
// relations of pairs: Pisinger and Sigurd 2007; x before y: Clautiaux, Carlier and Moukrim 2007.)
//
// Under LIFO this says nearly everything: of two items of different stops that share a column, the
// one loaded first is nearer to the cab. So nothing has to be decided in the order of loading, and
// the large items, which are mostly to blame, can come first. At every node the consequences are
// drawn for all other items: position_propagator.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "effort_meter.hpp"
#include "position_propagator.hpp"
#include "problem.hpp"

namespace tailgate::packing {

class RelativePositionSearch {
  public:
    // See PositionPropagator::can_hold; the order of the items within a stop is found by trying.
    [[nodiscard]] static bool can_search(const Problem& problem);

    // Only if can_search; the problem must outlive the search.
    explicit RelativePositionSearch(const Problem& problem);

    // A later call goes on where the last one stopped.
    Verdict run(const Budget& budget);

    [[nodiscard]] std::int64_t nodes() const { return nodes_; }  // in all calls
    // Which part of all has been tried, as if all places were as much work.
    [[nodiscard]] double progress() const;
    [[nodiscard]] const Layout& layout() const { return layout_; }  // after a feasible verdict

  private:
    using Bits = PositionPropagator::Bits;
    using Height = PositionPropagator::Height;
    using State = PositionPropagator::State;

    struct Frame {
        std::vector<State> states;
        std::size_t item = 0;   // whose relation to the other one is tried, or whose places
        std::size_t other = 0;  // the item itself: its places
        Bits all = 0;           // relations, or places
        Bits untried = 0;
        Bits tried_now = 0;
        Length span = 0;  // places this near to each other are tried together
    };

    [[nodiscard]] std::size_t count() const { return positions_.count(); }
    bool choose(Frame& frame) const;
    bool choose_pair(Frame& frame) const;
    bool choose_item(Frame& frame) const;
    Bits try_next(Frame& frame);
    void count_failure(std::size_t item);
    Verdict search(std::int64_t last_node, const Budget& budget);
    Verdict drop_all(std::size_t done, Bits left, std::int64_t last_node, const Budget& budget);

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
    std::vector<Position> dropped_;  // [item]
    std::vector<Height> skyline_;
};

}  // namespace tailgate::packing
