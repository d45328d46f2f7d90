// The definition of a loading, tried out at every integer position of a tiny floor.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "packing/problem.hpp"

namespace tailgate::tests {

class BruteForce {
  public:
    explicit BruteForce(const packing::Problem& problem) : problem_(problem) {
        for (std::size_t stop = 0; stop < problem.stops.size(); ++stop) {
            for (std::size_t i = 0; i < problem.stops[stop].size(); ++i)
                items_.push_back({problem.stops[stop][i], problem.other_shape(stop, i), stop, {}});
        }
        // Large ones first, as there are few ways to place them; any order is complete.
        std::stable_sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
            return a.size.area() > b.size.area();
        });
    }

    [[nodiscard]] bool can_load() { return place(0); }

  private:
    struct Item {
        packing::Rectangle size;
        packing::Rectangle other;  // its other shape, if it has an area
        std::size_t stop = 0;
        packing::Position at;
        [[nodiscard]] packing::Length right() const { return at.x + size.width; }
        [[nodiscard]] packing::Length top() const { return at.y + size.length; }
    };

    bool place(std::size_t index) {
        if (index == items_.size()) return true;
        if (place_shape(index)) return true;
        Item& item = items_[index];
        if (item.other.width == 0) return false;
        std::swap(item.size, item.other);
        if (place_shape(index)) return true;
        std::swap(item.size, item.other);
        return false;
    }

    bool place_shape(std::size_t index) {
        Item& item = items_[index];
        for (packing::Length x = 0; x + item.size.width <= problem_.width; ++x) {
            for (packing::Length y = 0; y + item.size.length <= problem_.length; ++y) {
                item.at = {x, y};
                const bool agrees =
                    std::all_of(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(index),
                                [&](const Item& other) { return may_stand(item, other); });
                if (agrees && place(index + 1)) return true;
            }
        }
        return false;
    }

    // Side by side, or one behind the other with what is loaded first (a smaller stop) at the cab.
    static bool may_stand(const Item& a, const Item& b) {
        if (a.right() <= b.at.x || b.right() <= a.at.x) return true;
        return (a.top() <= b.at.y && a.stop <= b.stop) || (b.top() <= a.at.y && b.stop <= a.stop);
    }

    packing::Problem problem_;
    std::vector<Item> items_;
};

inline bool can_load(const packing::Problem& problem) {
    return BruteForce(problem).can_load();
}

}  // namespace tailgate::tests
