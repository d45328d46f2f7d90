// A part of a route on the clock: how long it takes at least, and when it must begin for that.
#pragma once

#include <algorithm>
#include <limits>

namespace tailgate::routing {

// As in Vidal, Crainic, Gendreau and Prins 2013, "A hybrid genetic algorithm with adaptive
// diversity management for a large class of vehicle routing problems with time-windows", without
// lateness: whether a route is in time is found by driving it.
struct TimeSegment {
    double busy = 0.0;     // driving and serving
    double waiting = 0.0;  // the least
    // Whoever begins between these waits no more than that.
    double earliest = -std::numeric_limits<double>::infinity();
    double latest = std::numeric_limits<double>::infinity();

    [[nodiscard]] double duration() const { return busy + waiting; }

    // This part, a way that takes so long, and the part after it.
    [[nodiscard]] TimeSegment then(double travel, const TimeSegment& next) const {
        const double before = duration() + travel;
        const double wait = std::max(0.0, next.earliest - before - latest);
        const double begin = std::max(earliest, next.earliest - before) - wait;
        return {.busy = busy + travel + next.busy,
                .waiting = waiting + wait + next.waiting,
                .earliest = begin,
                // Never before it begins: who is late by a rounding error leaves as early as he
                // can.
                .latest = std::max(begin, std::min(latest, next.latest - before))};
    }
};

}  // namespace tailgate::routing
