#include "weighing.hpp"

#include <algorithm>

namespace tailgate::packing {

std::vector<Weighing> make_weighings(std::span<const Rectangle> items, Axis lines, Length floor) {
    const auto along = [&](const Rectangle& item) {
        return lines == Axis::columns ? item.length : item.width;
    };
    const auto across = [&](const Rectangle& item) {
        return lines == Axis::columns ? item.width : item.length;
    };
    std::vector<Length> thresholds;
    for (const Rectangle& item : items) thresholds.push_back(along(item));
    std::sort(thresholds.begin(), thresholds.end());
    thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
    std::vector<Weighing> weighings;
    for (const bool by_length : {true, false}) {
        for (const Length threshold : thresholds) {
            Weighing weighing{std::vector<Area>(static_cast<std::size_t>(floor) + 1, 0), 0};
            for (const Rectangle& item : items) {
                const auto size = static_cast<std::size_t>(along(item));
                if (along(item) < threshold) continue;
                const Area weight = by_length ? along(item) : 1;
                weighing.needed += weight * across(item);
                for (std::size_t free = weighing.capacity.size(); free-- > size;) {
                    weighing.capacity[free] =
                        std::max(weighing.capacity[free], weighing.capacity[free - size] + weight);
                }
            }
            weighings.push_back(std::move(weighing));
        }
    }
    return weighings;
}

bool weighings_hold(std::vector<Weighing>& weighings, const std::vector<Lines>& lines) {
    for (std::size_t i = 0; i < weighings.size(); ++i) {
        Area total = 0;
        for (const Lines& bundle : lines) {
            total +=
                weighings[i].capacity[static_cast<std::size_t>(bundle.free_length)] * bundle.count;
        }
        if (total >= weighings[i].needed) continue;
        std::swap(weighings[i], weighings[i / 2]);
        return false;
    }
    return true;
}

}  // namespace tailgate::packing
