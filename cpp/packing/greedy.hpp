// A first try at a plan: no search, no tables, a few microseconds.
#pragma once

#include <optional>

#include "problem.hpp"

namespace tailgate::packing {

// Drops item after item where it loses the least, from the cab and from the door or, where nothing
// is loaded first, with exchanged axes; nothing if neither way gets everything in. The plan is one
// for these sizes, whatever they are.
[[nodiscard]] std::optional<Layout> greedy_layout(const Problem& problem);

}  // namespace tailgate::packing
