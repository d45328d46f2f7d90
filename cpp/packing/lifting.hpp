// Larger items that are just as easy to load.
#pragma once

#include "problem.hpp"

namespace tailgate::packing {

// Items that stand side by side in a chain have a total width within the floor's. If no set of
// other items fills the floor exactly beside an item, the item may as well take what must stay
// empty; likewise in length. Chains of "left of" and "above" decide a layout, so the verdict is
// unchanged, and the original items lie inside the larger ones.
[[nodiscard]] Problem lift_items(Problem problem);

}  // namespace tailgate::packing
