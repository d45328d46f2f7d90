// Finds the cheapest elementary routes below a threshold, all of them if there are few enough:
// depth first, keeping only beginnings that some completion makes cheap.
#pragma once

#include <functional>
#include <vector>

#include "partial_path.hpp"
#include "seen_paths.hpp"
#include "true_costs.hpp"

namespace tailgate::pricing {

class PathSearch {
  public:
    PathSearch(const RouteData& data, const std::vector<Resource>& resources, bool symmetric);

    using Query = RouteQuery;
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
    void begin(const Query& query);
    bool extend(const Query& query, const PartialPath::State& state);
    [[nodiscard]] bool is_known(const PartialPath::State& state);
    bool finish(const Query& query, const PartialPath::State& state);

    Timetable timetable_;
    PartialPath path_;
    std::vector<std::vector<PartialPath::Extension>> extensions_;  // by depth, kept to save
                                                                   // allocations
    std::vector<PricedRoute> found_;  // a heap with the most expensive on top
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
