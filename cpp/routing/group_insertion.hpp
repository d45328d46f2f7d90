// Where customers who ride together can go.
#pragma once

#include <vector>

#include "workspace.hpp"

namespace tailgate::routing {

struct GroupInsertion {
    double cost = 0.0;
    std::size_t tour = 0;
    std::vector<Place> stops;  // of the tour with the group
};

// One for every tour that can take all of them at most at this cost, cheapest first. Each member
// goes where it is cheapest, one after the other in random order. Loading is not checked.
std::vector<GroupInsertion> insertions_of(Workspace& work, const Group& group, double most_cost);

}  // namespace tailgate::routing
