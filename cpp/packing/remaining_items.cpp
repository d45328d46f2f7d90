#include "remaining_items.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

namespace tailgate::packing {

namespace {

// Beyond both limits the entries of a stop share their size tables.
constexpr Length max_floor_per_entry = 512;
constexpr std::size_t max_kinds_per_entry = 8;

constexpr std::size_t remaining_items_overhead =
    sizeof(RemainingItems) + 200;  // with its entries in the indices

constexpr Length wall = std::numeric_limits<Length>::max();

SizeTables::Table floors_of(const SubsetSums& sums, std::pmr::memory_resource* memory) {
    SizeTables::Table floors(to_index(sums.limit()) + 1, memory);
    Length best = 0;
    for (Length cap = 0; cap <= sums.limit(); ++cap) {
        if (sums.contains(cap)) best = cap;
        floors[to_index(cap)] = best;
    }
    return floors;
}

// Where the one fits, does the other one?
bool covers(const Rectangle& one, const Rectangle& other) {
    return one.width >= other.width && one.length >= other.length;
}

bool covers(const Shapes& one, const Shapes& other) {
    const auto contains = [&](const Rectangle& shape) {
        return covers(shape, other.one) || covers(shape, other.other);
    };
    return contains(one.one) && contains(one.other);
}

template <typename Kind>
void add_unless_covered(const Kind& item, std::pmr::vector<Kind>& largest) {
    const auto is_covered = [&](const Kind& other) { return covers(other, item); };
    if (std::any_of(largest.begin(), largest.end(), is_covered)) return;
    std::erase_if(largest, [&](const Kind& other) { return covers(item, other); });
    largest.push_back(item);
}

void merge_equal_heights(Skyline& skyline) {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < skyline.size(); ++i) {
        if (skyline[i].height != skyline[kept].height) skyline[++kept] = skyline[i];
    }
    skyline.resize(kept + 1);
}

// Calls visit(width, rows) for every free stretch of rows above the skyline, bundled: a stretch
// lasts until the lower of its walls ends.
// `open` is room to work in: steps whose stretch is still open to the right.
template <typename Visit>
void for_each_stretch(const Skyline& skyline, Length floor_width, Length floor_length,
                      Skyline& open, Visit visit) {
    open.clear();  // heights fall towards the back
    for (std::size_t i = 0; i <= skyline.size(); ++i) {
        const bool at_wall = i == skyline.size();
        const Length x = at_wall ? floor_width : skyline[i].x;
        const Length height = at_wall ? floor_length : skyline[i].height;
        Length left = x;
        while (!open.empty() && open.back().height <= height) {
            const Step step = open.back();
            open.pop_back();
            left = step.x;
            const Length end = std::min(height, open.empty() ? floor_length : open.back().height);
            if (end > step.height) visit(x - left, end - step.height);
        }
        if (!at_wall) open.push_back({left, height});
    }
}

// The positions of the bits up to `last`, in ascending order.
void list_bits(const std::vector<std::uint64_t>& words, Length last, std::vector<Length>& result) {
    result.clear();
    for (std::size_t i = 0; i < words.size(); ++i) {
        for (std::uint64_t bits = words[i]; bits != 0; bits &= bits - 1) {
            const auto index = static_cast<Length>(i * 64) + std::countr_zero(bits);
            if (index > last) return;
            result.push_back(index);
        }
    }
}

}  // namespace

SizeTables::SizeTables(std::span<const Shapes> items, SubsetSums widths, const SubsetSums& lengths,
                       std::pmr::memory_resource* memory)
    : width_sums(std::move(widths)),
      width_floor(floors_of(width_sums, memory)),
      length_floor(floors_of(lengths, memory)),
      narrowest(length_floor.size(), wall, memory) {
    const auto include = [&](const Rectangle& shape) {
        Length& width = narrowest[to_index(shape.length)];
        width = std::min(width, shape.width);
    };
    for (const Shapes& item : items) {
        include(item.one);
        if (item.is_free()) include(item.other);
    }
    for (std::size_t cap = 1; cap < narrowest.size(); ++cap) {
        narrowest[cap] = std::min(narrowest[cap], narrowest[cap - 1]);
    }
}

void RemainingItems::raise_useless(Skyline& skyline) const {
    for (bool again = true; again;) {
        again = false;
        for (Step& step : skyline) {
            step.height =
                floor_length_ - tables_->length_floor[to_index(floor_length_ - step.height)];
        }
        merge_equal_heights(skyline);
        for (std::size_t i = 0; i < skyline.size(); ++i) {
            const Length height = skyline[i].height;
            const Length left = i > 0 ? skyline[i - 1].height : wall;
            const Length right = i + 1 < skyline.size() ? skyline[i + 1].height : wall;
            if (height >= left || height >= right || height == floor_length_) continue;
            const Length width =
                (i + 1 < skyline.size() ? skyline[i + 1].x : floor_width_) - skyline[i].x;
            if (width >= tables_->narrowest[to_index(floor_length_ - height)]) continue;
            skyline[i].height = std::min({left, right, floor_length_});
            again = true;
        }
    }
}

