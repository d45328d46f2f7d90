#include "lifting.hpp"

#include <algorithm>
#include <vector>

#include "subset_sums.hpp"

namespace tailgate::packing {

namespace {

// The cost grows with the square of the number of items, the gain does not.
constexpr std::size_t max_lifted_items = 200;

struct Size {
    Length* size = nullptr;
    Length* of_other_shape = nullptr;  // nowhere if the item has one shape

    [[nodiscard]] Length other() const { return of_other_shape == nullptr ? 0 : *of_other_shape; }
};

bool lift_sizes(std::vector<Size>& sizes, Length floor) {
    bool changed = false;
    // Small ones first: the large ones then meet fewer partners.
    std::ranges::sort(sizes, [](const Size& a, const Size& b) { return *a.size < *b.size; });
    for (const Size& lifted : sizes) {
        const Length rest = floor - *lifted.size;
        if (rest <= 0) continue;
        SubsetSums others(rest);
        for (const Size& partner : sizes) {
            if (partner.size == lifted.size || partner.size == lifted.of_other_shape) continue;
            if (partner.of_other_shape == nullptr)
                others.add(*partner.size);
            else if (partner.size < partner.of_other_shape)  // both shapes at once
                others.add_one_of(*partner.size, partner.other());
        }
        const Length beside = others.floor(rest);
        if (beside == rest) continue;
        *lifted.size = floor - beside;
        changed = true;
    }
    return changed;
}

std::vector<Size> sizes_of(Problem& problem, Length Rectangle::* size) {
    std::vector<Size> sizes;
    for (std::size_t stop = 0; stop < problem.stops.size(); ++stop) {
        for (std::size_t i = 0; i < problem.stops[stop].size(); ++i) {
            Length* const first = &(problem.stops[stop][i].*size);
            if (problem.other_shape(stop, i).width == 0) {
                sizes.push_back({first, nullptr});
                continue;
            }
            Length* const other = &(problem.turned[stop][i].*size);
            sizes.push_back({first, other});
            sizes.push_back({other, first});
        }
    }
    return sizes;
}

}  // namespace

Problem lift_items(Problem problem) {
    if (problem.count_items() > max_lifted_items) return problem;
    std::vector<Size> widths = sizes_of(problem, &Rectangle::width);
    while (lift_sizes(widths, problem.width)) {
    }
    std::vector<Size> lengths = sizes_of(problem, &Rectangle::length);
    while (lift_sizes(lengths, problem.length)) {
    }
    return problem;
}

}  // namespace tailgate::packing
