// The exact search that needs no grid: for floors so fine that their sizes would have to be
// rounded.
//
// A layout is fixed by saying for every pair of items which is left of or nearer to the cab than
// the other: it exists exactly if no chain of "left of" is wider than the floor, and none of
// "nearer" longer (Pisinger and Sigurd 2007; two graphs with longest paths as in Fekete and
// Schepers 1997). So pairs are related one by one, the large items first. Both graphs are kept
// closed in the true integers (difference_bounds.hpp), which says at once how a pair can still be
// related. Nothing depends on the unit of length.
//
// An item that may be turned has one shape from its first decided pair on. Of two items that share
// a column the one loaded first is nearer to the cab; those that could stand beside each other as
// well do not share one, so that no layout is met twice. Nothing is remembered: no memory can be
// full.
#pragma once

#include <cstdint>
#include <vector>

#include "difference_bounds.hpp"
#include "effort_meter.hpp"
#include "problem.hpp"

namespace tailgate::packing {

class LongestPathSearch {
  public:
    // What it needs, about.
    [[nodiscard]] static std::size_t bytes_for(const Problem& problem) {
        const std::size_t items = problem.count_items() + 1;
        return 4 * sizeof(std::int64_t) * items * items;
    }

    // The problem must outlive the search; every item must fit the floor.
    explicit LongestPathSearch(const Problem& problem);

    // A later call goes on where the last one stopped.
    Verdict run(const Budget& budget);

    [[nodiscard]] std::int64_t nodes() const { return nodes_; }     // in all calls
    [[nodiscard]] const Layout& layout() const { return layout_; }  // after a feasible verdict

  private:
    using Relations = std::uint8_t;
    // How an item can stand to another one, a set: beside it, or in a column with it, nearer to the
    // cab or farther from it.
    enum Relation : Relations { left = 1, right = 2, nearer = 4, farther = 8 };
    static constexpr Relations beside = left | right;
    static constexpr Relations behind = nearer | farther;

    // Of two items whose relation may be decided, the smaller counts, and the larger so much.
    static constexpr double share_of_larger = 0.1;
    // The areas between all pairs of lines are added up, and no clock is looked at inside a node,
    // up to so many items.
    static constexpr std::size_t max_items_for_areas = 64;

    struct Item {
        Shapes shapes;
        std::int32_t stop = 0;
        std::size_t index = 0;      // in the stop, as the problem has it
        bool in_left_half = false;  // its mirror image would be in the right one
        bool in_half_at_cab = false;
    };
    // What can still be the size of an item.
    struct Size {
        Rectangle least;
        Rectangle most;
        [[nodiscard]] bool is_fixed() const { return least == most; }
    };
    // What is tried at a node: the shapes of an item, or how a pair is related.
    struct Choice {
        std::size_t one = 0;
        std::size_t two = 0;  // the same: it is about the shape
        Relations untried = 0;
        std::size_t x_changes = 0;
        std::size_t y_changes = 0;
        std::size_t relation_changes = 0;
        std::size_t size_changes = 0;
    };
    template <typename Value>
    struct Change {
        std::size_t entry = 0;
        Value before;
    };

    [[nodiscard]] std::size_t count() const { return items_.size(); }
    bool open();
    void order_equal_items();
    void keep_mirror_image_out();
    bool choose(Choice& choice);
    bool try_next(Choice& choice);
    void take_back(const Choice& choice);
    void count_failure(std::size_t item);

    // These draw conclusions, and say false if there is no layout.
    bool propagate();
    // With very many items a node takes long, so the clock is looked at inside it.
    bool must_stop_here();
    bool narrow(std::size_t one, std::size_t two);
    bool relate(std::size_t one, std::size_t two, Relations open);
    bool share_column(std::size_t one, std::size_t two);
    bool fix_shape(std::size_t item, const Rectangle& shape);
    bool keep_inside(std::size_t item);
    [[nodiscard]] bool areas_have_room(const DifferenceBounds& along, bool lengths);
    [[nodiscard]] Relations possible(std::size_t one, std::size_t two) const;
    void keep_layout();

    [[nodiscard]] Relations relations(std::size_t one, std::size_t two) const {
        return relations_[one * count() + two];
    }

    const Problem& problem_;
    std::vector<Item> items_;
    std::vector<Size> sizes_;
    DifferenceBounds x_;
    DifferenceBounds y_;
    std::vector<Relations> relations_;  // [one][two], one before two
    std::vector<Change<Relations>> relation_trail_;
    std::vector<Change<Size>> size_trail_;
    std::vector<std::pair<std::size_t, std::size_t>> twins_;
    std::vector<double> areas_;
    std::vector<double> failures_;    // [item] -> how often a try failed at once
    std::vector<double> priorities_;  // [item] -> to decide something about it
    struct Window {
        std::int64_t begin = 0;
        std::int64_t end = 0;
        std::int64_t size = 0;  // along the line
        Area area = 0;
    };
    std::vector<Window> windows_;
    std::vector<Choice> path_;
    bool is_open_ = false;
    const Budget* budget_ = nullptr;  // of the call
    bool has_stopped_ = false;        // inside a node, whose conclusions are not all drawn
    std::int64_t nodes_ = 0;
    Verdict verdict_ = Verdict::unknown;
    Layout layout_;
};

}  // namespace tailgate::packing
