// What the steps of a route search share: the problem, the solution at work, and what was proven.
#pragma once

#include <vector>

#include "loading_check.hpp"
#include "random_stream.hpp"
#include "route_pool.hpp"
#include "routing_problem.hpp"
#include "tours.hpp"

namespace tailgate::routing {

struct SearchOptions {
    std::uint64_t seed = 0;
    bool lifo = true;              // as in the oracle
    std::int64_t max_nodes = 100;  // of one loading check
    std::size_t max_pool = 20000;
};

class Workspace {
  public:
    // The oracle must outlive this.
    Workspace(RoutingProblem checked_problem, packing::LoadingOracle& oracle,
              const SearchOptions& options)
        : problem(std::move(checked_problem)),
          has_windows(problem.has_windows()),
          likeness(has_windows ? Likeness::order : Likeness::order_or_reverse),
          loading(oracle, problem.customers, options.lifo, options.max_nodes),
          random(options.seed),
          pool(options.max_pool, likeness),
          tours(problem) {}
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    // A route that is proven on the way enters the pool, whatever becomes of the solution it was
    // tried in.
    bool prove(const std::vector<Place>& stops) { return keep_if(loading.can_load(stops), stops); }
    // The same for stops that were just put together; `fill` is the share of the floor they cover.
    bool prove_filled(const std::vector<Place>& stops, double fill) {
        return keep_if(loading.can_load_filled(stops, fill), stops);
    }
    // A tour that is too short is no route.
    void keep(const std::vector<Place>& stops, double value_of_solution) {
        const auto count = static_cast<std::int32_t>(stops.size());
        if (count > 0 && count >= problem.min_stops) pool.offer(stops, value_of_solution);
    }

    RoutingProblem problem;
    bool has_windows;
    Likeness likeness;  // of routes
    LoadingCheck loading;
    RandomStream random;
    RoutePool pool;
    Tours tours;
    std::vector<Place> unserved;
    double value = 0.0;  // of the solution that the search is at: what is proven is worth as much

  private:
    bool keep_if(bool can_load, const std::vector<Place>& stops) {
        if (can_load) keep(stops, value);
        return can_load;
    }
};

}  // namespace tailgate::routing
