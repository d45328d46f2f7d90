// Finds the cheapest elementary routes below a threshold, all of them if there are few enough:
// depth first, keeping only beginnings that some completion makes cheap.
#pragma once

#include <functional>
#include <vector>

#include "completions.hpp"
#include "forbidden_sequences.hpp"
#include "neighbourhoods.hpp"
#include "route_data.hpp"
#include "seen_paths.hpp"
#include "subset_rows.hpp"
#include "timetable.hpp"
#include "together_groups.hpp"
#include "true_costs.hpp"

namespace tailgate::pricing {

struct PricedRoute {
    Path customers;
    Money reduced_cost = 0;
};

inline bool is_cheaper(const PricedRoute& a, const PricedRoute& b) {
    return a.reduced_cost != b.reduced_cost ? a.reduced_cost < b.reduced_cost
                                            : a.customers < b.customers;
}

class PathSearch {
  public:
    PathSearch(const RouteData& data, const std::vector<Resource>& resources, bool symmetric);

    struct Query {
        const ArcCosts& costs;
        const SubsetRows& rows;
        const Completions& completions;
        const Neighbourhoods& neighbourhoods;
        const ForbiddenSequences& forbidden;
        const ForbiddenSequences& deferred;
        Money threshold;
        std::size_t max_routes;
        std::int64_t content_after_paths;
        const Stop& stop;
        double waiting_rate = 0.0;  // what waiting for a unit of time costs
    };
    enum class Outcome {
        complete,
        content,  // with some routes, after so many paths; others may be cheaper
        too_many,
        stopped
    };
    // The `max_routes` cheapest routes below the threshold that contain nothing forbidden, cheapest
    // first.
    Outcome run(const Query& query, std::vector<PricedRoute>& routes);

    // Shows all routes below the threshold to `look`, in any order, one of each pair of a route and
    // its reverse where both cost alike. Too many: more than `max_paths`, or `look` returns false.
    // Of the query, `max_routes` and `content_after_paths` are not looked at. With `only_best`
    // the order of customers must not matter to what is forbidden: then for every route that is
    // not shown, one of the same customers is that costs no more there, in either direction.
    using Look = std::function<bool(const Path&)>;
    Outcome list(const Query& query, std::int64_t max_paths, const Look& look,
                 const TrueCosts* only_best = nullptr);

    [[nodiscard]] std::int64_t paths() const { return paths_; }

  private:
    struct Extension {
        Node customer = 0;
        Money cost = 0;  // of the path up to the customer, which is not paid for subset rows yet
        Money best = 0;  // of the cheapest route it may become
    };
    void begin(const Query& query);
    bool extend(const Query& query, Money cost, const Load& load, const Timing& timing);
    [[nodiscard]] Money cheapest_rest(const Query& query, Node customer, std::size_t first,
                                      Money cost, const Load& load, const Timing& timing);
    [[nodiscard]] bool is_known(Money cost, const Timing& timing);
    [[nodiscard]] bool has_room_for_groups(const Query& query, const Load& load) const;
    bool finish(const Query& query, Money cost, const Timing& timing);

    const RouteData& data_;
    const std::vector<Resource>& resources_;
    bool symmetric_;
    TogetherGroups groups_;
    Timetable timetable_;
    Visits visits_;
    std::vector<std::vector<Extension>> extensions_;  // by depth, kept to save allocations
    std::vector<SubsetRows::Word> states_;            // by depth: of the path so long
    std::vector<SubsetRows::Word> carried_;           // to the customer that is being looked at
    std::vector<PricedRoute> found_;                  // a heap with the most expensive on top
    Money threshold_ = 0;
    std::int64_t paths_ = 0;
    std::int64_t started_at_ = 0;
    std::int64_t content_at_ = 0;
    std::int64_t give_up_at_ = 0;
    const Look* look_ = nullptr;
    const TrueCosts* true_costs_ = nullptr;  // if only the best orders are wanted
    std::vector<Money> true_cost_;           // by length of the path
    SeenPaths seen_;
    Outcome outcome_ = Outcome::complete;
};

}  // namespace tailgate::pricing
