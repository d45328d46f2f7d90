// Loading above a skyline, tried out at every integer position of a tiny floor.
#pragma once

#include <algorithm>
#include <vector>

#include "packing/problem.hpp"
#include "packing/skyline.hpp"

namespace tailgate::tests {

// Can the items be put above the skyline, tried at every integer position?
class AboveSkyline {
  public:
    AboveSkyline(const packing::Problem& problem, std::vector<packing::Length> heights)
        : problem_(problem), heights_(std::move(heights)) {
        for (std::size_t stop = 0; stop < problem.stops.size(); ++stop) {
            for (const packing::Rectangle& item : problem.stops[stop])
                items_.push_back({item, stop, {}});
        }
        fixed_ = items_.size();
    }
    [[nodiscard]] bool can_load() { return place(0); }
    // With the item of this index, in the order of loading, at this x.
    [[nodiscard]] bool can_load_with(std::size_t index, packing::Length x) {
        fixed_ = index;
        fixed_x_ = x;
        const bool result = place(0);
        fixed_ = items_.size();
        return result;
    }

  private:
    struct Item {
        packing::Rectangle size;
        std::size_t stop = 0;
        packing::Position at;
    };

    bool place(std::size_t index) {
        if (index == items_.size()) return true;
        Item& item = items_[index];
        for (item.at.x = 0; item.at.x + item.size.width <= problem_.width; ++item.at.x) {
            if (index == fixed_ && item.at.x != fixed_x_) continue;
            const auto first = heights_.begin() + item.at.x;
            for (item.at.y = *std::max_element(first, first + item.size.width);
                 item.at.y + item.size.length <= problem_.length; ++item.at.y) {
                if (agrees(index) && place(index + 1)) return true;
            }
        }
        return false;
    }

    [[nodiscard]] bool agrees(std::size_t index) const {
        const Item& item = items_[index];
        // Items come in the order of loading, so another one is of this stop or an earlier one.
        return std::all_of(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(index),
                           [&](const Item& other) {
                               if (item.at.x + item.size.width <= other.at.x ||
                                   other.at.x + other.size.width <= item.at.x) {
                                   return true;
                               }
                               if (other.at.y + other.size.length <= item.at.y) return true;
                               return other.stop == item.stop &&
                                      item.at.y + item.size.length <= other.at.y;
                           });
    }

    const packing::Problem& problem_;
    std::vector<packing::Length> heights_;
    std::vector<Item> items_;
    std::size_t fixed_ = 0;
    packing::Length fixed_x_ = 0;
};

inline packing::Skyline steps_of(const std::vector<packing::Length>& heights) {
    packing::Skyline skyline;
    for (std::size_t x = 0; x < heights.size(); ++x) {
        if (skyline.empty() || skyline.back().height != heights[x]) {
            skyline.push_back({static_cast<packing::Length>(x), heights[x]});
        }
    }
    return skyline;
}

inline std::vector<packing::Length> columns_of(const packing::Skyline& skyline,
                                               packing::Length width) {
    std::vector<packing::Length> heights(static_cast<std::size_t>(width));
    for (std::size_t i = 0; i < skyline.size(); ++i) {
        const packing::Length right = i + 1 < skyline.size() ? skyline[i + 1].x : width;
        for (packing::Length x = skyline[i].x; x < right; ++x) {
            heights[static_cast<std::size_t>(x)] = skyline[i].height;
        }
    }
    return heights;
}

}  // namespace tailgate::tests
