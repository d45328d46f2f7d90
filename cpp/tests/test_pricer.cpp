#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "pricing/pricer.hpp"
#include "pricing_questions.hpp"
#include "test.hpp"
#include "tiny_routes.hpp"

using namespace tailgate::pricing;
using namespace tailgate::tests;

namespace {

double reduced_cost(const RouteData& data, const Path& route, const std::vector<double>& duals,
                    double cost_factor) {
    double cost = 0.0;
    Node last = 0;
    for (const Node customer : route) {
        cost += cost_factor * data.cost_between(last, customer) -
                duals[static_cast<std::size_t>(customer) - 1];
        last = customer;
    }
    return cost + cost_factor * data.cost_between(last, 0);
}

// What a call must answer.
struct Expectation {
    std::vector<Path> routes;    // neither forbidden nor deferred
    std::vector<Path> deferred;  // not forbidden
    std::vector<double> duals;
    double cost_factor = 1.0;
    double threshold = 0.0;
};

// Checks one answer; returns the number of routes in it.
std::size_t check_answer(const RouteData& data, const Pricer& pricer, const Pricing& answer,
                         const Expectation& expected, std::size_t max_routes) {
    const bool symmetric = tightened(data).is_symmetric();
    std::vector<double> costs;
    std::set<Path> possible;
    double least_of_all = std::numeric_limits<double>::infinity();
    for (const Path& route : expected.deferred)
        least_of_all =
            std::min(least_of_all, reduced_cost(data, route, expected.duals, expected.cost_factor));
    for (const Path& route : expected.routes) {
        const double cost = reduced_cost(data, route, expected.duals, expected.cost_factor);
        least_of_all = std::min(least_of_all, cost);
        if (cost >= expected.threshold || (symmetric && route.front() > route.back())) continue;
        costs.push_back(cost);
        possible.insert(route);
    }
    std::sort(costs.begin(), costs.end());

    CHECK(answer.complete);
    CHECK(answer.routes.empty() == costs.empty());
    CHECK(answer.routes.size() <= std::min(max_routes, costs.size()));
    for (std::size_t i = 0; i < std::min(answer.routes.size(), costs.size()); ++i) {
        const PricedRoute& route = answer.routes[i];
        CHECK(pricer.to_double(route.reduced_cost) == costs[i]);
        CHECK(reduced_cost(data, route.customers, expected.duals, expected.cost_factor) ==
              costs[i]);
        CHECK(possible.erase(route.customers) == 1);
    }
    const double bound = pricer.to_double(answer.bound);
    CHECK(bound <= least_of_all);
    if (pricer.deferred_count() == 0)
        CHECK(bound >= (costs.empty() ? expected.threshold : costs.front()));
    return answer.routes.size();
}

TEST(the_cheapest_routes_are_found_and_the_bound_holds) {
    TinyProblems dice(1);
    std::size_t found = 0;
    for (int round = 0; round < 80; ++round) {
        const TinyCase made(dice, round);
        Pricer pricer(made.data);
        std::vector<Path> forbidden;
        std::vector<Path> forbidden_sets;
        for (int step = 0; step < 4; ++step) {
            Expectation expected;
            expected.duals = draw_duals(dice, made.customers);
            expected.cost_factor = dice.draw(0, 4) == 0 ? 0.0 : 1.0;
            expected.threshold = dice.draw(-40, 20);
            pricer.set_duals(expected.duals, expected.cost_factor);
            // Before the prohibitions of this step and after them, under the same duals.
            for (int part = 0; part < 3; ++part) {
                pricer.release_all();
                CHECK(pricer.deferred_count() == 0);
                std::vector<Path> aside;
                if (part > 0) {
                    const bool in_any_order = (round + step) % 3 == 0;
                    auto& ruled_out = in_any_order ? forbidden_sets : forbidden;
                    ruled_out.push_back(draw_sequence(dice, made.customers,
                                                      static_cast<std::size_t>(dice.draw(2, 4))));
                    if (ruled_out.back().size() < 2)
                        ruled_out.pop_back();
                    else
                        pricer.forbid(ruled_out.back(), in_any_order);
                }
                if (part > 1) {
                    aside.push_back(draw_sequence(dice, made.customers,
                                                  static_cast<std::size_t>(dice.draw(1, 3))));
                    pricer.defer(aside.back());
                    CHECK(pricer.deferred_count() == 1);
                }
                expected.routes.clear();
                expected.deferred.clear();
                for (const Path& route : made.routes) {
                    const bool refuted = contains_any(route, forbidden, made.data.lifo) ||
                                         contains_any(route, forbidden_sets, false);
                    const bool waits = contains_any(route, aside, made.data.lifo);
                    CHECK(pricer.skips(route) == (refuted || waits));
                    if (!refuted) (waits ? expected.deferred : expected.routes).push_back(route);
                }
                const std::size_t max_routes = dice.draw(0, 1) == 0 ? plenty : 3;
                const Pricing answer = pricer.price(expected.threshold, max_routes, never);
                found += check_answer(made.data, pricer, answer, expected, max_routes);
            }
        }
    }
    CHECK(found > 1'000);
}

// One or two groups of different customers.
std::vector<Path> draw_groups(TinyProblems& dice, std::size_t customers) {
    const Path drawn = draw_sequence(dice, customers, static_cast<std::size_t>(dice.draw(2, 5)));
    const auto middle = drawn.begin() + std::min<std::ptrdiff_t>(std::ssize(drawn), 2);
    std::vector<Path> groups{Path(drawn.begin(), middle)};
    if (middle != drawn.end()) groups.emplace_back(middle, drawn.end());
    return groups;
}

bool is_whole(const Path& route, const std::vector<Path>& groups) {
    return std::ranges::all_of(groups, [&](const Path& group) {
        const auto visited = std::ranges::count_if(
            group, [&](Node customer) { return std::ranges::count(route, customer) > 0; });
        return visited == 0 || visited == std::ssize(group);
    });
}

TEST(of_a_group_a_route_visits_all_or_none) {
    TinyProblems dice(22);
    std::size_t found = 0;
    for (int round = 0; round < 120; ++round) {
        const TinyCase made(dice, round);
        RouteData data = made.data;
        data.groups = draw_groups(dice, made.customers);
        Pricer pricer(data);
        Expectation expected;
        for (const Path& route : made.routes) {
            if (is_whole(route, data.groups)) expected.routes.push_back(route);
        }
        for (int step = 0; step < 3; ++step) {
            expected.duals = draw_duals(dice, made.customers);
            expected.threshold = dice.draw(-40, 20);
            pricer.set_duals(expected.duals, 1.0);
            const Pricing answer = pricer.price(expected.threshold, plenty, never);
            found += check_answer(data, pricer, answer, expected, plenty);
        }
        std::set<std::set<Node>> sets;
        for (const Path& route : expected.routes) sets.insert({route.begin(), route.end()});
        const RouteList list = pricer.list_sets(unlimited, plenty, 1'000'000'000, never);
        CHECK(list.complete);
        CHECK(list.routes.size() == sets.size());
        for (const Path& route : list.routes) {
            CHECK(sets.contains({route.begin(), route.end()}));
            Path order;
            CHECK(pricer.cheapest_order(route, never, order) == OrderSearch::Outcome::found);
        }
        Path order;
        for (const Path& group : data.groups) {
            if (group.size() > 1)
                CHECK(pricer.cheapest_order({group.front()}, never, order) ==
                      OrderSearch::Outcome::none);
        }
    }
    CHECK(found > 300);
}

TEST(duals_of_edges_and_rows_count_and_forbidden_edges_are_avoided) {
    TinyProblems dice(21);
    std::size_t found = 0;
    for (int round = 0; round < 160; ++round) {
        const TinyCase made(dice, round);
        std::vector<KnownRoute> routes = known_routes(made.data);
        Pricer pricer(made.data, {dice.draw(0, 3) != 0, dice.draw(0, 3) != 0});
        for (int step = 0; step < 4; ++step) {
            const Question question(dice, made.customers);
            // In either order, each replacing what was there before.
            if (step % 2 == 0) pricer.set_duals(question.duals);
            pricer.set_forbidden_edges(question.forbidden);
            pricer.set_duals(question.duals);
            const double threshold = dice.draw(-40, 20);
            found += check_question(made.data, pricer, routes, question, threshold);
            const Path sequence =
                draw_sequence(dice, made.customers, static_cast<std::size_t>(dice.draw(2, 4)));
            if (sequence.size() < 2) continue;
            pricer.forbid(sequence);
            std::erase_if(routes, [&](const KnownRoute& route) {
                return contains(route.customers, sequence, made.data.lifo);
            });
            check_question(made.data, pricer, routes, question, threshold);
        }
    }
    CHECK(found > 3'000);
}

// More customers than a memory begins with: completions forget some of those they have visited.
TEST(nothing_is_lost_where_completions_forget) {
    TinyProblems dice(27);
    std::size_t found = 0;
    for (int round = 0; round < 40; ++round) {
        constexpr std::size_t customers = 15;
        RouteData data = tiny_route_data(dice, customers, RouteRules::of_round(round % 4));
        data.capacity = 1'000;
        data.floor_area = 15;
        for (std::size_t node = 1; node <= customers; ++node) data.area[node] = dice.draw(3, 8);
        std::vector<KnownRoute> routes = known_routes(data);
        Pricer pricer(data, {true, round % 2 == 0});
        for (int pairs = dice.draw(0, 30); pairs > 0; --pairs) {
            const Path pair = draw_sequence(dice, customers, 2);
            pricer.forbid(pair);
            std::erase_if(routes, [&](const KnownRoute& route) {
                return contains(route.customers, pair, false);
            });
        }
        for (int step = 0; step < 2; ++step) {
            const Question question(dice, customers);
            pricer.set_forbidden_edges(question.forbidden);
            pricer.set_duals(question.duals);
            std::vector<double> costs;
            for (const KnownRoute& route : routes) costs.push_back(question.cost(route));
            std::sort(costs.begin(), costs.end());
            const auto place = static_cast<std::size_t>(dice.draw(0, 500)) % costs.size();
            found += check_question(data, pricer, routes, question, costs[place] + 0.5);
        }
    }
    CHECK(found > 3'000);
}

TEST(every_change_of_duals_is_noticed_and_none_costs_nothing) {
    TinyProblems dice(22);
    const RouteData data = with_limits(tiny_route_data(dice, 6, {}), 1'000);
    Pricer pricer(data);
    Duals duals{std::vector<double>(6, 30.0), 1.0, {}, {}};
    const auto labellings_of = [&] {
        const std::int64_t before = pricer.statistics().labellings;
        pricer.set_duals(duals);
        CHECK(pricer.price(0.0, 3, never).complete);
        return pricer.statistics().labellings - before;
    };
    CHECK(labellings_of() > 0);
    CHECK(labellings_of() == 0);
    duals.edges.push_back({0, 1, 2.0});
    CHECK(labellings_of() > 0);
    CHECK(labellings_of() == 0);
    duals.edges[0].value = 3.0;
    CHECK(labellings_of() > 0);
    duals.rows.emplace_back(SubsetRow{{1, 2, 3}, {1, 2, 3}}, 4.0);
    CHECK(labellings_of() > 0);
    CHECK(labellings_of() == 0);
    duals.rows[0].first.memory.push_back(4);
    CHECK(labellings_of() > 0);
    duals.rows[0].second = 5.0;
    CHECK(labellings_of() > 0);
    CHECK(labellings_of() == 0);
    pricer.set_forbidden_edges({{1, 2}});
    CHECK(labellings_of() > 0);
    pricer.set_forbidden_edges({{2, 1}});
    CHECK(labellings_of() == 0);
    pricer.set_forbidden_edges({});
    CHECK(labellings_of() > 0);
}

TEST(a_list_keeps_its_limits) {
    TinyProblems dice(23);
    const RouteData data = with_limits(tiny_route_data(dice, 8, {}), 1'000);
    Pricer pricer(data);
    pricer.set_duals(std::vector<double>(8, 20.0), 1.0);
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(pricer.list_sets(-infinity, 1, 1, never).complete);
    const RouteList all = pricer.list_sets(infinity, 255, 1'000'000'000, never);
    CHECK(all.complete && all.routes.size() == 255);
    CHECK(!pricer.list_sets(infinity, 254, 1'000'000'000, never).complete);
    CHECK(!pricer.list_sets(infinity, 255, 100, never).complete);
    CHECK(!pricer.list_sets(infinity, 255, 1'000'000'000, [] { return true; }).complete);
    CHECK(pricer.list_sets(infinity, 255, 1'000'000'000, never).routes == all.routes);
}

TEST(what_no_truck_can_carry_has_no_order) {
    TinyProblems dice(24);
    RouteData data = tiny_route_data(dice, 6, {});
    data.capacity = 10;
    data.floor_area = 1'000;
    data.weight = {0, 4, 4, 4, 1, 1, 1};
    Pricer pricer(data);
    const auto outcome_of = [&](const Path& customers) {
        Path order;
        return pricer.cheapest_order(customers, never, order);
    };
    CHECK(outcome_of({1, 2, 3}) == OrderSearch::Outcome::none);
    CHECK(outcome_of({1, 2, 4}) == OrderSearch::Outcome::found);
    CHECK(outcome_of({}) == OrderSearch::Outcome::none);
    CHECK(outcome_of({1}) == OrderSearch::Outcome::found);
    pricer.forbid({1, 4});
    CHECK(outcome_of({1, 2, 4}) == OrderSearch::Outcome::none);
    CHECK(outcome_of({1, 2, 5}) == OrderSearch::Outcome::found);
    data.single_customer_routes = false;
    Pricer strict(data);
    Path order;
    CHECK(strict.cheapest_order({1}, never, order) == OrderSearch::Outcome::none);
}

TEST(duals_are_rounded_so_that_nothing_is_overstated) {
    TinyProblems dice(25);
    const RouteData data = with_limits(tiny_route_data(dice, 3, {}), 1'000);
    Pricer pricer(data);
    Duals duals{{70.0, 70.0, 70.0}, 1.0, {{0, 1, 1.0 / 3.0}}, {}};
    duals.rows.emplace_back(SubsetRow{{1, 2, 3}, {1, 2, 3}}, 1.0 / 3.0);
    pricer.set_duals(duals);
    Question question(dice, 3);
    question.duals = duals;
    const Pricing answer = pricer.price(0.0, plenty, never);
    CHECK(!answer.routes.empty());
    for (const PricedRoute& route : answer.routes) {
        const double rounded = pricer.to_double(route.reduced_cost);
        const double cost =
            question.cost({route.customers, sum_along(data, data.cost, route.customers)});
        CHECK(rounded <= cost + 1e-13);
        CHECK(rounded >= cost - 1e-8);
    }
    // However large penalties are, they are not worth more than what adds up.
    for (auto& [row, penalty] : duals.rows) penalty = 1e300;
    duals.rows.resize(40, duals.rows.front());
    pricer.set_duals(duals);
    const Pricing expensive = pricer.price(0.0, plenty, never);
    CHECK(expensive.complete && !expensive.routes.empty());
    for (const PricedRoute& route : expensive.routes) CHECK(route.customers.size() == 1);
}

TEST(another_threshold_under_the_same_duals_is_another_query) {
    TinyProblems dice(2);
    for (int round = 0; round < 16; ++round) {
        const RouteData data = tiny_route_data(dice, 5, RouteRules::of_round(round));
        Pricer pricer(data);
        Expectation expected;
        expected.routes = all_routes(data);
        expected.duals = draw_duals(dice, 5);
        pricer.set_duals(expected.duals, 1.0);
        for (const double threshold : {0.0, -60.0, 25.0, -15.0, 0.0}) {
            expected.threshold = threshold;
            const Pricing answer = pricer.price(threshold, 5, never);
            check_answer(data, pricer, answer, expected, 5);
        }
    }
}

TEST(the_same_duals_again_cost_no_new_labels_and_other_duals_do) {
    TinyProblems dice(3);
    const RouteData data = tiny_route_data(dice, 6, {});
    Pricer pricer(data);
    const std::vector<double> duals(6, 30.0);
    pricer.set_duals(duals, 1.0);
    const Pricing first = pricer.price(0.0, 3, never);
    CHECK(!first.routes.empty());
    const std::int64_t labellings = pricer.statistics().labellings;
    CHECK(labellings > 0);
    pricer.set_duals(duals, 1.0);
    const Pricing second = pricer.price(0.0, 3, never);
    CHECK(pricer.statistics().labellings == labellings);
    CHECK(second.routes.size() == first.routes.size());
    CHECK(second.bound == first.bound);
    pricer.set_duals(std::vector<double>(6, 31.0), 1.0);
    CHECK(pricer.price(0.0, 3, never).bound < first.bound);
    CHECK(pricer.statistics().labellings > labellings);
    pricer.set_duals(duals, 0.0);
    CHECK(pricer.price(0.0, 3, never).bound < first.bound);
    CHECK(pricer.statistics().calls == 4);
}

TEST(a_search_that_was_stopped_says_so_and_goes_on_later) {
    TinyProblems dice(4);
    int stopped = 0;
    for (int round = 0; round < 4; ++round) {
        const RouteData data =
            with_limits(tiny_route_data(dice, 11, RouteRules::of_round(4 * round)), 25);
        const std::vector<double> duals = draw_duals(dice, 11);
        Pricer fresh(data);
        fresh.set_duals(duals, 1.0);
        const Pricing expected = fresh.price(0.0, 5, never);
        CHECK(expected.complete && !expected.routes.empty());
        Pricer pricer(data);
        pricer.set_duals(duals, 1.0);
        for (const int looks : {0, 1, 2, 4, 8}) {
            int left = looks;
            const Pricing answer = pricer.price(0.0, 5, [&] { return left-- <= 0; });
            if (answer.complete) break;
            ++stopped;
            CHECK(answer.bound <= expected.routes.front().reduced_cost);
        }
        const Pricing answer = pricer.price(0.0, 5, never);
        CHECK(answer.complete);
        CHECK(answer.bound == expected.bound);
        CHECK(!answer.routes.empty() &&
              answer.routes.front().reduced_cost == expected.routes.front().reduced_cost);
    }
    CHECK(stopped >= 4);
}

// A limit strikes at the first look, at the second, and so on: what is said to be complete is so,
// and no bound is above the cheapest route, nor below that of an earlier strike.
TEST(a_limit_at_any_look_leaves_nothing_unproven) {
    TinyProblems dice(14);
    int stopped = 0;
    for (int round = 0; round < 16; ++round) {
        const RouteData data =
            with_limits(tiny_route_data(dice, 10, RouteRules::of_round(round)), 30);
        const std::vector<double> duals = draw_duals(dice, 10);
        Pricer fresh(data);
        fresh.set_duals(duals, 1.0);
        const Pricing priced = fresh.price(0.0, 5, never);
        CHECK(priced.complete && !priced.routes.empty());
        const RouteList listed = fresh.list_sets(-40.0, 5'000, 1'000'000'000, never);
        CHECK(listed.complete);
        Money bound = -no_way;
        bool complete = false;
        for (int looks = 0; !complete; ++looks) {
            int left = looks;
            const Stop stop = [&] { return left-- <= 0; };
            Pricer pricer(data);
            pricer.set_duals(duals, 1.0);
            const Pricing answer = pricer.price(0.0, 5, stop);
            CHECK(answer.bound <= priced.routes.front().reduced_cost && answer.bound >= bound);
            bound = answer.bound;
            complete = answer.complete;
            CHECK(complete ? answer.bound == priced.bound : left < 0);
            stopped += complete ? 0 : 1;
        }
        complete = false;
        for (int looks = 0; !complete; looks += 7) {
            int left = looks;
            Pricer pricer(data);
            pricer.set_duals(duals, 1.0);
            const RouteList list =
                pricer.list_sets(-40.0, 5'000, 1'000'000'000, [&] { return left-- <= 0; });
            complete = list.complete;
            CHECK(complete ? list.routes == listed.routes : left < 0);
            stopped += complete ? 0 : 1;
        }
        Path all;
        for (Node customer = 1; customer <= 8; ++customer) all.push_back(customer);
        Path best;
        const OrderSearch::Outcome expected = fresh.cheapest_order(all, never, best);
        OrderSearch::Outcome outcome = OrderSearch::Outcome::stopped;
        for (int looks = 0; outcome == OrderSearch::Outcome::stopped; ++looks) {
            int left = looks;
            Path order;
            outcome = fresh.cheapest_order(all, [&] { return left-- <= 0; }, order);
            if (outcome == OrderSearch::Outcome::stopped) continue;
            CHECK(outcome == expected && order == best);
        }
    }
    CHECK(stopped >= 100);
}

// Neighbourhoods grow, and labels are made anew: where that is stopped, the labels before it count.
TEST(a_stopped_labelling_keeps_the_bound_of_the_one_before) {
    TinyProblems dice(15);
    int kept = 0;
    for (int round = 0; round < 16; ++round) {
        const RouteData data = with_limits(tiny_route_data(dice, 16, {}), 25);
        const std::vector<double> duals(16, 20.0);
        Pricer pricer(data);
        pricer.set_duals(duals, 1.0);
        // Walks that visit both of two who never share a truck are cheap at first.
        for (int pair = 0; pair < 40; ++pair) pricer.forbid(draw_sequence(dice, 16, 2));
        const Money of_walks = pricer.cheapest_walks().bound;
        // At the first look after a labelling was finished.
        const Pricing answer =
            pricer.price(300.0, 5, [&] { return pricer.statistics().labels > 0; });
        if (pricer.statistics().labellings != 1 || answer.complete) continue;
        CHECK(answer.bound > of_walks);
        const Pricing later = pricer.price(300.0, 5, never);
        CHECK(later.complete && later.bound >= answer.bound);
        CHECK(later.routes.empty() || later.routes.front().reduced_cost >= answer.bound);
        ++kept;
    }
    CHECK(kept >= 4);
}

// So many labels that a few routes must do, and so many paths that no list of all would end.
TEST(long_routes_are_routes_too) {
    TinyProblems dice(7);
    const RouteData data = with_limits(tiny_route_data(dice, 24, {}), 1'000);
    Pricer pricer(data);
    const std::vector<double> duals(24, 20.0);
    pricer.set_duals(duals, 1.0);
    const Path forbidden{3, 8, 5};
    pricer.forbid(forbidden);
    for (int step = 0; step < 3; ++step) {
        const Pricing answer = pricer.price(0.0, 10, never);
        CHECK(answer.complete);
        CHECK(!answer.routes.empty() && answer.routes.size() <= 10);
        for (const PricedRoute& route : answer.routes) {
            CHECK(answer.bound <= route.reduced_cost);
            CHECK(pricer.to_double(route.reduced_cost) ==
                  reduced_cost(data, route.customers, duals, 1.0));
            CHECK(route.reduced_cost < 0 && route.customers.front() < route.customers.back());
            CHECK(!contains(route.customers, forbidden, true));
            CHECK(std::set<Node>(route.customers.begin(), route.customers.end()).size() ==
                  route.customers.size());
            CHECK(!pricer.skips(route.customers));
        }
        for (const PricedRoute& route : answer.routes) pricer.defer(route.customers);
    }
    CHECK(pricer.statistics().paths == 0);
}

TEST(costs_are_rounded_down_and_duals_to_the_nearest) {
    RouteData data;
    data.nodes = 2;
    data.cost = {0.0, 1.0 / 3.0, 1.0 / 3.0, 0.0};
    data.weight = data.area = {0, 1};
    data.capacity = data.floor_area = 1;
    Pricer pricer(data);
    pricer.set_duals({0.9}, 1.0);
    const Pricing answer = pricer.price(0.0, 5, never);
    CHECK(answer.routes.size() == 1);
    const double rounded = pricer.rounded_dual(0.9);
    CHECK(std::abs(rounded - 0.9) < 1e-8);
    const double cost = pricer.to_double(answer.routes.front().reduced_cost) + rounded;
    CHECK(cost <= 2.0 / 3.0);
    CHECK(cost > 2.0 / 3.0 - 1e-8);
    CHECK(pricer.to_double(answer.bound) + rounded <= 2.0 / 3.0);
}

TEST(large_costs_keep_their_meaning) {
    TinyProblems dice(5);
    for (int round = 0; round < 16; ++round) {
        RouteData data = tiny_route_data(dice, 5, RouteRules::of_round(2 * round));
        constexpr double factor = 64'000'000.0;
        for (double& cost : data.cost) cost *= factor;
        Expectation expected;
        expected.routes = all_routes(data);
        expected.duals = draw_duals(dice, 5);
        for (double& dual : expected.duals) dual *= factor;
        Pricer pricer(data);
        pricer.set_duals(expected.duals, 1.0);
        const Pricing answer = pricer.price(0.0, plenty, never);
        check_answer(data, pricer, answer, expected, plenty);
    }
}

template <class Call>
bool is_refused(const Call& call) {
    try {
        call();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

TEST(senseless_data_is_refused) {
    TinyProblems dice(6);
    const RouteData data = tiny_route_data(dice, 3, {});
    Pricer pricer(data);
    CHECK(is_refused([&] { pricer.set_duals({1.0, 2.0}, 1.0); }));
    CHECK(is_refused([&] { pricer.set_duals({1.0, 2.0, std::nan("")}, 1.0); }));
    CHECK(!is_refused([&] { pricer.set_duals({1.0, 2.0, 3.0}, 1.0); }));
    const auto with_edge = [](Node a, Node b, double price) {
        return Duals{{1.0, 2.0, 3.0}, 1.0, {{a, b, price}}, {}};
    };
    CHECK(!is_refused([&] { pricer.set_duals(with_edge(0, 3, 1.0)); }));
    CHECK(!is_refused([&] { pricer.set_duals(with_edge(0, 3, -1e300)); }));
    CHECK(is_refused([&] { pricer.set_duals(with_edge(0, 3, 1e300)); }));
    CHECK(is_refused([&] { pricer.set_duals(with_edge(0, 3, std::nan(""))); }));
    CHECK(is_refused([&] { pricer.set_duals(with_edge(2, 2, 1.0)); }));
    CHECK(is_refused([&] { pricer.set_duals(with_edge(-1, 2, 1.0)); }));
    CHECK(is_refused([&] { pricer.set_duals(with_edge(1, 4, 1.0)); }));
    const auto with_row = [](const SubsetRow& row, double penalty) {
        return Duals{{1.0, 2.0, 3.0}, 1.0, {}, {{row, penalty}}};
    };
    const SubsetRow row{{1, 2, 3}, {1, 2, 3}};
    CHECK(!is_refused([&] { pricer.set_duals(with_row(row, 1.0)); }));
    CHECK(is_refused([&] { pricer.set_duals(with_row(row, -1.0)); }));
    CHECK(is_refused([&] { pricer.set_duals(with_row(row, std::nan(""))); }));
    CHECK(is_refused([&] { pricer.set_duals(with_row({{1, 1, 3}, {1, 3}}, 1.0)); }));
    CHECK(is_refused([&] { pricer.set_duals(with_row({{1, 2, 4}, {1, 2, 4}}, 1.0)); }));
    CHECK(is_refused([&] { pricer.set_duals(with_row({{1, 2, 3}, {0, 1, 2, 3}}, 1.0)); }));
    CHECK(is_refused([&] { pricer.set_forbidden_edges({{1, 1}}); }));
    CHECK(is_refused([&] { pricer.set_forbidden_edges({{1, 4}}); }));
    CHECK(is_refused([&] { (void)pricer.price(std::nan(""), 1, never); }));
    Path order;
    CHECK(is_refused([&] { pricer.cheapest_order({1, 1}, never, order); }));
    CHECK(is_refused([&] { pricer.cheapest_order({4}, never, order); }));
    for (const std::vector<Path>& groups :
         {std::vector<Path>{{1, 2}, {2, 3}}, {{0, 1}}, {{1, 4}}}) {
        CHECK(is_refused([&] {
            RouteData grouped = data;
            grouped.groups = groups;
            Pricer other(grouped);
        }));
    }
    CHECK(is_refused([&] {
        RouteData ragged = data;
        ragged.cost.pop_back();
        Pricer other(ragged);
    }));
}

}  // namespace
