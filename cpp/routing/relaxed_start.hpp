// How a search begins: with a short search before any loading check, which takes for loadable
// whatever leaves some of the floor free. Afterwards tours that cannot be loaded are repaired.
#pragma once

#include <cstdint>
#include <vector>

#include "route_pool.hpp"
#include "workspace.hpp"

namespace tailgate::routing {

class RelaxedStart {
  public:
    explicit RelaxedStart(const Workspace& work);

    [[nodiscard]] std::int64_t length() const { return length_; }  // in iterations
    [[nodiscard]] bool has_begun() const { return steps_ > 0; }
    [[nodiscard]] bool is_over() const { return steps_ > length_; }
    void count_step() { ++steps_; }  // the first solution is one, too

    // The area that a tour of each kind may cover meanwhile.
    [[nodiscard]] const std::vector<std::int64_t>& floor_areas() const { return floor_areas_; }

    // A tour of a solution that was accepted, not proven.
    void keep(std::size_t kind, const std::vector<Place>& stops, double value) {
        routes_.offer(kind, stops, value);
    }
    // The best of these, last first: worth a proof later on.
    [[nodiscard]] std::vector<Route> routes_to_prove() const;

  private:
    std::int64_t length_;
    std::vector<std::int64_t> floor_areas_;
    std::int64_t steps_ = 0;
    RoutePool routes_;
};

// Takes stops out of tours that cannot be loaded, until all can or the check is cut off.
void repair(Workspace& work);

}  // namespace tailgate::routing
