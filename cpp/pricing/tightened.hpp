// The same routes at the same costs, said in a way that leaves the searches less to do.
#pragma once

#include "route_data.hpp"

namespace tailgate::pricing {

// Throws `std::invalid_argument` if the data makes no sense. Allows the same routes as the data,
// with the same cost:
// - An arc without a duration or a distance where these count cannot be driven.
// - Where nobody ever waits, waiting costs nothing, and a limit on duration is one on the return.
// - Where a limit on driving is all there is to keep, it is kept by a clock that runs both ways.
// - Service begins no sooner than the depot allows, and no later than the way home allows.
[[nodiscard]] RouteData tightened(RouteData data);

}  // namespace tailgate::pricing