Area RemainingItems::free_area(const Skyline& skyline) const {
    Area free = 0;
    for (std::size_t i = 0; i < skyline.size(); ++i) {
        const Length right = i + 1 < skyline.size() ? skyline[i + 1].x : floor_width_;
        free += Area{right - skyline[i].x} * (floor_length_ - skyline[i].height);
    }
    return free;
}

Area RemainingItems::usable_area(const Skyline& skyline) const {
    const Area by_column = free_area(skyline);
    if (by_column < area) return by_column;
    Area by_row = 0;
    for_each_stretch(skyline, floor_width_, floor_length_, scratch_,
                     [&](Length width, Length rows) {
                         by_row += Area{tables_->width_floor[to_index(width)]} * rows;
                     });
    return std::min(by_column, by_row);
}

bool RemainingItems::fits(const Rectangle& item, const Skyline& skyline) const {
    const Length highest = floor_length_ - item.length;
    bool found = false;
    for (std::size_t i = 0; i < skyline.size() && !found;) {
        if (skyline[i].height > highest) {
            ++i;
            continue;
        }
        const Length left = skyline[i].x;
        while (i < skyline.size() && skyline[i].height <= highest) ++i;
        found = (i < skyline.size() ? skyline[i].x : floor_width_) - left >= item.width;
    }
    return found;
}

bool RemainingItems::every_item_fits(const Skyline& skyline) const {
    for (const Rectangle& item : largest_) {
        if (!fits(item, skyline)) return false;
    }
    for (const Shapes& item : largest_free_) {
        if (!fits(item.one, skyline) && !fits(item.other, skyline)) return false;
    }
    return true;
}

bool RemainingItems::dual_feasible_bounds_hold(const Skyline& skyline) const {
    if (!line_bounds_) {
        if (2 * memory_->used_bytes > memory_->max_bytes)
            return true;  // the other half is for entries
        line_bounds_ = std::make_unique<LineBounds>();
        // Items that may stand either way are left out: the others have to fit without them.
        std::vector<Rectangle> items;
        for (const Shapes& item : items_) {
            if (!item.is_free()) items.push_back(item.one);
        }
        const bool few = items.size() <= max_bounds_items;
        if (few && floor_length_ <= max_bounds_floor) {
            line_bounds_->columns = make_dual_feasible_bounds(items, Axis::columns, floor_length_);
        }
        if (few && floor_width_ <= max_bounds_floor) {
            line_bounds_->rows = make_dual_feasible_bounds(items, Axis::rows, floor_width_);
        }
        for (const auto* made : {&line_bounds_->columns, &line_bounds_->rows}) {
            for (const DualFeasibleBound& bound : *made) {
                memory_->used_bytes += sizeof(bound) + bound.capacity.size() * sizeof(Area);
            }
        }
    }
    std::vector<Lines>& lines = line_bounds_->lines;
    lines.clear();
    for (std::size_t i = 0; i < skyline.size(); ++i) {
        const Length right = i + 1 < skyline.size() ? skyline[i + 1].x : floor_width_;
        lines.push_back({floor_length_ - skyline[i].height, right - skyline[i].x});
    }
    if (!packing::dual_feasible_bounds_hold(line_bounds_->columns, lines)) return false;
    lines.clear();
    for_each_stretch(skyline, floor_width_, floor_length_, scratch_,
                     [&](Length width, Length rows) { lines.push_back({width, rows}); });
    return packing::dual_feasible_bounds_hold(line_bounds_->rows, lines);
}

