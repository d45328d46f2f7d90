// Fine floors for the tests: tiny problems in large odd numbers, off by a little here and there.
#pragma once

#include <vector>

#include "packing/problem.hpp"
#include "problems.hpp"

namespace tailgate::tests {

// Every size times its axis' factor. Brute force says of the tiny problem what holds for this one.
inline packing::Problem enlarged(packing::Problem problem, packing::Length width_factor,
                                 packing::Length length_factor) {
    problem.width *= width_factor;
    problem.length *= length_factor;
    for (auto* shapes : {&problem.stops, &problem.turned}) {
        for (auto& stop : *shapes) {
            for (packing::Rectangle& item : stop) {
                item.width *= width_factor;
                item.length *= length_factor;
            }
        }
    }
    return problem;
}

// The floor gets less than one factor longer and wider, and the items get smaller by so little that
// all of them together do not make up for a unit: the same sets fit side by side and behind one
// another as before, but no sizes have a common divisor any more.
inline packing::Problem disturbed(TinyProblems& dice, packing::Problem problem,
                                  packing::Length factor) {
    const auto most = static_cast<int>(factor / 4) / static_cast<int>(problem.count_items() + 1);
    problem.width += dice.draw(0, factor / 2);
    problem.length += dice.draw(0, factor / 2);
    for (std::size_t stop = 0; stop < problem.stops.size(); ++stop) {
        for (std::size_t i = 0; i < problem.stops[stop].size(); ++i) {
            packing::Rectangle& item = problem.stops[stop][i];
            item.width -= dice.draw(0, most);
            item.length -= dice.draw(0, most);
            // An item that may be turned has the same sizes the other way.
            if (problem.other_shape(stop, i).width > 0) problem.turned[stop][i] = item.exchanged();
        }
    }
    return problem;
}

}  // namespace tailgate::tests
