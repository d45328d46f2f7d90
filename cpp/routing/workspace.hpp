// What the steps of a route search share: the problem, the solution at work, and what was proven.
#pragma once

#include <unordered_set>
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
          rules(problem),
          likeness(rules.is_directed ? Likeness::order : Likeness::order_or_reverse),
          loading(oracle, problem.customers, options.lifo, options.max_nodes),
          random(options.seed),
          pool(options.max_pool, likeness),
          tours(problem, rules) {}
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    // A route that is proven on the way enters the pool, whatever becomes of the solution it was
    // tried in.
    bool prove(const std::vector<Place>& stops) { return keep_if(loading.can_load(stops), stops); }
    // The same for stops that were just put together; `fill` is the share of the floor they cover.
    bool prove_filled(const std::vector<Place>& stops, double fill) {
        return keep_if(loading.can_load_filled(stops, fill), stops);
    }
    [[nodiscard]] bool keeps_limits(const std::vector<Place>& stops) const {
        return !rules.has_limits || problem.broken_limit(stops) == nullptr;
    }
    // Without the triangle inequality a tour may break a limit after stops were left out: then
    // the others leave it, too.
    void break_up_if_over_limit(std::size_t tour) {
        const std::vector<Place>& stops = tours[tour].stops;
        if (keeps_limits(stops)) return;
        unserved.insert(unserved.end(), stops.begin(), stops.end());
        tours.remove(tour, 0, stops.size());
    }
    // No cheaper order is one step away. A loading verdict, with which this is remembered as a
    // rule, is one for both directions; where they differ in cost it is remembered apart.
    [[nodiscard]] bool is_polished(const std::vector<Place>& stops) {
        return rules.has_directed_costs ? polished_.contains(key_of(stops, Likeness::order))
                                        : loading.is_polished(stops);
    }
    void mark_polished(const std::vector<Place>& stops) {
        if (!rules.has_directed_costs) return loading.mark_polished(stops);
        if (polished_.size() >= most_polished) polished_.clear();
        polished_.insert(key_of(stops, Likeness::order));
    }
    // A tour that is too short is no route.
    void keep(const std::vector<Place>& stops, double value_of_solution) {
        const auto count = static_cast<std::int32_t>(stops.size());
        if (count > 0 && count >= problem.min_stops) pool.offer(stops, value_of_solution);
    }

    RoutingProblem problem;
    RulesInUse rules;
    Likeness likeness;  // of routes
    LoadingCheck loading;
    RandomStream random;
    RoutePool pool;
    Tours tours;
    std::vector<Place> unserved;
    double value = 0.0;  // of the solution that the search is at: what is proven is worth as much

  private:
    static constexpr std::size_t most_polished = std::size_t{1} << 20;

    bool keep_if(bool can_load, const std::vector<Place>& stops) {
        if (can_load) keep(stops, value);
        return can_load;
    }

    std::unordered_set<RouteKey, RouteKeyHash> polished_;
};

}  // namespace tailgate::routing