RemainingItemsTable::RemainingItemsTable(const Problem& problem, std::size_t max_bytes)
    : width_(problem.width),
      length_(problem.length),
      memory_{0, max_bytes},
      domains_(width_, length_) {
    const std::size_t count = problem.stops.size();
    stops_.reserve(count);
    tails_.assign(count + 1, Tail{SubsetSums(width_), SubsetSums(length_), 0, 0});
    for (std::size_t i = 0; i < count; ++i) {
        tails_[i].first_item = items_.size();
        auto& [kinds, counts, tables] = stops_.emplace_back(&arena_);
        for (std::size_t j = 0; j < problem.stops[i].size(); ++j) {
            const Shapes item = problem.shapes(i, j);
            items_.push_back(item);
            const auto kind = std::find(kinds.begin(), kinds.end(), item);
            if (kind == kinds.end()) {
                kinds.push_back(item);
                counts.push_back(1);
            } else {
                ++counts[to_index(kind - kinds.begin())];
            }
        }
    }
    tails_[count].first_item = items_.size();
    for (std::size_t i = count; i-- > 0;) {
        Tail& tail = tails_[i];
        tail.width_sums = tails_[i + 1].width_sums;
        tail.length_sums = tails_[i + 1].length_sums;
        tail.area = tails_[i + 1].area;
        for (std::size_t j = 0; j < problem.stops[i].size(); ++j) {
            const Shapes& item = items_[tail.first_item + j];
            tail.width_sums.add_one_of(item.one.width, item.other.width);
            tail.length_sums.add_one_of(item.one.length, item.other.length);
            tail.area += item.least_area();
        }
    }
    first_ = open(0, count > 0 ? stops_[0].counts : Counts{});
}

std::int32_t RemainingItemsTable::open(std::size_t stop, const Counts& stop_counts) {
    const Counts* counts = &stop_counts;
    const Counts none{&arena_};
    while (stop < stops_.size() &&
           std::all_of(counts->begin(), counts->end(), [](auto left) { return left == 0; })) {
        ++stop;
        counts = stop < stops_.size() ? &stops_[stop].counts : &none;
    }
    const auto [entry, is_new] =
        index_.try_emplace({stop, *counts}, static_cast<std::int32_t>(entries_.size()));
    if (!is_new) return entry->second;
    RemainingItems& remaining = *entries_.emplace_back(&storage_.emplace_back(&arena_));
    remaining.stop = static_cast<std::int32_t>(stop);
    if (stop < stops_.size()) {
        const Tail& later = tails_[stop + 1];
        const auto later_items = items_of(later);
        remaining.is_last_stop = later_items.empty();
        remaining.area = later.area;
        remaining.items_.reserve(later_items.size() +
                                 to_index(std::accumulate(counts->begin(), counts->end(), 0)));
        remaining.types.reserve(2 * counts->size());
        remaining.items_.assign(later_items.begin(), later_items.end());
        for (std::size_t kind = 0; kind < counts->size(); ++kind) {
            const Shapes& item = stops_[stop].kinds[kind];
            const std::int32_t left = (*counts)[kind];
            if (left > 0) {
                remaining.types.push_back({item.one, static_cast<std::int32_t>(kind), -1});
                if (item.is_free())
                    remaining.types.push_back({item.other, static_cast<std::int32_t>(kind), -1});
            }
            remaining.area += item.least_area() * left;
            remaining.items_.insert(remaining.items_.end(), to_index(left), item);
        }
        remaining.floor_width_ = width_;
        remaining.floor_length_ = length_;
        for (const Shapes& item : remaining.items_) {
            if (item.is_free())
                add_unless_covered(item, remaining.largest_free_);
            else
                add_unless_covered(item.one, remaining.largest_);
        }
        remaining.memory_ = &memory_;
        remaining.tables_ = tables_of(stop, *counts, remaining.items_);
    }
    memory_.used_bytes += remaining_items_overhead + remaining.items_.size() * sizeof(Shapes) +
                          remaining.types.size() * sizeof(ItemType) +
                          2 * counts->size() * sizeof(std::int32_t);
    counts_.push_back(*counts);
    return entry->second;
}

std::shared_ptr<const SizeTables> RemainingItemsTable::tables_of(std::size_t stop,
                                                                 const Counts& counts,
                                                                 std::span<const Shapes> items) {
    // A stop with many kinds of items has too many entries for tables of a large floor each.
    const bool share =
        width_ + length_ > max_floor_per_entry && stops_[stop].kinds.size() > max_kinds_per_entry;
    if (share && stops_[stop].tables) return stops_[stop].tables;
    const Tail& from = tails_[share ? stop : stop + 1];
    SubsetSums widths = from.width_sums;
    SubsetSums lengths = from.length_sums;
    const auto make = [&](std::span<const Shapes> of) {
        return std::allocate_shared<SizeTables>(
            std::pmr::polymorphic_allocator<SizeTables>(&arena_), of, std::move(widths), lengths,
            &arena_);
    };
    if (share) return stops_[stop].tables = make(items_of(from));
    for (std::size_t kind = 0; kind < counts.size(); ++kind) {
        for (std::int32_t copy = 0; copy < counts[kind]; ++copy) {
            const Shapes& item = stops_[stop].kinds[kind];
            widths.add_one_of(item.one.width, item.other.width);
            lengths.add_one_of(item.one.length, item.other.length);
        }
    }
    auto tables = make(items);
    memory_.used_bytes +=
        sizeof(SizeTables) +
        (tables->width_floor.size() + 2 * tables->length_floor.size()) * sizeof(Length);
    return tables;
}

