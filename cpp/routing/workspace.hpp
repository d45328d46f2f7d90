// What the steps of a route search share: the problem, the solution at work, and what was proven.
#pragma once

#include <unordered_set>
#include <vector>

#include "fleet_problem.hpp"
#include "groups.hpp"
#include "loading_check.hpp"
#include "random_stream.hpp"
#include "route_pool.hpp"
#include "tours.hpp"
#include "vehicle_kind.hpp"

namespace tailgate::routing {

struct SearchOptions {
    std::uint64_t seed = 0;
    bool lifo = true;              // as in the oracles
    std::int64_t max_nodes = 100;  // of one loading check
    std::size_t max_pool = 20000;
};

class Workspace {
  public:
    // One oracle for every kind; kinds with the same floor may share one. They must outlive this.
    Workspace(FleetProblem checked_problem, const std::vector<packing::LoadingOracle*>& oracles,
              const SearchOptions& options);
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    [[nodiscard]] const VehicleKind& kind_of(std::size_t tour) const {
        return kinds[tours.kind_of(tour)];
    }
    [[nodiscard]] LoadingCheck& loading_of(std::size_t tour) {
        return loading[tours.kind_of(tour)];
    }
    [[nodiscard]] bool has_kinds() const { return kinds.size() > 1; }
    // Small for neighbours: the cheaper of both ways, by the cheapest kind.
    [[nodiscard]] double nearness(Place a, Place b) const;

    // A route that is proven on the way enters the pool, whatever becomes of the solution it was
    // tried in.
    bool prove(std::size_t kind, const std::vector<Place>& stops) {
        return keep_if(loading[kind].can_load(stops), kind, stops);
    }
    // The same for stops that were just put together, which cover so much of the floor.
    bool prove_filled(std::size_t kind, const std::vector<Place>& stops, std::int64_t area) {
        return keep_if(loading[kind].can_load_filled(stops, kinds[kind].fill_of(area)), kind,
                       stops);
    }
    // Some answer since the limits were set was "no" only for want of time.
    [[nodiscard]] bool was_cut_off() const;
    [[nodiscard]] std::int64_t checks() const;   // that went to the oracles
    [[nodiscard]] std::int64_t skipped() const;  // for doubts alone

    // Without the triangle inequality a tour may break a limit after stops were left out: then
    // the others leave it, too.
    void break_up_if_over_limit(std::size_t tour) {
        if (!kind_of(tour).keeps_limits(tours[tour].stops)) break_up(tour);
    }
    void break_up(std::size_t tour);
    // Takes a customer out of its tour, with all who ride together with it.
    void release(Place customer);
    // The same for those who were left alone: the last of the unserved, from this index on.
    void release_groups_of(std::size_t first_unserved);
    // The stops that a tour begins with because its vehicle is under way.
    [[nodiscard]] std::size_t locked_stops(std::size_t tour) const;

    [[nodiscard]] bool is_optional(Place customer) const {
        return !leave_out_costs.empty() && leave_out_costs[to_index(customer)] < infinity;
    }
    // Of those who may be left out, among these customers.
    [[nodiscard]] double cost_of_leaving_out(const std::vector<Place>& customers) const;

    // No cheaper order is one step away. A loading verdict, with which this is remembered as a
    // rule, is one for both directions; where they differ in cost it is remembered apart.
    [[nodiscard]] bool is_polished(std::size_t kind, const std::vector<Place>& stops) {
        return kinds[kind].rules.has_directed_costs
                   ? polished_.contains(key_of(stops, Likeness::order, kind))
                   : loading[kind].is_polished(stops);
    }
    void mark_polished(std::size_t kind, const std::vector<Place>& stops) {
        if (!kinds[kind].rules.has_directed_costs) return loading[kind].mark_polished(stops);
        if (polished_.size() >= most_polished) polished_.clear();
        polished_.insert(key_of(stops, Likeness::order, kind));
    }
    // A tour that is too short is no route.
    void keep(std::size_t kind, const std::vector<Place>& stops, double value_of_solution) {
        const auto count = static_cast<std::int32_t>(stops.size());
        if (count > 0 && count >= kinds[kind].problem.min_stops)
            pool.offer(kind, stops, value_of_solution);
    }

    FleetProblem problem;
    std::vector<VehicleKind> kinds;
    Groups groups;
    std::vector<double> leave_out_costs;  // by place, all or none of a group; empty: none
    bool has_windows;                     // some kind has
    Likeness likeness;                    // of routes
    std::vector<LoadingCheck> loading;    // by kind
    RandomStream random;
    RoutePool pool;
    Tours tours;
    std::vector<Place> unserved;
    double value = 0.0;  // of the solution that the search is at: what is proven is worth as much
    bool is_relaxed = false;  // everything counts as loadable

  private:
    static constexpr std::size_t most_polished = std::size_t{1} << 20;

    bool keep_if(bool can_load, std::size_t kind, const std::vector<Place>& stops) {
        if (can_load) keep(kind, stops, value);
        return can_load;
    }

    std::unordered_set<RouteKey, RouteKeyHash> polished_;
};

}  // namespace tailgate::routing
