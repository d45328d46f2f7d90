// The same problem seen in another way: it can be loaded exactly if the problem as given can.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "problem.hpp"

namespace tailgate::packing {

enum class View : std::uint8_t {
    as_given,
    from_door,      // the last stop is loaded first: a plan is read backwards
    axes_exchanged  // width for length; only where nothing is loaded before anything else
};

[[nodiscard]] inline Problem seen(Problem problem, View view) {
    for (auto* shapes : {&problem.stops, &problem.turned}) {
        if (view == View::from_door) std::ranges::reverse(*shapes);
        if (view != View::axes_exchanged) continue;
        for (auto& stop : *shapes) {
            for (Rectangle& item : stop) item = item.exchanged();
        }
    }
    if (view == View::axes_exchanged) std::swap(problem.width, problem.length);
    return problem;
}

// `layout` belongs to `problem`, which is seen so; the result to the problem as given.
[[nodiscard]] inline Layout as_given(const Problem& problem, View view, Layout layout) {
    if (view == View::as_given) return layout;
    for (std::size_t stop = 0; stop < layout.size(); ++stop) {
        for (std::size_t i = 0; i < layout[stop].size(); ++i) {
            Position& position = layout[stop][i];
            if (view == View::axes_exchanged)
                std::swap(position.x, position.y);
            else
                position.y =
                    problem.length - position.y - problem.placed(stop, i, position.turned).length;
        }
    }
    if (view == View::from_door) std::ranges::reverse(layout);
    return layout;
}

// The other way to look at a problem: where the order of loading is free, the way from the door
// is the way from the cab once more.
[[nodiscard]] inline View other_view(const Problem& problem) {
    return problem.has_order() ? View::from_door : View::axes_exchanged;
}

}  // namespace tailgate::packing