std::int32_t RemainingItemsTable::next(std::int32_t index, std::size_t type) {
    const auto here = to_index(index);
    ItemType& loaded = entries_[here]->types[type];
    if (loaded.next_index >= 0) return loaded.next_index;
    scratch_counts_ = counts_[here];
    --scratch_counts_[to_index(loaded.kind)];
    return loaded.next_index = open(to_index(entries_[here]->stop), scratch_counts_);
}

void RemainingItemsTable::list_kinds(std::size_t index) {
    RemainingItems& remaining = *entries_[index];
    const auto stop = to_index(remaining.stop);
    for (const ItemType& type : remaining.types) {
        const std::int32_t count = counts_[index][to_index(type.kind)];
        remaining.kinds_.push_back({type.item, remaining.stop, count});
    }
    for (std::size_t later = stop + 1; later < stops_.size(); ++later) {
        for (std::size_t kind = 0; kind < stops_[later].kinds.size(); ++kind) {
            remaining.kinds_.push_back({stops_[later].kinds[kind].one,
                                        static_cast<std::int32_t>(later),
                                        stops_[later].counts[kind]});
        }
    }
    memory_.used_bytes += remaining.kinds_.size() * sizeof(RemainingKind);
}

bool RemainingItemsTable::can_narrow_places(std::int32_t index) const {
    const RemainingItems& remaining = (*this)[index];
    return width_ <= max_domain_width && remaining.items_.size() <= max_domain_items &&
           remaining.largest_free_.empty();
}

bool RemainingItemsTable::narrow_places(std::int32_t index, const Skyline& skyline) {
    const auto here = to_index(index);
    if (entries_[here]->kinds_.empty()) list_kinds(here);
    return domains_.narrow(entries_[here]->kinds_, skyline);
}

void RemainingItemsTable::corners(Length item_width, const Skyline& skyline,
                                  std::vector<Length>& result) const {
    for (std::size_t i = 0; i < skyline.size(); ++i) {
        const Length right = i + 1 < skyline.size() ? skyline[i + 1].x : width_;
        if (skyline[i].x + item_width <= width_) result.push_back(skyline[i].x);
        if (right >= item_width) result.push_back(right - item_width);
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
}

void RemainingItemsTable::positions(std::int32_t index, std::size_t type, const Skyline& skyline,
                                    Places places, std::vector<Length>& result) {
    result.clear();
    const Length last = width_ - (*this)[index].types[type].item.width;
    if (places == Places::corners) return corners(width_ - last, skyline, result);
    const RemainingItems& after = (*this)[next(index, type)];
    const SubsetSums& rest = after.is_final() ? nothing_ : after.tables_->width_sums;
    // Pushed to the left, an item stands against a wall or against others that are still outside;
    // pushed to the right likewise. Items left of any threshold can all be pushed left and the
    // others right (Côté and Iori 2018, meet in the middle): take the threshold with the fewest x.
    const std::size_t words = to_index(width_) / 64 + 1;
    from_left_.assign(words, 0);
    from_right_.assign(words, 0);  // mirrored: bit k stands for x = last - k
    for (std::size_t i = 0; i < skyline.size(); ++i) {
        const Length right = i + 1 < skyline.size() ? skyline[i + 1].x : width_;
        if (i == 0 || skyline[i - 1].height > skyline[i].height)
            rest.add_shifted_to(from_left_, skyline[i].x);
        if (right == width_ || skyline[i + 1].height > skyline[i].height) {
            rest.add_shifted_to(from_right_, width_ - right);
        }
    }
    // The right ones come in descending order. Walk both lists towards each other: as long as the
    // left ones are no denser, the threshold moves on.
    list_bits(from_left_, last, left_places_);
    list_bits(from_right_, last, right_places_);
    std::size_t best_left = 0;
    std::size_t best_right =
        right_places_.size();  // how many of the right ones lie at or beyond it
    std::size_t right_count = right_places_.size();
    for (std::size_t left_count = 1; left_count <= left_places_.size(); ++left_count) {
        // The threshold just beyond this left one: right ones at or below it are not needed.
        while (right_count > 0 &&
               last - right_places_[right_count - 1] <= left_places_[left_count - 1])
            --right_count;
        if (left_count + right_count < best_left + best_right) {
            best_left = left_count;
            best_right = right_count;
        }
    }
    result.assign(left_places_.begin(),
                  left_places_.begin() + static_cast<std::ptrdiff_t>(best_left));
    for (std::size_t i = best_right; i-- > 0;) result.push_back(last - right_places_[i]);
}

}  // namespace tailgate::packing
