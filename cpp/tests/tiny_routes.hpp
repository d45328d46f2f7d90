// Random routing data small enough to list all routes, and the list.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "pricing/path_search.hpp"
#include "pricing/route_data.hpp"
#include "pricing/subset_rows.hpp"
#include "problems.hpp"

namespace tailgate::tests {

struct RouteRules {
    bool windows = false;
    bool symmetric = true;
    bool single_customer_routes = true;
    bool lifo = true;

    // All combinations, in turn.
    static RouteRules of_round(int round) {
        return {(round & 1) != 0, (round & 2) == 0, (round & 4) == 0, (round & 8) == 0};
    }
};

// All numbers are whole, so that sums are exact and nothing rests on a tolerance.
inline pricing::RouteData tiny_route_data(TinyProblems& dice, std::size_t customers,
                                          const RouteRules& rules) {
    pricing::RouteData data;
    data.nodes = customers + 1;
    data.lifo = rules.lifo;
    data.single_customer_routes = rules.single_customer_routes;
    // In some cases only the one binds, in some the other, in some both or none.
    data.capacity = dice.draw(0, 2) == 0 ? 1'000 : dice.draw(9, 22);
    data.floor_area = dice.draw(0, 2) == 0 ? 1'000 : dice.draw(9, 22);
    data.cost.assign(data.nodes * data.nodes, 0.0);
    for (std::size_t from = 0; from < data.nodes; ++from) {
        for (std::size_t to = 0; to < from; ++to) {
            data.cost[from * data.nodes + to] = dice.draw(1, 30);
            data.cost[to * data.nodes + from] =
                rules.symmetric ? data.cost[from * data.nodes + to] : dice.draw(1, 30);
        }
    }
    data.has_windows = rules.windows;
    if (rules.windows) data.duration = data.cost;
    for (std::size_t node = 0; node < data.nodes; ++node) {
        const bool weightless = node == 0 || dice.draw(0, 5) == 0;
        const bool flat = node == 0 || dice.draw(0, 5) == 0;
        data.weight.push_back(weightless ? 0 : dice.draw(1, 9));
        data.area.push_back(flat ? 0 : dice.draw(1, 9));
        if (!rules.windows) continue;
        const int ready = dice.draw(0, node == 0 ? 5 : 60);
        const bool open_end = dice.draw(0, 3) == 0;
        data.windows.ready.push_back(ready);
        data.windows.due.push_back(open_end ? std::numeric_limits<double>::infinity()
                                            : ready + dice.draw(0, 90) + (node == 0 ? 60 : 0));
        data.windows.service.push_back(node == 0 ? 0 : dice.draw(0, 6));
    }
    return data;
}

// The same with this limit on weight and on area.
inline pricing::RouteData with_limits(pricing::RouteData data, std::int64_t limit) {
    data.capacity = data.floor_area = limit;
    return data;
}

// Does `route` visit the customers of `sequence`, and, where the order matters, in this order or in
// the reverse?
inline bool contains(const pricing::Path& route, const pricing::Path& sequence, bool ordered) {
    pricing::Path met;
    for (const pricing::Node customer : route) {
        if (std::find(sequence.begin(), sequence.end(), customer) != sequence.end())
            met.push_back(customer);
    }
    if (!ordered) return met.size() == sequence.size();
    return met == sequence || met == pricing::Path(sequence.rbegin(), sequence.rend());
}

inline bool contains_any(const pricing::Path& route, const std::vector<pricing::Path>& sequences,
                         bool ordered) {
    return std::any_of(sequences.begin(), sequences.end(), [&](const pricing::Path& sequence) {
        return contains(route, sequence, ordered);
    });
}

inline pricing::Path draw_sequence(TinyProblems& dice, std::size_t customers, std::size_t size) {
    pricing::Path sequence;
    while (sequence.size() < std::min(size, customers)) {
        const auto customer = static_cast<pricing::Node>(dice.draw(1, static_cast<int>(customers)));
        if (std::find(sequence.begin(), sequence.end(), customer) == sequence.end())
            sequence.push_back(customer);
    }
    return sequence;
}

// Every order of every set of customers that weight, floor, time and the rule for single-customer
// routes allow.
inline std::vector<pricing::Path> all_routes(const pricing::RouteData& data) {
    using pricing::Node;
    std::vector<pricing::Path> routes;
    pricing::Path path;
    const auto extend = [&](const auto& self, std::int64_t weight, std::int64_t area,
                            double departure) -> void {
        const Node last = path.empty() ? Node{0} : path.back();
        const bool long_enough = path.size() >= (data.single_customer_routes ? 1U : 2U);
        const bool home_in_time =
            !data.has_windows || departure + data.duration_between(last, 0) <= data.windows.due[0];
        if (long_enough && home_in_time) routes.push_back(path);
        for (Node next = 1; next < static_cast<Node>(data.nodes); ++next) {
            const auto node = static_cast<std::size_t>(next);
            if (std::find(path.begin(), path.end(), next) != path.end() ||
                weight + data.weight[node] > data.capacity ||
                area + data.area[node] > data.floor_area)
                continue;
            double leaves = 0.0;
            if (data.has_windows) {
                const double arrival = departure + data.duration_between(last, next);
                if (arrival > data.windows.due[node]) continue;
                leaves = std::max(arrival, data.windows.ready[node]) + data.windows.service[node];
            }
            path.push_back(next);
            self(self, weight + data.weight[node], area + data.area[node], leaves);
            path.pop_back();
        }
    };
    extend(extend, 0, 0, data.has_windows ? data.windows.ready[0] : 0.0);
    return routes;
}

// Up to six customers under the rules of this round, with all their routes.
struct TinyCase {
    TinyCase(TinyProblems& dice, int round)
        : customers(static_cast<std::size_t>(dice.draw(1, 6))),
          data(tiny_route_data(dice, customers, RouteRules::of_round(round))),
          routes(all_routes(data)) {}

