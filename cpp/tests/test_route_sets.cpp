#include <map>
#include <set>

#include "pricing/route_sets.hpp"
#include "test.hpp"
#include "tiny_routes.hpp"

using namespace tailgate::pricing;
using namespace tailgate::tests;

namespace {

TEST(of_every_set_the_cheapest_order_remains) {
    TinyProblems dice(1);
    for (int round = 0; round < 32; ++round) {
        RouteRules rules = RouteRules::of_round(round);
        const RouteData data = tiny_route_data(dice, 5, rules);
        const TrueCosts costs(data);
        RouteSets sets(costs, data.nodes);
        std::map<std::set<Node>, std::pair<Money, Path>> expected;
        for (const Path& route : all_routes(data)) {
            if (dice.draw(0, 3) == 0) continue;
            sets.add(route);
            const std::pair<Money, Path> priced{costs.of(route), route};
            const auto [found, is_new] = expected.try_emplace({route.begin(), route.end()}, priced);
            if (!is_new) found->second = std::min(found->second, priced);
            CHECK(sets.size() == expected.size());
        }
        std::set<std::pair<Money, Path>> sorted;
        for (const auto& [customers, priced] : expected) sorted.insert(priced);
        std::vector<Path> in_order;
        for (const auto& [cost, route] : sorted) in_order.push_back(route);
        CHECK(sets.take() == in_order);
        CHECK(sets.size() == 0);
        CHECK(sets.take().empty());
    }
}

TEST(a_route_and_its_reverse_cost_the_same_to_the_last_digit) {
    TinyProblems dice(2);
    RouteData data = tiny_route_data(dice, 9, {});
    for (std::size_t i = 0; i < data.nodes; ++i) {
        for (std::size_t j = 0; j < i; ++j)
            data.cost[i * data.nodes + j] = data.cost[j * data.nodes + i] = dice.draw(1, 999) / 7.0;
    }
    const TrueCosts costs(data);
    for (int round = 0; round < 100; ++round) {
        const Path route = draw_sequence(dice, 9, static_cast<std::size_t>(dice.draw(1, 9)));
        CHECK(costs.of(route) == costs.of({route.rbegin(), route.rend()}));
    }
}

TEST(costs_of_any_size_are_kept_apart) {
    for (const double unit : {1e-9, 1.0, 1e9}) {
        RouteData data;
        data.nodes = 3;
        data.cost = {0, unit, unit, unit, 0, unit * 1.001, unit, unit, 0};
        const TrueCosts costs(data);
        CHECK(costs.of({1}) < costs.of({1, 2}));
        CHECK(costs.of({1}) == costs.of({2}));
        CHECK(costs.of({1, 2}) > costs.of({2, 1}));
        CHECK(costs.of({1, 2}) < no_way);
    }
}

}  // namespace
