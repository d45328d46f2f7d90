#include <map>
#include <set>

#include "pricing/path_search.hpp"
#include "searched_routes.hpp"

using namespace tailgate::pricing;
using namespace tailgate::tests;

namespace {

void check_found(const SearchedRoutes& made, const std::vector<PricedRoute>& found,
                 const std::vector<PricedRoute>& expected, std::size_t max_routes) {
    CHECK(found.size() == std::min(max_routes, expected.size()));
    std::set<Path> possible;
    for (const PricedRoute& route : expected) possible.insert(route.customers);
    for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
        CHECK(found[i].reduced_cost == expected[i].reduced_cost);
        CHECK(found[i].reduced_cost == cost_of(found[i].customers, made.costs, made.data.nodes) +
                                           penalties_of(found[i].customers, made.priced_rows));
        CHECK(possible.erase(found[i].customers) == 1);
    }
}

void check_list(const SearchedRoutes& made, PathSearch& search,
                const std::vector<PricedRoute>& expected) {
    std::set<Path> possible;
    for (const PricedRoute& route : expected) possible.insert(route.customers);
    const PathSearch::Look look = [&](const Path& route) { return possible.erase(route) == 1; };
    CHECK(search.list(made.query(1, 0, never), no_limit, look) == PathSearch::Outcome::complete);
    CHECK(possible.empty());

    // Of each set of customers only one that costs least, where the order does not matter.
    if (made.data.lifo && made.forbidden.size() + made.deferred.size() > 0) return;
    const TrueCosts true_costs(made.data);
    std::map<std::set<Node>, Money> least;
    const auto note = [&](std::map<std::set<Node>, Money>& costs, const Path& route) {
        const Money cost = true_costs.of(route);
        const auto [at, is_new] = costs.try_emplace({route.begin(), route.end()}, cost);
        if (!is_new) at->second = std::min(at->second, cost);
    };
    for (const PricedRoute& route : expected) note(least, route.customers);
    std::map<std::set<Node>, Money> shown;
    const PathSearch::Look look_at_best = [&](const Path& route) {
        const Money cost = cost_of(route, made.costs, made.data.nodes);
        CHECK(cost + penalties_of(route, made.priced_rows) < made.threshold);
        note(shown, route);
        return true;
    };
    CHECK(search.list(made.query(1, 0, never), no_limit, look_at_best, &true_costs) ==
          PathSearch::Outcome::complete);
    CHECK(shown == least);
}

