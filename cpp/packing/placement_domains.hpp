// Placement domains: every x at which each remaining item can stand above a skyline, in view of all
// the others. This is constraint propagation on pairs of items.
//
// An item dropped alone has a place at x if the skyline below it is low enough. Two at a time say
// more: the other item must find a place beside it, or nearer to the door unless it is loaded
// earlier, or nearer to the cab unless it is loaded later. A place that leaves some other item none
// is struck out. Items that have no two places beside each other stand behind one another in every
// layout, which moves the one towards the door and the other towards the cab. Columns that an item
// covers wherever it stands are lost to the others. All this until nothing changes any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "skyline.hpp"

namespace tailgate::packing {

// Sets of columns, and of x, are bits of a word.
using Columns = std::uint64_t;
inline constexpr Length max_domain_width = 64;
// Every item is compared with every other one; while many are outside hardly a place goes.
inline constexpr std::size_t max_domain_items = 13;

// Equal items of one stop that remain to be loaded.
struct RemainingKind {
    Rectangle item;
    std::int32_t stop = 0;  // in the order of loading
    std::int32_t count = 0;
};

class PlacementDomains {
  public:
    // The floor is at most max_domain_width wide.
    PlacementDomains(Length floor_width, Length floor_length)
        : width_(floor_width), length_(floor_length) {}

    // Strikes out places; false if an item is left without one, so that the items do not fit.
    [[nodiscard]] bool narrow(std::span<const RemainingKind> items, const Skyline& skyline);
    // After `narrow` was true: every x at which the item of this index may stand.
    [[nodiscard]] Columns places(std::size_t item) const { return states_[item].places; }

  private:
    struct State {
        Length width = 0;
        Length length = 0;
        std::int32_t stop = 0;
        std::int32_t count = 0;
        Columns places = 0;
        Length leftmost = 0;        // of the places
        Length rightmost = 0;       // likewise
        Length low = 0;             // it begins here or nearer to the door
        Length high = 0;            // it ends here or nearer to the cab
        std::size_t first_run = 0;  // its places on the lowest layer, in runs_
        bool changed = true;        // since the others were last compared with it
    };
    // The columns in which the skyline is at most this high.
    struct Layer {
        Length height = 0;
        Columns columns = 0;
    };

    void read(const Skyline& skyline);
    bool place_alone(const RemainingKind& item, State& state);
    // Where the skyline below the item is at most so high.
    [[nodiscard]] Columns places_up_to(const State& state, Length height) const;
    bool keep(State& state, Columns places) const;
    bool stand_behind(State& near_cab, State& near_door) const;
    bool compare(State& item, State& other) const;
    bool compare_pairs();
    bool reserve_columns();

    Length width_;
    Length length_;
    std::vector<Layer> layers_;  // in ascending order
    std::vector<Columns> runs_;  // for each item and layer: places with that layer below it
    std::vector<State> states_;
    std::vector<Length> free_;      // [column] -> length above the skyline
    std::vector<Length> reserved_;  // [column] -> by items that cover it wherever they stand
};

}  // namespace tailgate::packing
