// The items that remain to be loaded, and what follows from them for a skyline.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

#include "dual_feasible_bounds.hpp"
#include "placement_domains.hpp"
#include "problem.hpp"
#include "skyline.hpp"
#include "subset_sums.hpp"

namespace tailgate::packing {

// What follows from the sizes of items alone. It stays valid, if weaker, when items are gone.
struct SizeTables {
    SizeTables(std::span<const Shapes> items, SubsetSums widths, const SubsetSums& lengths,
               std::pmr::memory_resource* memory);

    using Table = std::pmr::vector<Length>;
    SubsetSums width_sums;  // totals of widths
    Table width_floor;      // [free width] -> largest total of widths within it
    Table length_floor;     // [free length] -> largest total of lengths within it
    Table narrowest;        // [free length] -> smallest width among items that short
};

// Where an item is tried: everywhere that can matter, or only next to a step of the skyline.
enum class Places : std::uint8_t { all, corners };

// An item in one of its shapes.
struct ItemType {
    Rectangle item;
    std::int32_t kind = 0;         // index among the stop's kinds of items
    std::int32_t next_index = -1;  // after one of them is loaded; -1: not opened yet
};

// Memory that the table of one problem uses, and may use.
struct TableMemory {
    std::size_t used_bytes = 0;
    std::size_t max_bytes = 0;
    [[nodiscard]] bool is_full() const { return used_bytes > max_bytes; }
};

// What is left of one stop, and all later ones.
class RemainingItems {
  public:
    explicit RemainingItems(std::pmr::memory_resource* memory)
        : types(memory), items_(memory), largest_(memory), largest_free_(memory), kinds_(memory) {}

    std::int32_t stop = 0;             // the stop being loaded
    std::pmr::vector<ItemType> types;  // kinds of its items that are still outside, by shape
    Area area = 0;                     // of everything still outside, at least
    bool is_last_stop = false;         // nothing but this stop is outside

    [[nodiscard]] bool is_final() const { return types.empty(); }

    // Raises steps to where the items that may still come can at best end flush with the door,
    // and closes valleys that none of them can enter.
    void raise_useless(Skyline& skyline) const;
    // The area above the skyline.
    [[nodiscard]] Area free_area(const Skyline& skyline) const;
    // An upper bound on the area that the remaining items can cover above the skyline.
    [[nodiscard]] Area usable_area(const Skyline& skyline) const;
    // Has every remaining item, taken alone, a place?
    [[nodiscard]] bool every_item_fits(const Skyline& skyline) const;
    // Do the bounds of dual_feasible_bounds.hpp allow the remaining items above the skyline?
    [[nodiscard]] bool dual_feasible_bounds_hold(const Skyline& skyline) const;

  private:
    friend class RemainingItemsTable;

    Length floor_width_ = 0;
    Length floor_length_ = 0;
    [[nodiscard]] bool fits(const Rectangle& item, const Skyline& skyline) const;

    std::pmr::vector<Shapes> items_;         // everything still outside
    std::pmr::vector<Rectangle> largest_;    // those with one shape that no other one covers
    std::pmr::vector<Shapes> largest_free_;  // those with two shapes, likewise
    std::pmr::vector<RemainingKind> kinds_;  // like items_, first the types; made when asked for
    std::shared_ptr<const SizeTables> tables_;

    // Made when first asked for; asking reorders them.
    struct LineBounds {
        std::vector<DualFeasibleBound> columns;
        std::vector<DualFeasibleBound> rows;
        std::vector<Lines> lines;
    };
    mutable std::unique_ptr<LineBounds> line_bounds_;
    mutable Skyline scratch_;
    TableMemory* memory_ = nullptr;
};

// Every state of "what remains" of one problem, made when the search reaches it.
class RemainingItemsTable {
  public:
    RemainingItemsTable(const Problem& problem, std::size_t max_bytes);

    [[nodiscard]] const RemainingItems& operator[](std::int32_t index) const {
        return *entries_[to_index(index)];
    }
    [[nodiscard]] std::int32_t first() const { return first_; }
    [[nodiscard]] const Shapes& kind(std::size_t stop, const ItemType& type) const {
        return stops_[stop].kinds[to_index(type.kind)];
    }
    // A stop with many items has more such states than any memory holds: time to give up.
    [[nodiscard]] bool is_full() const { return memory_.is_full(); }
    [[nodiscard]] std::size_t bytes() const { return memory_.used_bytes; }
    // What remains after one item of this type is loaded. An index, as everywhere here.
    std::int32_t next(std::int32_t remaining, std::size_t type);
    // Is the floor narrow enough, and are the items few enough, for the next two? And has each one
    // shape only?
    [[nodiscard]] bool can_narrow_places(std::int32_t remaining) const;
    // Strikes out places of the remaining items (see placement_domains.hpp); false if they do not
    // fit.
    [[nodiscard]] bool narrow_places(std::int32_t remaining, const Skyline& skyline);
    // Did the last call find that no item of this type can stand at x?
    [[nodiscard]] bool is_struck_out(std::size_t type, Length x) const {
        return ((domains_.places(type) >> x) & 1U) == 0;
    }
    // Every x at which an item of this type is to be tried on this skyline, in ascending order.
    void positions(std::int32_t remaining, std::size_t type, const Skyline& skyline, Places places,
                   std::vector<Length>& result);

  private:
    static constexpr std::size_t initial_arena_bytes = std::size_t{16} << 10;

    using Counts = std::pmr::vector<std::int32_t>;  // of each kind of item of a stop
    struct Stop {
        explicit Stop(std::pmr::memory_resource* memory) : kinds(memory), counts(memory) {}
        std::pmr::vector<Shapes> kinds;
        Counts counts;
        std::shared_ptr<const SizeTables> tables;  // of the whole stop and later ones, if shared
    };
    // Stops from one on.
    struct Tail {
        SubsetSums width_sums;
        SubsetSums length_sums;
        Area area = 0;
        std::size_t first_item = 0;  // the last ones of items_ are theirs
    };
    [[nodiscard]] std::span<const Shapes> items_of(const Tail& tail) const {
        return std::span(items_).subspan(tail.first_item);
    }
    std::int32_t open(std::size_t stop, const Counts& stop_counts);
    void list_kinds(std::size_t remaining);
    std::shared_ptr<const SizeTables> tables_of(std::size_t stop, const Counts& counts,
                                                std::span<const Shapes> items);
    void corners(Length item_width, const Skyline& skyline, std::vector<Length>& result) const;

    Length width_;
    Length length_;
    TableMemory memory_;
    // Entries come by the dozen and go together: one by one, allocation would cost as much as the
    // search for an easy query.
    std::pmr::monotonic_buffer_resource arena_{initial_arena_bytes};
    std::pmr::vector<Shapes> items_{&arena_};  // in the order of loading
    std::pmr::vector<Stop> stops_{&arena_};
    std::pmr::vector<Tail> tails_{&arena_};
    std::pmr::deque<RemainingItems> storage_{&arena_};  // none is moved
    std::pmr::vector<RemainingItems*> entries_{&arena_};
    std::pmr::deque<Counts> counts_{&arena_};  // of each entry
    std::pmr::map<std::pair<std::size_t, Counts>, std::int32_t> index_{&arena_};
    SubsetSums nothing_{0};
    Counts scratch_counts_;
    PlacementDomains domains_;
    std::vector<std::uint64_t> from_left_;
    std::vector<std::uint64_t> from_right_;
    std::vector<Length> left_places_;
    std::vector<Length> right_places_;
    std::int32_t first_ = 0;
};

}  // namespace tailgate::packing