    std::size_t customers;
    pricing::RouteData data;
    std::vector<pricing::Path> routes;
};

// The reduced cost of a route or, without the way home, of its beginning.
inline pricing::Money cost_of(const pricing::Path& path, const pricing::ArcCosts& costs,
                              std::size_t nodes, bool with_way_home = true) {
    pricing::Money cost = 0;
    std::size_t last = 0;
    for (const pricing::Node customer : path) {
        cost += costs[last * nodes + static_cast<std::size_t>(customer)];
        last = static_cast<std::size_t>(customer);
    }
    return with_way_home ? cost + costs[last * nodes] : cost;
}

// A prize for every visit.
inline std::vector<pricing::Money> draw_prizes(TinyProblems& dice, const pricing::RouteData& data) {
    std::vector<pricing::Money> prizes(data.nodes, 0);
    for (std::size_t node = 1; node < data.nodes; ++node) prizes[node] = dice.draw(-5, 30);
    return prizes;
}

// Arc costs less these prizes: many routes come out below zero.
inline pricing::ArcCosts costs_with(const std::vector<pricing::Money>& prizes,
                                    const pricing::RouteData& data) {
    pricing::ArcCosts costs(data.nodes * data.nodes, pricing::no_way);
    for (std::size_t from = 0; from < data.nodes; ++from) {
        for (std::size_t to = 0; to < data.nodes; ++to) {
            if (from == to) continue;
            costs[from * data.nodes + to] =
                static_cast<pricing::Money>(data.cost[from * data.nodes + to]) - prizes[to];
        }
    }
    return costs;
}

inline pricing::ArcCosts draw_costs(TinyProblems& dice, const pricing::RouteData& data) {
    return costs_with(draw_prizes(dice, data), data);
}

using PricedRows = std::vector<std::pair<pricing::SubsetRow, pricing::Money>>;

// Subset rows with memories between their members alone and everybody; some cost nothing.
inline PricedRows draw_rows(TinyProblems& dice, std::size_t customers, std::size_t count) {
    PricedRows rows;
    if (customers < 3) return rows;
    while (rows.size() < count) {
        pricing::SubsetRow row;
        row.memory = draw_sequence(dice, customers, static_cast<std::size_t>(dice.draw(3, 9)));
        std::copy_n(row.memory.begin(), 3, row.members.begin());
        rows.emplace_back(row, dice.draw(0, 3) == 0 ? 0 : dice.draw(1, 12));
    }
    return rows;
}

// By definition: half of the visits in each run of a walk within the memory, rounded down.
inline pricing::Money count_in_row(const pricing::Path& walk, const pricing::SubsetRow& row) {
    const auto is_in = [](const auto& list, pricing::Node customer) {
        return std::find(list.begin(), list.end(), customer) != list.end();
    };
    pricing::Money count = 0;
    pricing::Money in_run = 0;
    for (const pricing::Node customer : walk) {
        if (!is_in(row.memory, customer)) {
            count += in_run / 2;
            in_run = 0;
        } else if (is_in(row.members, customer)) {
            ++in_run;
        }
    }
    return count + in_run / 2;
}

inline pricing::Money penalties_of(const pricing::Path& walk, const PricedRows& rows) {
    pricing::Money sum = 0;
    for (const auto& [row, penalty] : rows) sum += penalty * count_in_row(walk, row);
    return sum;
}

// What a search for the cheapest routes must find: the given routes below the threshold, cheapest
// first, one of each pair of a route and its reverse where both cost alike.
inline std::vector<pricing::PricedRoute> cheapest_first(const std::vector<pricing::Path>& routes,
                                                        const pricing::ArcCosts& costs,
                                                        std::size_t nodes, bool symmetric,
                                                        pricing::Money threshold,
                                                        const PricedRows& rows = {}) {
    std::vector<pricing::PricedRoute> priced;
    for (const pricing::Path& route : routes) {
        if (symmetric && route.front() > route.back()) continue;
        const pricing::Money cost = cost_of(route, costs, nodes) + penalties_of(route, rows);
        if (cost < threshold) priced.push_back({route, cost});
    }
    std::sort(priced.begin(), priced.end(),
              [](const pricing::PricedRoute& a, const pricing::PricedRoute& b) {
                  return a.reduced_cost < b.reduced_cost;
              });
    return priced;
}

}  // namespace tailgate::tests
