// Finds routes of negative reduced cost: exact over elementary routes whose loading is not refuted.
//
// Bounds on walks prune the ng labelling, whose labels prune the search for elementary paths. The
// search begins far below zero, where little is to be looked at, and rises until it finds
// something.
#pragma once

#include <memory>
#include <vector>

#include "completions.hpp"
#include "forbidden_sequences.hpp"
#include "neighbourhoods.hpp"
#include "path_search.hpp"
#include "route_data.hpp"
#include "walk_bounds.hpp"

namespace tailgate::pricing {

struct Pricing {
    std::vector<PricedRoute> routes;  // cheapest first
    bool complete =
        false;  // if not, it was stopped, and no routes does not mean that there are none
    Money bound = -no_way;  // no route costs less, unless it is forbidden
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
    explicit Pricer(RouteData data);
    Pricer(const Pricer&) = delete;
    Pricer& operator=(const Pricer&) = delete;

    // Routes must not contain this sequence: its loading is proven infeasible.
    void forbid(const Path& sequence);
    // Is this route ruled out, or passed over, by what is known now?
    [[nodiscard]] bool passes_over(const Path& route) const;
    // Routes that contain this sequence are passed over until `release_all`: it is not known
    // whether it can be loaded.
    void set_aside(const Path& sequence);
    void release_all();
    [[nodiscard]] std::size_t set_aside_count() const { return set_aside_.size(); }

    // Prices of visits, by customer 1..n. Forgets nothing if they are the same as before. With a
    // cost factor of 0 routes are free: only the prices count.
    void set_duals(const std::vector<double>& duals, double cost_factor);

    // The cheapest routes below `threshold` that are neither forbidden nor set aside.
    Pricing price(double threshold, std::size_t max_routes, const Stop& stop);

    // Fixed point and back. Costs are rounded down, so that bounds hold; duals that are too large
    // are cut off.
    [[nodiscard]] double to_double(Money money) const;
    [[nodiscard]] double rounded_dual(double dual) const;
    [[nodiscard]] const PricerStatistics& statistics() const { return statistics_; }

  private:
    Completions::Outcome label(Money threshold, std::int64_t max_labels, const Stop& stop);
    bool find_some_routes(Money threshold, std::size_t max_routes, const Stop& stop,
                          std::vector<PricedRoute>& routes);
    bool grow_neighbourhoods();

    RouteData data_;
    std::vector<Resource> resources_;
    bool symmetric_;
    double scale_;
    double largest_dual_;
    ArcCosts costs_;
    std::vector<Money> duals_;
    double cost_factor_ = 1.0;
    WalkBounds walks_;
    Neighbourhoods neighbourhoods_;
    Completions completions_;
    PathSearch paths_;
    ForbiddenSequences forbidden_;
    ForbiddenSequences set_aside_;
    bool walks_are_current_ = false;
    Money labelled_below_ = -no_way;  // completions_ hold for all routes below; -no_way: for none
    std::size_t stage_ = 0;
    bool labels_are_many_ = false;
    PricerStatistics statistics_;
};

}  // namespace tailgate::pricing
