// What remains to be loaded, and what can be known about it before looking at the skyline.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "problem.hpp"
#include "skyline.hpp"
#include "subset_sums.hpp"

namespace tailgate::packing {

// The largest total of remaining lengths (or widths) within a cap, for every cap.
struct RemainingSizes {
    RemainingSizes(const SubsetSums& widths, const SubsetSums& lengths, const std::vector<Rectangle>& items);

    std::vector<Length> width_floor;   // [free width] -> largest total of widths within it
    std::vector<Length> length_floor;  // [free length] -> largest total of lengths within it
    std::vector<Length> narrowest;     // [free length] -> smallest width among items that short
    std::vector<Rectangle> largest;    // items that no other remaining item covers
};

// A weighing of items by one of their sizes. Along a line of free length u the weights of items
// that meet it total at most capacity[u]; an item meets as many lines as its other size says.
struct Weighing {
    std::vector<Area> capacity;
    Area needed = 0;  // sum over items of weight times the other size
};

struct Weighings {
    Weighings(Length width, Length length, const std::vector<Rectangle>& items);
    std::vector<Weighing> columns;
    std::vector<Weighing> rows;
};

struct ItemType {
    Rectangle item;
    std::int32_t count = 0;
    std::int32_t next_level = -1;
};

struct Level {
    std::int32_t stop = 0;        // the stop being loaded
    std::vector<ItemType> types;  // kinds of its items that are still outside
    Area area = 0;                // of everything still outside
    std::shared_ptr<const RemainingSizes> sizes;
    SubsetSums widths{0};
    std::vector<Rectangle> items;
    mutable std::unique_ptr<Weighings> weighings;
    mutable std::int64_t wtried=0,wcut=0;

    [[nodiscard]] bool is_final() const { return types.empty(); }

    // Raises steps to where the next item can at best end up against the door, and closes
    // valleys that no remaining item can enter.
    void raise_useless(Skyline& skyline, Length floor_width, Length floor_length) const;
    // An upper bound on the area that remaining items can cover above the skyline.
    [[nodiscard]] Area usable_area(const Skyline& skyline, Length floor_width, Length floor_length) const;
    [[nodiscard]] bool passes_weighings(const Skyline& skyline, Length floor_width, Length floor_length) const;
    // Has every remaining item, taken alone, a place?
    [[nodiscard]] bool every_item_fits(const Skyline& skyline, Length floor_width, Length floor_length) const;
};

class Levels {
  public:
    explicit Levels(const Problem& problem);

    [[nodiscard]] const Level& operator[](std::int32_t index) const { return *levels_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] std::int32_t first() const { return first_; }
    // The level after one item of this type is loaded.
    std::int32_t next(std::int32_t level, std::size_t type);
    // Every x at which an item of this type need be tried on this skyline.
    void positions(std::int32_t level, std::size_t type, const Skyline& skyline, std::vector<Length>& result);

  private:
    std::int32_t open(std::size_t stop, std::vector<std::int32_t> counts);

    struct Stop {
        std::vector<Rectangle> kinds;
        std::vector<std::int32_t> counts;
    };
    Length width_;
    Length length_;
    std::vector<Stop> stops_;
    std::vector<SubsetSums> later_widths_;
    std::vector<SubsetSums> later_lengths_;
    std::vector<Area> later_area_;
    std::vector<std::vector<Rectangle>> later_items_;  // the distinct ones
    std::vector<std::unique_ptr<Level>> levels_;
    std::map<std::pair<std::size_t, std::vector<std::int32_t>>, std::int32_t> index_;
    std::vector<std::uint64_t> from_left_, from_right_;
    std::int32_t first_ = 0;
};

}  // namespace tailgate::packing
