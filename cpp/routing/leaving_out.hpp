// Orders that cost less left out than on the way.
#pragma once

#include "workspace.hpp"

namespace tailgate::routing {

// Takes out of a tour whoever costs more there than left out, the most expensive first. What is
// left of a loadable tour is loadable.
void leave_out_expensive(Workspace& work, std::size_t tour);

}  // namespace tailgate::routing
