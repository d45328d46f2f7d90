#include <map>
#include <set>

#include "pricing/order_search.hpp"
#include "test.hpp"
#include "tiny_routes.hpp"

using namespace tailgate::pricing;
using namespace tailgate::tests;

namespace {

const Stop never = [] { return false; };
using Outcome = OrderSearch::Outcome;

TEST(the_order_is_the_cheapest_of_all_that_are_allowed) {
    TinyProblems dice(1);
    int found = 0;
    int missing = 0;
    for (int round = 0; round < 96; ++round) {
        RouteData data = tiny_route_data(dice, 6, RouteRules::of_round(round));
        data.capacity = data.floor_area = 1'000;
        const std::vector<Path> routes = all_routes(data);
        const TrueCosts costs(data);
        ForbiddenSequences forbidden(data.nodes, data.lifo);
        OrderSearch search(data, costs, forbidden, data.is_symmetric());
        std::vector<Path> sequences;
        for (int step = 0; step < 6; ++step) {
            std::map<std::set<Node>, std::pair<Money, Path>> expected;
            for (const Path& route : routes) {
                if (contains_any(route, sequences, data.lifo)) continue;
                const std::pair<Money, Path> priced{costs.of(route), route};
                const auto [at, is_new] =
                    expected.try_emplace({route.begin(), route.end()}, priced);
                if (!is_new) at->second = std::min(at->second, priced);
            }
            for (int i = 0; i < 10; ++i) {
                const Path customers =
                    draw_sequence(dice, 6, static_cast<std::size_t>(dice.draw(2, 6)));
                const auto best = expected.find({customers.begin(), customers.end()});
                Path order;
                const Outcome outcome = search.run(customers, never, order);
                CHECK(outcome == (best == expected.end() ? Outcome::none : Outcome::found));
                if (outcome == Outcome::found)
                    CHECK(order == best->second.second);
                else
                    CHECK(order.empty());
                ++(outcome == Outcome::found ? found : missing);
            }
            for (int i = 0; i < 2; ++i) {
                sequences.push_back(
                    draw_sequence(dice, 6, static_cast<std::size_t>(dice.draw(2, 4))));
                forbidden.add(sequences.back());
            }
        }
    }
    CHECK(found > 1'000 && missing > 1'000);
}

// Too many for a table of all subsets: the cheapest order must be found all the same.
TEST(long_routes_are_put_in_order_too) {
    RouteData data;
    data.nodes = 20;
    data.cost.assign(data.nodes * data.nodes, 50.0);
    for (std::size_t i = 0; i < data.nodes; ++i) {
        data.cost[i * data.nodes + i] = 0.0;
        data.cost[i * data.nodes + (i + 1) % data.nodes] = 1.0;
        data.cost[(i + 1) % data.nodes * data.nodes + i] = 1.0;
    }
    const TrueCosts costs(data);
    ForbiddenSequences forbidden(data.nodes, true);
    OrderSearch search(data, costs, forbidden, true);
    for (const Node most : {15, 16, 19}) {
        Path customers;
        for (Node customer = most; customer >= 1; --customer) customers.push_back(customer);
        Path order;
        CHECK(search.run(customers, never, order) == Outcome::found);
        CHECK(order == Path(customers.rbegin(), customers.rend()));
    }
}

TEST(a_stop_is_reported) {
    TinyProblems dice(3);
    RouteData data = tiny_route_data(dice, 12, {});
    const TrueCosts costs(data);
    ForbiddenSequences forbidden(data.nodes, true);
    // Nothing may come between the first two, nor before, nor after.
    for (Node other = 3; other <= 12; ++other) {
        forbidden.add({1, other, 2});
        forbidden.add({other, 1, 2});
        forbidden.add({1, 2, other});
    }
    OrderSearch search(data, costs, forbidden, true);
    Path customers;
    for (Node customer = 1; customer <= 12; ++customer) customers.push_back(customer);
    Path order;
    int looks = 0;
    CHECK(search.run(customers, [&] { return ++looks == 3; }, order) == Outcome::stopped);
    CHECK(looks == 3);
    CHECK(search.run({1, 2}, never, order) == Outcome::found);
    CHECK(search.run({1, 2, 3}, never, order) == Outcome::none);
}

}  // namespace
