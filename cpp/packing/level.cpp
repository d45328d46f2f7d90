#include "level.hpp"

#include <algorithm>
#include <limits>

namespace tailgate::packing {

RemainingSizes::RemainingSizes(const SubsetSums& widths, const SubsetSums& lengths,
                               const std::vector<Rectangle>& items)
    : width_floor(static_cast<std::size_t>(widths.limit()) + 1),
      length_floor(static_cast<std::size_t>(lengths.limit()) + 1),
      narrowest(static_cast<std::size_t>(lengths.limit()) + 1, std::numeric_limits<Length>::max()) {
    Length best = 0;
    for (Length cap = 0; cap <= widths.limit(); ++cap) {
        if (widths.contains(cap)) best = cap;
        width_floor[static_cast<std::size_t>(cap)] = best;
    }
    best = 0;
    for (Length cap = 0; cap <= lengths.limit(); ++cap) {
        if (lengths.contains(cap)) best = cap;
        length_floor[static_cast<std::size_t>(cap)] = best;
    }
    for (const Rectangle& item : items) {
        if (item.length > lengths.limit()) continue;
        Length& slot = narrowest[static_cast<std::size_t>(item.length)];
        slot = std::min(slot, item.width);
    }
    for (std::size_t cap = 1; cap < narrowest.size(); ++cap) narrowest[cap] = std::min(narrowest[cap], narrowest[cap - 1]);
    for (const Rectangle& item : items) {
        const bool covered = std::any_of(items.begin(), items.end(), [&](const Rectangle& other) {
            return !(other == item) && other.width >= item.width && other.length >= item.length;
        });
        if (!covered && std::find(largest.begin(), largest.end(), item) == largest.end()) largest.push_back(item);
    }
}

namespace {

void merge_equal_heights(Skyline& skyline) {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < skyline.size(); ++i) {
        if (skyline[i].height != skyline[kept].height) skyline[++kept] = skyline[i];
    }
    skyline.resize(kept + 1);
}

// target |= source << shift
void add_shifted(std::vector<std::uint64_t>& target, std::span<const std::uint64_t> source, Length shift) {
    const std::size_t word = static_cast<std::size_t>(shift) / 64;
    const unsigned bits = static_cast<unsigned>(shift) % 64;
    for (std::size_t i = 0; i < source.size() && i + word < target.size(); ++i) {
        target[i + word] |= source[i] << bits;
        if (bits != 0 && i + word + 1 < target.size()) target[i + word + 1] |= source[i] >> (64 - bits);
    }
}

}  // namespace

void Level::raise_useless(Skyline& skyline, Length floor_width, Length floor_length) const {
    constexpr Length wall = std::numeric_limits<Length>::max();
    for (bool again = true; again;) {
        again = false;
        for (Step& step : skyline) {
            step.height = floor_length - sizes->length_floor[static_cast<std::size_t>(floor_length - step.height)];
        }
        merge_equal_heights(skyline);
        for (std::size_t i = 0; i < skyline.size(); ++i) {
            const Length left = i > 0 ? skyline[i - 1].height : wall;
            const Length right = i + 1 < skyline.size() ? skyline[i + 1].height : wall;
            const Length height = skyline[i].height;
            if (height >= left || height >= right || height == floor_length) continue;
            const Length width = (i + 1 < skyline.size() ? skyline[i + 1].x : floor_width) - skyline[i].x;
            if (width >= sizes->narrowest[static_cast<std::size_t>(floor_length - height)]) continue;
            skyline[i].height = std::min({left, right, floor_length});
            again = true;
        }
    }
}

Area Level::usable_area(const Skyline& skyline, Length floor_width, Length floor_length) const {
    Area by_column = 0;
    for (std::size_t i = 0; i < skyline.size(); ++i) {
        const Length right = i + 1 < skyline.size() ? skyline[i + 1].x : floor_width;
        by_column += Area{right - skyline[i].x} * (floor_length - skyline[i].height);
    }
    // Row by row: the free stretches of a row can be covered only by totals of widths.
    Area by_row = 0;
    Length height = floor_length;
    for (const Step& step : skyline) height = std::min(height, step.height);
    while (height < floor_length) {
        Length next_height = floor_length;
        Length covered = 0;
        for (std::size_t i = 0; i < skyline.size();) {
            if (skyline[i].height > height) {
                next_height = std::min(next_height, skyline[i].height);
                ++i;
                continue;
            }
            const Length left = skyline[i].x;
            while (i < skyline.size() && skyline[i].height <= height) ++i;
            const Length right = i < skyline.size() ? skyline[i].x : floor_width;
            covered += sizes->width_floor[static_cast<std::size_t>(right - left)];
        }
        by_row += Area{next_height - height} * covered;
        height = next_height;
    }
    return std::min(by_column, by_row);
}

