// Finds routes of negative reduced cost: exact over elementary routes whose loading is not refuted.
//
// Bounds on walks prune the ng labelling, whose labels prune the search for elementary paths. With
// few customers the labelling begins far below zero, where little is to be looked at, and rises
// until something is found. The search goes on where it was left while duals and labels are the
// same.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "best_first_search.hpp"
#include "completions.hpp"
#include "forbidden_sequences.hpp"
#include "neighbourhoods.hpp"
#include "order_search.hpp"
#include "path_search.hpp"
#include "route_data.hpp"
#include "subset_rows.hpp"
#include "tightened.hpp"
#include "timetable.hpp"
#include "together_groups.hpp"
#include "true_costs.hpp"
#include "walk_bounds.hpp"

namespace tailgate::pricing {

struct Pricing {
    std::vector<PricedRoute> routes;  // cheapest first
    bool complete =
        false;  // if not, it was stopped, and no routes does not mean that there are none
    Money bound = -no_way;  // no route costs less, unless it is forbidden
};

struct RouteList {
    std::vector<Path> routes;  // cheapest first, without regard to duals
    bool complete = false;     // if not, some are missing, or are not the cheapest orders
};

// Of going directly between two places, in either direction.
struct EdgeDual {
    Node a = 0;
    Node b = 0;
    double value = 0.0;
};

struct Duals {
    std::vector<double> visits;  // of customers 1..n
    double cost_factor = 1.0;    // with 0 routes are free: only the duals count
    std::vector<EdgeDual> edges;
    std::vector<std::pair<SubsetRow, double>> rows;  // with their penalties, at least 0
};

// Ways of saving work that can be left out, to measure what they are worth.
struct Savings {
    bool walk_bounds = true;
    bool growing_neighbourhoods = true;
    bool resumed_search = true;
};

struct PricerStatistics {
    std::int64_t calls = 0;
    std::int64_t labellings = 0;
    std::int64_t labels = 0;
    std::int64_t paths = 0;
    double walk_seconds = 0.0;
    double label_seconds = 0.0;
    double path_seconds = 0.0;
};

class Pricer {
  public:
    explicit Pricer(RouteData data, Savings savings = {});
    Pricer(const Pricer&) = delete;
    Pricer& operator=(const Pricer&) = delete;

    // Routes must not contain this sequence, or its customers in any order: the loading is proven
    // infeasible.
    void forbid(const Path& sequence, bool in_any_order = false);
    // Is this route forbidden or deferred, by what is known now?
    [[nodiscard]] bool skips(const Path& route) const;
    // Routes that contain this sequence are skipped until `release_all`: it is not known whether
    // it can be loaded.
    void defer(const Path& sequence) {
        deferred_.add(sequence);
        search_.learn();
    }
    void release_all() {
        deferred_.clear();
        search_.release();
    }
    [[nodiscard]] std::size_t deferred_count() const { return deferred_.size(); }

    // No route goes directly from the one to the other, in either direction; 0 is the depot.
    // Replaces all edges forbidden before.
    void set_forbidden_edges(const std::vector<std::pair<Node, Node>>& edges);

    // Forgets nothing if they are the same as before. Duals of edges are rounded up and penalties
    // down, so that no reduced cost is overstated.
    void set_duals(const Duals& duals);
    // The same, without duals of edges and rows.
    void set_duals(const std::vector<double>& duals, double cost_factor) {
        set_duals({duals, cost_factor, {}, {}});
    }

    // The cheapest routes below `threshold` that are neither forbidden nor deferred.
    Pricing price(double threshold, std::size_t max_routes, const Stop& stop);
    // The next ones, under the same duals: none that was returned since `price`. No routes does not
    // mean that there are no others: `price` may find more.
    Pricing price_more(std::size_t max_routes, const Stop& stop);

    // Walks that look cheap under the present duals, one for every last customer, and a bound
    // below which no route is: quick, and a relaxation only.
    struct Walks {
        std::vector<Path> walks;
        Money bound = 0;
    };
    Walks cheapest_walks();

    // For every set of customers with a route below `threshold` that is not forbidden, the one of
    // them that costs least without regard to duals. Deferred routes are among them.
    RouteList list_sets(double threshold, std::size_t max_sets, std::int64_t max_paths,
                        const Stop& stop);

    // The order of these customers that costs least without regard to duals and forbidden edges,
    // of those in which nothing is forbidden.
    OrderSearch::Outcome cheapest_order(const Path& customers, const Stop& stop, Path& order);

    // Fixed point and back. Costs are rounded down, so that bounds hold; duals that are too large
    // are cut off.
    [[nodiscard]] double to_double(Money money) const {
        return static_cast<double>(money) / scale_;
    }
    [[nodiscard]] double rounded_dual(double dual) const {
        return std::nearbyint(std::clamp(dual, -largest_dual_, largest_dual_) * scale_) / scale_;
    }
    [[nodiscard]] const PricerStatistics& statistics() const { return statistics_; }

  private:
    Completions::Outcome label(Money threshold, std::int64_t max_labels, int max_growths,
                               const Stop& stop);
    bool find_some_routes(Money threshold, const Stop& stop, std::vector<PricedRoute>& routes);
    void keep_for_later(std::size_t max_routes, std::vector<PricedRoute>& routes);
    bool grow_neighbourhoods();
    bool search_routes(const RouteQuery& query, Pricing& pricing);
    BestFirstSearch::Outcome go_on(const RouteQuery& query, Pricing& pricing);
    void forget_search();
    [[nodiscard]] bool has_stages() const;
    [[nodiscard]] RouteQuery route_query(Money below, std::size_t max_routes,
                                         const Stop& stop) const;
    void make_costs();
    void make_walks();
    void check_customers(const Path& customers) const;
    [[nodiscard]] std::vector<std::pair<SubsetRow, Money>> rounded_rows(const Duals& duals) const;
    [[nodiscard]] std::vector<Money> rounded_edges(const Duals& duals) const;
    [[nodiscard]] Money reduced_cost(const Path& route) const;
    // What waiting for a unit of time costs under the present duals.
    [[nodiscard]] double waiting_rate() const { return data_.waiting_cost * cost_factor_ * scale_; }

    RouteData data_;
    Timetable timetable_;
    Savings savings_;
    std::vector<Resource> resources_;
    TogetherGroups groups_;
    bool symmetric_;
    double scale_;
    double largest_dual_;
    ArcCosts costs_;
    std::vector<Money> duals_;
    double cost_factor_ = 1.0;
    std::vector<Money> edge_duals_;      // by rows, symmetric
    std::vector<char> forbidden_edges_;  // by rows, symmetric
    std::vector<std::pair<SubsetRow, Money>> penalties_;
    SubsetRows rows_;
    TrueCosts true_costs_;
    WalkBounds walks_;
    Neighbourhoods neighbourhoods_;
    Completions completions_;
    BestFirstSearch search_;
    bool search_is_too_large_ = false;  // with these labels
    std::vector<PricedRoute> waiting_;  // found with others and not returned yet
    PathSearch paths_;
    ForbiddenSequences forbidden_;
    ForbiddenSequences deferred_;
    OrderSearch orders_;
    bool costs_are_made_ = false;
    bool walks_are_current_ = false;
    Money labelled_below_ = -no_way;  // completions_ hold for all routes below; -no_way: for none
    // No route costs less under the present duals: the best of all labellings that were finished.
    Money labelled_bound_ = -no_way;
    std::size_t stage_ = 0;
    bool labels_are_many_ = false;
    PricerStatistics statistics_;
};

}  // namespace tailgate::pricing
