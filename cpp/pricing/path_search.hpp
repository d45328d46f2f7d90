// Finds the cheapest elementary routes below a threshold, all of them if there are few enough:
// depth first, keeping only beginnings that some completion makes cheap.
#pragma once

#include <vector>

#include "completions.hpp"
#include "forbidden_sequences.hpp"
#include "neighbourhoods.hpp"
#include "route_data.hpp"

namespace tailgate::pricing {

struct PricedRoute {
    Path customers;
    Money reduced_cost = 0;
};

class PathSearch {
  public:
    PathSearch(const RouteData& data, const std::vector<Resource>& resources, bool symmetric);

    struct Question {
        const ArcCosts& costs;
        const Completions& completions;
        const Neighbourhoods& neighbourhoods;
        const ForbiddenSequences& forbidden;
        const ForbiddenSequences& set_aside;
        Money threshold;
        std::size_t max_routes;
        std::int64_t content_after_paths;
        const Stop& stop;
    };
    enum class Outcome {
        complete,
        content,  // with some routes, after so many paths; others may be cheaper
        stopped
    };
    // The `max_routes` cheapest routes below the threshold that contain nothing forbidden, cheapest
    // first.
    Outcome run(const Question& question, std::vector<PricedRoute>& routes);

    [[nodiscard]] std::int64_t paths() const { return paths_; }

  private:
    struct Extension {
        Node customer = 0;
        Money cost = 0;    // of the path up to and with the customer
        Money best = 0;    // of the cheapest route it may become
        double start = 0;  // of service
    };
    bool extend(const Question& question, Money cost, const Load& load, double departure);
    [[nodiscard]] Money cheapest_rest(const Question& question, Node customer, Money cost,
                                      const Load& load, double start) const;
    void finish(const Question& question, Money cost, double departure);

    const RouteData& data_;
    const std::vector<Resource>& resources_;
    bool symmetric_;
    Path path_;
    std::vector<std::int32_t> positions_;
    std::vector<std::vector<Extension>> extensions_;  // by depth, kept to save allocations
    std::vector<PricedRoute> found_;                  // a heap with the dearest on top
    Money threshold_ = 0;
    std::int64_t paths_ = 0;
    std::int64_t started_at_ = 0;
    std::int64_t content_at_ = 0;
    Outcome outcome_ = Outcome::complete;
};

}  // namespace tailgate::pricing
