#include "dual_feasible_bounds.hpp"

#include <algorithm>

namespace tailgate::packing {

std::vector<DualFeasibleBound> make_dual_feasible_bounds(std::span<const Rectangle> items,
                                                         Axis lines, Length floor) {
    const auto along = [&](const Rectangle& item) {
        return lines == Axis::columns ? item.length : item.width;
    };
    const auto across = [&](const Rectangle& item) {
        return lines == Axis::columns ? item.width : item.length;
    };
    std::vector<Length> thresholds;
    for (const Rectangle& item : items) thresholds.push_back(along(item));
    std::ranges::sort(thresholds);
    thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
    std::vector<DualFeasibleBound> bounds;
    for (const bool by_length : {true, false}) {
        for (const Length threshold : thresholds) {
            DualFeasibleBound bound{std::vector<Area>(to_index(floor) + 1, 0), 0};
            for (const Rectangle& item : items) {
                const auto size = to_index(along(item));
                if (along(item) < threshold) continue;
                const Area weight = by_length ? along(item) : 1;
                bound.needed += weight * across(item);
                for (std::size_t free = bound.capacity.size(); free-- > size;) {
                    bound.capacity[free] =
                        std::max(bound.capacity[free], bound.capacity[free - size] + weight);
                }
            }
            bounds.push_back(std::move(bound));
        }
    }
    return bounds;
}

bool dual_feasible_bounds_hold(std::vector<DualFeasibleBound>& bounds,
                               const std::vector<Lines>& lines) {
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        Area total = 0;
        for (const Lines& bundle : lines) {
            total += bounds[i].capacity[to_index(bundle.free_length)] * bundle.count;
        }
        if (total >= bounds[i].needed) continue;
        std::swap(bounds[i], bounds[i / 2]);
        return false;
    }
    return true;
}

}  // namespace tailgate::packing
