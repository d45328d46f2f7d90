// Cheaper orders of the stops of one tour, each proven before it is taken.
#pragma once

#include "workspace.hpp"

namespace tailgate::routing {

// Until no cheaper order is one step away.
void improve_order(Workspace& work, std::size_t tour);

}  // namespace tailgate::routing
