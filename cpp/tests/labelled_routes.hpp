// Tiny routing data with everything that labelling needs.
#pragma once

#include "pricing/completions.hpp"
#include "test.hpp"
#include "tiny_routes.hpp"

namespace tailgate::tests {

inline const pricing::Stop never = [] { return false; };
inline constexpr std::int64_t no_limit = 1'000'000'000;  // can be added to

struct LabelledRoutes {
    LabelledRoutes(TinyProblems& dice, const pricing::RouteData& route_data,
                   pricing::Money threshold, std::size_t row_count, int neighbourhood_size)
        : data(route_data),
          resources(pricing::binding_resources(data)),
          prizes(draw_prizes(dice, data)),
          costs(costs_with(prizes, data)),
          threshold(threshold),
          neighbourhoods(data, static_cast<std::size_t>(neighbourhood_size)),
          bounds(data, resources),
          completions(data, resources),
          priced_rows(draw_rows(dice, data.nodes - 1, row_count)),
          rows(data.nodes) {
        rows.set(priced_rows);
        bounds.compute(costs);
    }

    void compute(const pricing::WalkBounds* walks, bool only_some, bool backwards = true) {
        CHECK(completions.compute({costs, rows, neighbourhoods, walks, threshold, no_limit,
                                   only_some, backwards && data.is_symmetric() ? &prizes : nullptr,
                                   never}) == pricing::Completions::Outcome::complete);
    }

    pricing::RouteData data;
    std::vector<pricing::Resource> resources;
    std::vector<pricing::Money> prizes;
    pricing::ArcCosts costs;
    pricing::Money threshold;
    pricing::Neighbourhoods neighbourhoods;
    pricing::WalkBounds bounds;
    pricing::Completions completions;
    PricedRows priced_rows;
    pricing::SubsetRows rows;
};

}  // namespace tailgate::tests
