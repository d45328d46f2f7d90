#include "lifting.hpp"

#include <algorithm>
#include <vector>

#include "subset_sums.hpp"

namespace tailgate::packing {

namespace {

// The cost grows with the square of the number of items, the gain does not.
constexpr std::size_t max_lifted_items = 200;

bool lift_sizes(std::vector<Length*>& sizes, Length floor) {
    bool changed = false;
    // Small ones first: the large ones then meet fewer partners.
    std::ranges::sort(sizes, [](const Length* a, const Length* b) { return *a < *b; });
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const Length rest = floor - *sizes[i];
        if (rest <= 0) continue;
        SubsetSums others(rest);
        for (std::size_t j = 0; j < sizes.size(); ++j) {
            if (j != i) others.add(*sizes[j]);
        }
        const Length beside = others.floor(rest);
        if (beside == rest) continue;
        *sizes[i] = floor - beside;
        changed = true;
    }
    return changed;
}

}  // namespace

Problem lift_items(Problem problem) {
    if (problem.count_items() > max_lifted_items) return problem;
    std::vector<Length*> widths;
    std::vector<Length*> lengths;
    for (auto& stop : problem.stops) {
        for (Rectangle& item : stop) {
            widths.push_back(&item.width);
            lengths.push_back(&item.length);
        }
    }
    while (lift_sizes(widths, problem.width)) {
    }
    while (lift_sizes(lengths, problem.length)) {
    }
    return problem;
}

}  // namespace tailgate::packing