namespace {
void add_weighings(std::vector<Weighing>& out, Length floor, const std::vector<Rectangle>& items, bool by_length) {
    const auto size = [&](const Rectangle& r) { return by_length ? r.length : r.width; };
    const auto other = [&](const Rectangle& r) { return by_length ? r.width : r.length; };
    std::vector<Length> thresholds;
    for (const auto& r : items) thresholds.push_back(size(r));
    std::sort(thresholds.begin(), thresholds.end());
    thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
    for (int kind = 0; kind < 2; ++kind) {
        for (std::size_t t = 0; t < thresholds.size(); ++t) {
            const Length threshold = thresholds[t];
            if (kind == 0 && t == 0) continue;
            Weighing w;
            w.capacity.assign(static_cast<std::size_t>(floor) + 1, 0);
            for (const auto& r : items) {
                if (size(r) < threshold) continue;
                const Area weight = kind == 0 ? size(r) : 1;
                w.needed += weight * other(r);
                for (std::size_t u = static_cast<std::size_t>(floor); u >= static_cast<std::size_t>(size(r)); --u)
                    w.capacity[u] = std::max(w.capacity[u], w.capacity[u - static_cast<std::size_t>(size(r))] + weight);
            }
            out.push_back(std::move(w));
        }
    }
}
}
Weighings::Weighings(Length width, Length length, const std::vector<Rectangle>& items) {
    add_weighings(columns, length, items, true);
    add_weighings(rows, width, items, false);
}

bool Level::passes_weighings(const Skyline& skyline, Length floor_width, Length floor_length) const {
    if (!weighings) weighings = std::make_unique<Weighings>(floor_width, floor_length, items);
    for (const Weighing& w : weighings->columns) {
        Area total = 0;
        for (std::size_t i = 0; i < skyline.size(); ++i) {
            const Length right = i + 1 < skyline.size() ? skyline[i + 1].x : floor_width;
            total += w.capacity[static_cast<std::size_t>(floor_length - skyline[i].height)] * (right - skyline[i].x);
        }
        if (total < w.needed) return false;
    }
    struct Run { Length width, rows; };
    Run runs[256]; std::size_t count = 0;
    Length height = floor_length;
    for (const Step& step : skyline) height = std::min(height, step.height);
    while (height < floor_length) {
        Length next_height = floor_length;
        const std::size_t from = count;
        for (std::size_t i = 0; i < skyline.size();) {
            if (skyline[i].height > height) {
                next_height = std::min(next_height, skyline[i].height);
                ++i;
                continue;
            }
            const Length left = skyline[i].x;
            while (i < skyline.size() && skyline[i].height <= height) ++i;
            const Length right = i < skyline.size() ? skyline[i].x : floor_width;
            runs[count++] = {right - left, 0};
        }
        for (std::size_t k = from; k < count; ++k) runs[k].rows = next_height - height;
        height = next_height;
    }
    for (const Weighing& w : weighings->rows) {
        Area total = 0;
        for (std::size_t k = 0; k < count; ++k) total += w.capacity[static_cast<std::size_t>(runs[k].width)] * runs[k].rows;
        if (total < w.needed) return false;
    }
    return true;
}

bool Level::every_item_fits(const Skyline& skyline, Length floor_width, Length floor_length) const {
    for (const Rectangle& item : sizes->largest) {
        const Length highest = floor_length - item.length;
        bool found = false;
        for (std::size_t i = 0; i < skyline.size() && !found;) {
            if (skyline[i].height > highest) {
                ++i;
                continue;
            }
            const Length left = skyline[i].x;
            while (i < skyline.size() && skyline[i].height <= highest) ++i;
            found = (i < skyline.size() ? skyline[i].x : floor_width) - left >= item.width;
        }
        if (!found) return false;
    }
    return true;
}

Levels::Levels(const Problem& problem) : width_(problem.width), length_(problem.length) {
    const std::size_t count = problem.stops.size();
    later_widths_.assign(count + 1, SubsetSums(width_));
    later_lengths_.assign(count + 1, SubsetSums(length_));
    later_area_.assign(count + 1, 0);
    later_items_.resize(count + 1);
    stops_.resize(count);
    for (std::size_t stop = count; stop-- > 0;) {
        later_widths_[stop] = later_widths_[stop + 1];
        later_lengths_[stop] = later_lengths_[stop + 1];
        later_area_[stop] = later_area_[stop + 1];
        later_items_[stop] = later_items_[stop + 1];
        for (const Rectangle& item : problem.stops[stop]) {
            later_widths_[stop].add(item.width);
            later_lengths_[stop].add(item.length);
            later_area_[stop] += item.area();
            later_items_[stop].push_back(item);
            auto& [kinds, counts] = stops_[stop];
            const auto kind = std::find(kinds.begin(), kinds.end(), item);
            if (kind == kinds.end()) {
                kinds.push_back(item);
                counts.push_back(1);
            } else {
                ++counts[static_cast<std::size_t>(kind - kinds.begin())];
            }
        }
    }
    first_ = count > 0 ? open(0, stops_[0].counts) : open(0, {});
}

