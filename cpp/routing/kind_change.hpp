// Tours that change to a vehicle of another kind.
#pragma once

#include "workspace.hpp"

namespace tailgate::routing {

// A random one of the tours at work goes to another kind; where that has no vehicle left, two
// tours exchange their vehicles. Stops for which there is no room are unserved.
void change_a_kind(Workspace& work);

// Until none of the tours at work is cheaper with a free vehicle of another kind, or in exchange
// with another tour.
void improve_kinds(Workspace& work);

}  // namespace tailgate::routing