TEST(it_finds_the_cheapest_routes_of_all) {
    TinyProblems dice(1);
    int found_in_all = 0;
    for (int round = 0; round < 288; ++round) {
        const std::size_t rows = round < 96 ? 0 : static_cast<std::size_t>(dice.draw(1, 80));
        const auto count = static_cast<std::size_t>(round < 192 ? dice.draw(1, 6) : 7);
        SearchedRoutes made(dice, count, RouteRules::of_round(round),
                            dice.draw(-30, round < 192 ? 40 : -10), rows);
        const std::size_t customers = made.data.nodes - 1;
        // Changed between the searches: nothing of one may remain in the next.
        PathSearch search(made.data, made.resources, made.data.is_symmetric());
        std::vector<Path> forbidden;
        for (int step = 0; step < 3; ++step) {
            std::vector<Path> skipped = forbidden;
            if (step > 0) {
                forbidden.push_back(
                    draw_sequence(dice, customers, static_cast<std::size_t>(dice.draw(2, 4))));
                made.forbidden.add(forbidden.back());
                made.deferred.clear();
                skipped = forbidden;
                skipped.push_back(
                    draw_sequence(dice, customers, static_cast<std::size_t>(dice.draw(1, 3))));
                made.deferred.add(skipped.back());
            }
            std::vector<Path> routes = all_routes(made.data);
            std::erase_if(routes, [&](const Path& route) {
                return contains_any(route, skipped, made.data.lifo);
            });
            const auto expected =
                cheapest_first(routes, made.costs, made.data.nodes, made.data.is_symmetric(),
                               made.threshold, made.priced_rows);
            for (const std::size_t max_routes :
                 {std::size_t{1}, std::size_t{7}, std::size_t{9999}}) {
                std::vector<PricedRoute> found;
                CHECK(search.run(made.query(max_routes, no_limit, never), found) ==
                      PathSearch::Outcome::complete);
                check_found(made, found, expected, max_routes);
                found_in_all += static_cast<int>(found.size());
            }
            check_list(made, search, expected);
        }
    }
    CHECK(found_in_all > 3'000);
}

TEST(two_that_are_incompatible_never_share_a_route) {
    TinyProblems dice(2);
    int found_in_all = 0;
    for (int round = 0; round < 32; ++round) {
        SearchedRoutes made(dice, 5, RouteRules::of_round(round), 20);
        // Known only after the labelling, whose completions still go from the one to the other.
        made.neighbourhoods.set_incompatible(1, 4);
        std::vector<Path> routes = all_routes(made.data);
        std::erase_if(routes, [&](const Path& route) { return contains(route, {1, 4}, false); });
        PathSearch search(made.data, made.resources, made.data.is_symmetric());
        std::vector<PricedRoute> found;
        CHECK(search.run(made.query(50, no_limit, never), found) == PathSearch::Outcome::complete);
        check_found(made, found,
                    cheapest_first(routes, made.costs, made.data.nodes, made.data.is_symmetric(),
                                   made.threshold),
                    50);
        found_in_all += static_cast<int>(found.size());
    }
    CHECK(found_in_all > 200);
}

TEST(a_stop_is_reported_and_the_next_search_begins_anew) {
    TinyProblems dice(3);
    SearchedRoutes made(dice, roomy_route_data(dice), 200);
    PathSearch search(made.data, made.resources, true);
    std::vector<PricedRoute> found;
    int looks = 0;
    const Stop at_second_look = [&] { return ++looks == 2; };
    CHECK(search.run(made.query(9999, no_limit, at_second_look), found) ==
          PathSearch::Outcome::stopped);
    CHECK(looks == 2);
    CHECK(search.run(made.query(9999, no_limit, never), found) == PathSearch::Outcome::complete);
    const auto expected =
        cheapest_first(all_routes(made.data), made.costs, made.data.nodes, true, made.threshold);
    check_found(made, found, expected, 9999);
}

TEST(it_is_content_with_some_only_when_it_has_some) {
    TinyProblems dice(4);
    SearchedRoutes made(dice, roomy_route_data(dice), 200);
    PathSearch search(made.data, made.resources, true);
    std::vector<PricedRoute> found;
    CHECK(search.run(made.query(9999, 20, never), found) == PathSearch::Outcome::content);
    CHECK(!found.empty());
    for (const PricedRoute& route : found)
        CHECK(route.reduced_cost == cost_of(route.customers, made.costs, made.data.nodes));
    // All is forbidden that is worth anything: there is nothing to be content with.
    for (Node a = 1; a <= 7; ++a) made.deferred.add({a});
    CHECK(search.run(made.query(9999, 0, never), found) == PathSearch::Outcome::complete);
    CHECK(found.empty());
}

TEST(a_list_that_grows_too_long_is_given_up) {
    TinyProblems dice(5);
    SearchedRoutes made(dice, roomy_route_data(dice), 200);
    PathSearch search(made.data, made.resources, true);
    const auto query = made.query(1, 0, never);
    std::size_t all = 0;
    const PathSearch::Look count = [&](const Path&) { return ++all > 0; };
    CHECK(search.list(query, no_limit, count) == PathSearch::Outcome::complete);
    CHECK(all > 10);
    std::size_t some = 0;
    const PathSearch::Look until_enough = [&](const Path&) { return ++some < 5; };
    CHECK(search.list(query, no_limit, until_enough) == PathSearch::Outcome::too_many);
    CHECK(some == 5);
    all = 0;
    const std::int64_t before = search.paths();
    CHECK(search.list(query, 9, count) == PathSearch::Outcome::too_many);
    CHECK(search.paths() <= before + 10);
    // A search for the cheapest knows no such limit.
    std::vector<PricedRoute> found;
    CHECK(search.run(made.query(9999, no_limit, never), found) == PathSearch::Outcome::complete);
}

}  // namespace