std::int32_t Levels::open(std::size_t stop, std::vector<std::int32_t> counts) {
    while (stop < stops_.size() && std::all_of(counts.begin(), counts.end(), [](std::int32_t c) { return c == 0; })) {
        ++stop;
        counts = stop < stops_.size() ? stops_[stop].counts : std::vector<std::int32_t>{};
    }
    if (stop >= stops_.size()) counts.clear();
    const auto [entry, is_new] = index_.try_emplace({stop, counts}, static_cast<std::int32_t>(levels_.size()));
    if (!is_new) return entry->second;
    auto level = std::make_unique<Level>();
    level->stop = static_cast<std::int32_t>(stop);
    if (stop < stops_.size()) {
        SubsetSums widths = later_widths_[stop + 1];
        SubsetSums lengths = later_lengths_[stop + 1];
        std::vector<Rectangle> items = later_items_[stop + 1];
        level->area = later_area_[stop + 1];
        for (std::size_t kind = 0; kind < counts.size(); ++kind) {
            if (counts[kind] == 0) continue;
            const Rectangle item = stops_[stop].kinds[kind];
            level->types.push_back({item, static_cast<std::int32_t>(kind), -1});
            for (std::int32_t copy = 0; copy < counts[kind]; ++copy) {
                widths.add(item.width);
                lengths.add(item.length);
                level->area += item.area();
                items.push_back(item);
            }
        }
        level->widths = widths;
        level->items = items;
        level->sizes = std::make_shared<RemainingSizes>(widths, lengths, items);
    }
    levels_.push_back(std::move(level));
    return entry->second;
}

std::int32_t Levels::next(std::int32_t index, std::size_t type) {
    ItemType& item_type = levels_[static_cast<std::size_t>(index)]->types[type];
    if (item_type.next_level >= 0) return item_type.next_level;
    const auto stop = static_cast<std::size_t>(levels_[static_cast<std::size_t>(index)]->stop);
    std::vector<std::int32_t> counts;
    for (const auto& [key, value] : index_) {
        if (value == index) counts = key.second;
    }
    --counts[static_cast<std::size_t>(item_type.count)];
    const std::int32_t next_level = open(stop, std::move(counts));
    levels_[static_cast<std::size_t>(index)]->types[type].next_level = next_level;
    return next_level;
}

void Levels::positions(std::int32_t index, std::size_t type, const Skyline& skyline, std::vector<Length>& result) {
    result.clear();
    const Rectangle item = levels_[static_cast<std::size_t>(index)]->types[type].item;
    const auto rest = levels_[static_cast<std::size_t>(next(index, type))]->widths.words();
    const Length last = width_ - item.width;
    const std::size_t word_count = static_cast<std::size_t>(width_) / 64 + 1;
    // Pushed to the left, an item stands against a wall or against others that are still outside;
    // pushed to the right likewise. Which of the two may depend on where it stands: left of any
    // threshold all items can be pushed left, the others right (Cote and Iori 2018, section 3).
    from_left_.assign(word_count, 0);
    from_right_.assign(word_count, 0);
    for (std::size_t i = 0; i < skyline.size(); ++i) {
        if (i == 0 || skyline[i - 1].height > skyline[i].height) add_shifted(from_left_, rest, skyline[i].x);
        if (i + 1 == skyline.size() || skyline[i + 1].height > skyline[i].height) {
            const Length wall = i + 1 == skyline.size() ? width_ : skyline[i + 1].x;
            // Mirrored: bit k stands for x = last - k.
            add_shifted(from_right_, rest, width_ - wall);
        }
    }
    const auto left_bit = [&](Length x) { return (from_left_[static_cast<std::size_t>(x) / 64] >> (x % 64)) & 1U; };
    const auto right_bit = [&](Length x) {
        const Length k = last - x;
        return (from_right_[static_cast<std::size_t>(k) / 64] >> (k % 64)) & 1U;
    };
    Length threshold = 0;
    std::int64_t balance = 0;  // left ones minus right ones before the threshold
    std::int64_t best = 0;
    for (Length x = 0; x <= last; ++x) {
        balance += static_cast<std::int64_t>(left_bit(x)) - static_cast<std::int64_t>(right_bit(x));
        if (balance < best) {
            best = balance;
            threshold = x + 1;
        }
    }
    for (Length x = 0; x <= last; ++x) {
        if (x < threshold ? left_bit(x) : right_bit(x)) result.push_back(x);
    }
}

}  // namespace tailgate::packing
