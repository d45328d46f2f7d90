// Questions to a pricer, and what it must answer according to a list of all routes.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "pricing/pricer.hpp"
#include "test.hpp"
#include "tiny_roads.hpp"
#include "tiny_routes.hpp"

namespace tailgate::tests {

inline const pricing::Stop never = [] { return false; };
inline constexpr std::size_t plenty = 9'999;

// Duals in quarters, which the fixed point holds without rounding.
inline std::vector<double> draw_duals(TinyProblems& dice, std::size_t customers) {
    std::vector<double> duals;
    for (std::size_t i = 0; i < customers; ++i) duals.push_back(dice.draw(-20, 160) / 4.0);
    return duals;
}

// Duals of all kinds, in quarters, and edges that are forbidden.
struct Question {
    Question(TinyProblems& dice, std::size_t customers) {
        duals.visits = draw_duals(dice, customers);
        duals.cost_factor = dice.draw(0, 4) == 0 ? 0.0 : 1.0;
        for (int count = dice.draw(0, 6); count > 0; --count) {
            const auto [a, b] = draw_edge(dice, customers);
            const auto is_same = [a = a, b = b](const pricing::EdgeDual& other) {
                return std::minmax(other.a, other.b) == std::minmax(a, b);
            };
            std::erase_if(duals.edges, is_same);
            duals.edges.push_back({a, b, dice.draw(-80, 80) / 4.0});
        }
        const auto rows = static_cast<std::size_t>(dice.draw(0, 9));
        for (const auto& [row, penalty] : draw_rows(dice, customers, rows))
            duals.rows.emplace_back(row, static_cast<double>(penalty) / 4.0);
        for (int count = dice.draw(0, 3); count > 0; --count)
            forbidden.push_back(draw_edge(dice, customers));
    }

    static std::pair<pricing::Node, pricing::Node> draw_edge(TinyProblems& dice,
                                                             std::size_t customers) {
        const auto a = static_cast<pricing::Node>(dice.draw(0, static_cast<int>(customers)));
        const auto b = static_cast<pricing::Node>(dice.draw(1, static_cast<int>(customers)));
        return {a == b ? 0 : a, b};
    }

    [[nodiscard]] double cost(const KnownRoute& route) const {
        double cost = duals.cost_factor * route.cost;
        for (const pricing::Node customer : route.customers)
            cost -= duals.visits[static_cast<std::size_t>(customer) - 1];
        for (const auto& [row, penalty] : duals.rows)
            cost += penalty * static_cast<double>(count_in_row(route.customers, row));
        for_each_edge(route.customers, [&](pricing::Node from, pricing::Node to) {
            for (const pricing::EdgeDual& edge : duals.edges) {
                if (std::minmax(edge.a, edge.b) == std::minmax(from, to)) cost -= edge.value;
            }
        });
        return cost;
    }

    [[nodiscard]] bool allows(const pricing::Path& route) const {
        bool allowed = true;
        for_each_edge(route, [&](pricing::Node from, pricing::Node to) {
            for (const auto& [a, b] : forbidden)
                allowed = allowed && std::minmax(a, b) != std::minmax(from, to);
        });
        return allowed;
    }

    template <typename Look>
    static void for_each_edge(const pricing::Path& route, const Look& look) {
        pricing::Node last = 0;
        for (const pricing::Node customer : route) {
            look(last, customer);
            last = customer;
        }
        look(last, pricing::Node{0});
    }

    pricing::Duals duals;
    std::vector<std::pair<pricing::Node, pricing::Node>> forbidden;
};

// Compares the answer and the list with all routes; returns how many are below the threshold.
inline std::size_t check_question(const pricing::RouteData& data, pricing::Pricer& pricer,
                                  const std::vector<KnownRoute>& routes, const Question& question,
                                  double threshold) {
    using pricing::Node;
    const bool symmetric = pricing::tightened(data).is_symmetric();
    std::vector<double> costs;
    std::map<pricing::Path, std::pair<double, double>> possible;  // own cost and reduced cost
    std::map<std::set<Node>, double> sets;
    double least = std::numeric_limits<double>::infinity();
    for (const KnownRoute& route : routes) {
        if (!question.allows(route.customers)) continue;
        const double cost = question.cost(route);
        least = std::min(least, cost);
        if (cost >= threshold || (symmetric && route.customers.front() > route.customers.back()))
            continue;
        costs.push_back(cost);
        possible.emplace(route.customers, std::pair{route.cost, cost});
        const auto [at, is_new] =
            sets.try_emplace({route.customers.begin(), route.customers.end()}, route.cost);
        if (!is_new) at->second = std::min(at->second, route.cost);
    }
    std::sort(costs.begin(), costs.end());

    const pricing::Pricing answer = pricer.price(threshold, plenty, never);
    CHECK(answer.complete);
    CHECK(pricer.to_double(answer.bound) <= least);
    CHECK(pricer.to_double(answer.bound) >= (costs.empty() ? threshold : costs.front()));
    CHECK(answer.routes.empty() == costs.empty());
    for (std::size_t i = 0; i < std::min(answer.routes.size(), costs.size()); ++i) {
        CHECK(pricer.to_double(answer.routes[i].reduced_cost) == costs[i]);
        const auto at = possible.find(answer.routes[i].customers);
        CHECK(at != possible.end() && at->second.second == costs[i]);
    }
    const pricing::RouteList list = pricer.list_sets(threshold, plenty, 1'000'000, never);
    CHECK(list.complete);
    CHECK(list.routes.size() == sets.size());
    double last = 0.0;
    for (const pricing::Path& route : list.routes) {
        const auto set = sets.find({route.begin(), route.end()});
        const auto at = possible.find(route);
        CHECK(set != sets.end() && at != possible.end());
        if (set == sets.end() || at == possible.end()) continue;
        // Of equally cheap orders any will do.
        CHECK(at->second.first == set->second);
        CHECK(set->second >= last);
        last = set->second;
    }
    return costs.size();
}

// Compares the cheapest order of these customers with all routes; returns whether there is one.
inline bool check_cheapest_order(pricing::Pricer& pricer, const std::vector<KnownRoute>& routes,
                                 const pricing::Path& customers) {
    const std::set<pricing::Node> wanted(customers.begin(), customers.end());
    std::pair<double, pricing::Path> best{pricing::unlimited, {}};
    for (const KnownRoute& route : routes) {
        if (std::set<pricing::Node>(route.customers.begin(), route.customers.end()) == wanted)
            best = std::min(best, {route.cost, route.customers});
    }
    pricing::Path order;
    const pricing::OrderSearch::Outcome outcome = pricer.cheapest_order(customers, never, order);
    CHECK(outcome == (best.second.empty() ? pricing::OrderSearch::Outcome::none
                                          : pricing::OrderSearch::Outcome::found));
    CHECK(order == best.second);
    return !best.second.empty();
}

}  // namespace tailgate::tests
