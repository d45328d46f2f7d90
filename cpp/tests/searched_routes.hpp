// Tiny routing data with labels, and sequences that searches for routes must avoid.
#pragma once

#include "labelled_routes.hpp"
#include "pricing/partial_path.hpp"

namespace tailgate::tests {

struct SearchedRoutes : LabelledRoutes {
    SearchedRoutes(TinyProblems& dice, std::size_t customers, const RouteRules& rules,
                   pricing::Money threshold, std::size_t row_count = 0)
        : SearchedRoutes(dice, tiny_route_data(dice, customers, rules), threshold, row_count) {}

    SearchedRoutes(TinyProblems& dice, const pricing::RouteData& route_data,
                   pricing::Money threshold, std::size_t row_count = 0)
        : LabelledRoutes(dice, route_data, threshold, row_count, dice.draw(1, 5)),
          forbidden(data.nodes, data.lifo),
          deferred(data.nodes, data.lifo) {
        compute(&bounds, false);
    }

    [[nodiscard]] pricing::RouteQuery query(std::size_t max_routes,
                                            std::int64_t content_after_paths,
                                            const pricing::Stop& stop) const {
        return {costs,    rows,      completions, neighbourhoods,      forbidden,
                deferred, threshold, max_routes,  content_after_paths, stop};
    }

    pricing::ForbiddenSequences forbidden;
    pricing::ForbiddenSequences deferred;
};

// Seven customers who may all share a truck.
inline pricing::RouteData roomy_route_data(TinyProblems& dice) {
    pricing::RouteData data = tiny_route_data(dice, 7, {});
    data.capacity = data.floor_area = 1'000;
    return data;
}

}  // namespace tailgate::tests
