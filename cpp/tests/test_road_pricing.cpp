// The pricer on roads that are not the same both ways, with clocks and limits, against all routes.
#include <stdexcept>

#include "pricing_questions.hpp"

using namespace tailgate::pricing;
using namespace tailgate::tests;

namespace {

// Some questions, each before and after another sequence is forbidden. Returns how many routes were
// below the thresholds.
std::size_t ask(TinyProblems& dice, const RouteData& data, int questions) {
    const std::size_t customers = data.nodes - 1;
    std::vector<KnownRoute> routes = known_routes(data);
    Pricer pricer(data, {dice.draw(0, 3) != 0, dice.draw(0, 3) != 0});
    std::size_t found = 0;
    for (int step = 0; step < questions; ++step) {
        const Question question(dice, customers);
        pricer.set_forbidden_edges(question.forbidden);
        pricer.set_duals(question.duals);
        const double threshold = dice.draw(-40, 30);
        found += check_question(data, pricer, routes, question, threshold);
        for (int order = 0; order < 4; ++order) {
            const auto count = static_cast<std::size_t>(dice.draw(1, 6));
            check_cheapest_order(pricer, routes, draw_sequence(dice, customers, count));
        }
        const Path sequence =
            draw_sequence(dice, customers, static_cast<std::size_t>(dice.draw(2, 4)));
        if (sequence.size() < 2) continue;
        pricer.forbid(sequence);
        std::erase_if(routes, [&](const KnownRoute& route) {
            return contains(route.customers, sequence, data.lifo);
        });
        check_question(data, pricer, routes, question, threshold);
    }
    return found;
}

TEST(on_any_roads_with_any_limits_the_answer_is_that_of_all_routes) {
    TinyProblems dice(101);
    std::size_t found = 0;
    for (int round = 0; round < 700; ++round) {
        const RoadRules rules = RoadRules::drawn(dice);
        const auto customers = static_cast<std::size_t>(dice.draw(2, 6));
        found += ask(dice, tiny_road_data(dice, customers, rules), 3);
    }
    CHECK(found > 10'000);
}

// Nothing but the features that wait for each other: windows, costs of waiting, and least
// durations.
TEST(waiting_is_paid_for_and_counts_for_the_duration) {
    TinyProblems dice(102);
    std::size_t found = 0;
    for (int round = 0; round < 300; ++round) {
        RoadRules rules;
        rules.windows = rules.waiting_cost = true;
        rules.shift = round % 2 == 0;
        rules.max_duration = round % 3 == 0;
        rules.max_distance = round % 5 == 0;
        rules.lifo = round % 4 != 0;
        RouteData data = tiny_road_data(dice, 6, rules);
        data.capacity = data.floor_area = 1'000;
        found += ask(dice, data, 2);
    }
    CHECK(found > 10'000);
}

// More customers than a memory begins with, and routes that are read backwards.
TEST(nothing_is_lost_where_completions_forget) {
    TinyProblems dice(103);
    std::size_t found = 0;
    for (int round = 0; round < 24; ++round) {
        constexpr std::size_t customers = 13;
        RoadRules rules = RoadRules::drawn(dice);
        rules.symmetric = round % 2 == 0;
        if (rules.symmetric) {
            rules.windows = rules.late_starts = false;
            rules.max_duration = round % 4 == 0;
        }
        RouteData data = tiny_road_data(dice, customers, rules);
        data.capacity = 1'000;
        data.floor_area = 15;
        for (std::size_t node = 1; node <= customers; ++node) data.area[node] = dice.draw(3, 8);
        const std::vector<KnownRoute> routes = known_routes(data);
        if (routes.empty()) continue;
        Pricer pricer(data, {true, round % 3 != 0});
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

// A stop leaves a bound that holds, at whatever look it comes.
TEST(a_limit_at_any_look_leaves_a_bound_that_holds) {
    TinyProblems dice(104);
    int stopped = 0;
    for (int round = 0; round < 30; ++round) {
        RoadRules rules = RoadRules::drawn(dice);
        rules.windows = rules.waiting_cost = round % 2 == 0;
        const RouteData data = with_limits(tiny_road_data(dice, 10, rules), 30);
        const std::vector<double> duals = draw_duals(dice, 10);
        Pricer fresh(data);
        fresh.set_duals(duals, 1.0);
        const Pricing priced = fresh.price(0.0, 5, never);
        CHECK(priced.complete);
        bool complete = false;
        for (int looks = 0; !complete; ++looks) {
            int left = looks;
            Pricer pricer(data);
            pricer.set_duals(duals, 1.0);
            const Pricing answer = pricer.price(0.0, 5, [&] { return left-- <= 0; });
            CHECK(answer.bound <= priced.bound);
            CHECK(priced.routes.empty() || answer.bound <= priced.routes.front().reduced_cost);
            complete = answer.complete;
            CHECK(complete ? answer.bound == priced.bound : left < 0);
            stopped += complete ? 0 : 1;
        }
    }
    CHECK(stopped >= 50);
}

// So many labels that a few routes must do: they cost their waiting, and keep all limits.
TEST(routes_that_are_found_by_a_few_labels_are_routes) {
    TinyProblems dice(105);
    std::size_t found = 0;
    for (int round = 0; round < 48; ++round) {
        RoadRules rules;
        rules.windows = rules.waiting_cost = rules.max_duration = round % 2 == 0;
        rules.symmetric = round % 3 == 0;
        rules.max_distance = round % 6 == 1;
        RouteData data = with_limits(tiny_road_data(dice, 24, rules), 1'000);
        if (rules.windows) {
            data.max_duration = 80;
            data.waiting_cost = 20.0;
            for (std::size_t node = 1; node < data.nodes; ++node) {
                data.windows.due[node] += 20.0;
                data.windows.service[node] = 0.0;
            }
        }
        if (rules.max_distance) data.max_distance = 150;
        Pricer pricer(data);
        const std::vector<double> duals(24, 20.0);
        pricer.set_duals(duals, 1.0);
        const double threshold = rules.windows ? -20.0 : -150.0;
        // Where few labels find none, all of them take long.
        const Stop stop = [&] { return pricer.statistics().labels > 0; };
        const Pricing answer = pricer.price(threshold, plenty, stop);
        CHECK(answer.complete != answer.routes.empty());
        CHECK(pricer.statistics().paths == 0);
        found += answer.routes.size();
        for (const PricedRoute& route : answer.routes) {
            CHECK(answer.bound <= route.reduced_cost);
            CHECK(pricer.to_double(route.reduced_cost) < threshold);
            const auto known = known_route(data, route.customers);
            CHECK(known.has_value());
            if (!known.has_value()) continue;
            const double visits = 20.0 * static_cast<double>(route.customers.size());
            CHECK(pricer.to_double(route.reduced_cost) == known->cost - visits);
        }
    }
    CHECK(found >= 300);
}

// Sums of tenths are rounded: the grace makes up for it, and for no more.
TEST(in_tenths_that_no_float_holds_the_same_routes_are_allowed) {
    TinyProblems dice(107);
    std::size_t found = 0;
    for (int round = 0; round < 200; ++round) {
        RoadRules rules = RoadRules::drawn(dice);
        rules.time_tolerance = 1e-9;
        const RouteData whole = tiny_road_data(dice, 5, rules);
        RouteData tenths = whole;
        const auto divide = [](std::vector<double>& numbers) {
            for (double& number : numbers) number /= 10.0;
        };
        divide(tenths.cost);
        divide(tenths.duration);
        divide(tenths.distance);
        divide(tenths.windows.ready);
        divide(tenths.windows.due);
        divide(tenths.windows.service);
        tenths.max_duration /= 10.0;
        tenths.max_distance = whole.max_distance / 10.0 + 1e-9;
        std::map<std::set<Node>, double> best;
        for (const KnownRoute& route : known_routes(whole)) {
            const auto [at, is_new] = best.try_emplace(
                {route.customers.begin(), route.customers.end()}, route.cost / 10.0);
            if (!is_new) at->second = std::min(at->second, route.cost / 10.0);
        }
        Pricer pricer(tenths);
        const RouteList list = pricer.list_sets(unlimited, plenty, 1'000'000, never);
        CHECK(list.complete && list.routes.size() == best.size());
        for (const Path& route : list.routes) {
            const auto known = known_route(whole, route);
            CHECK(known.has_value());
            if (!known.has_value()) continue;
            const double least = best[{route.begin(), route.end()}];
            CHECK(std::abs(known->cost / 10.0 - least) < 1e-6);
            Path order;
            CHECK(pricer.cheapest_order(route, never, order) == OrderSearch::Outcome::found);
            const auto ordered = known_route(whole, order);
            CHECK(ordered.has_value() && std::abs(ordered->cost / 10.0 - least) < 1e-6);
        }
        found += list.routes.size();
    }
    CHECK(found > 1'000);
}

TEST(senseless_roads_are_refused) {
    TinyProblems dice(106);
    RoadRules rules;
    rules.windows = rules.max_duration = rules.max_distance = true;
    const RouteData data = tiny_road_data(dice, 3, rules);
    const auto is_refused = [&](const auto& spoil) {
        RouteData spoilt = data;
        spoil(spoilt);
        try {
            Pricer pricer(spoilt);
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    CHECK(!is_refused([](RouteData&) {}));
    CHECK(is_refused([](RouteData& spoilt) { spoilt.cost[1] = std::nan(""); }));
    CHECK(is_refused([](RouteData& spoilt) { spoilt.cost[1] = -unlimited; }));
    CHECK(is_refused([](RouteData& spoilt) { spoilt.duration[1] = -1.0; }));
    CHECK(is_refused([](RouteData& spoilt) { spoilt.duration.pop_back(); }));
    CHECK(is_refused([](RouteData& spoilt) { spoilt.distance.clear(); }));
    CHECK(is_refused([](RouteData& spoilt) { spoilt.distance[1] = std::nan(""); }));
    CHECK(is_refused([](RouteData& spoilt) { spoilt.windows.ready[1] = unlimited; }));
    CHECK(is_refused([](RouteData& spoilt) { spoilt.windows.due[1] = std::nan(""); }));
    CHECK(is_refused([](RouteData& spoilt) { spoilt.windows.service[1] = -1.0; }));
    CHECK(is_refused([](RouteData& spoilt) { spoilt.windows.due.pop_back(); }));
    CHECK(is_refused([](RouteData& spoilt) { spoilt.weight.pop_back(); }));
    CHECK(is_refused([](RouteData& spoilt) { spoilt.waiting_cost = -1.0; }));
    CHECK(is_refused([](RouteData& spoilt) { spoilt.waiting_cost = unlimited; }));
    CHECK(is_refused([](RouteData& spoilt) { spoilt.max_duration = -1.0; }));
    CHECK(is_refused([](RouteData& spoilt) { spoilt.max_distance = std::nan(""); }));
    CHECK(is_refused([](RouteData& spoilt) { spoilt.max_stops = -1; }));
    CHECK(is_refused([](RouteData& spoilt) { spoilt.has_windows = false; }));
}

}  // namespace
