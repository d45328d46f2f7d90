#include <cstdlib>
#include <new>

#include "pricing/walk_bounds.hpp"
#include "test.hpp"
#include "tiny_routes.hpp"

using namespace tailgate::pricing;
using namespace tailgate::tests;

namespace {

std::size_t largest_allocation = 0;

}  // namespace

void* operator new(std::size_t bytes) {
    largest_allocation = std::max(largest_allocation, bytes);
    if (void* memory = std::malloc(bytes)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace {

using Rooms = std::vector<std::int64_t>;

RouteData only_nodes(std::size_t nodes) {
    RouteData data;
    data.nodes = nodes;
    return data;
}

// Costs of any kind, some ways being closed.
ArcCosts any_costs(TinyProblems& dice, std::size_t nodes) {
    ArcCosts costs(nodes * nodes, no_way);
    for (std::size_t from = 0; from < nodes; ++from) {
        for (std::size_t to = 0; to < nodes; ++to) {
            if (from != to && dice.draw(0, 7) > 0) costs[from * nodes + to] = dice.draw(-20, 30);
        }
    }
    return costs;
}

Resource any_resource(TinyProblems& dice, std::size_t nodes, int least_use, int limit) {
    Resource resource{std::vector<std::int64_t>(nodes, 0), limit};
    for (std::size_t node = 1; node < nodes; ++node)
        resource.use[node] = dice.draw(least_use, std::max(least_use, limit / 2));
    return resource;
}

// Walks from the depot, whose customers fit into the room.
struct WalkRules {
    bool repeats = false;   // a customer may come again, but not straight after one other
    Node next = 0;          // the last but one must not be this
    std::size_t only = 99;  // of the resources, unless it is this one that counts alone
};

// The cheapest of them that ends at `node`.
Money cheapest_walk(const ArcCosts& costs, const std::vector<Resource>& resources, Node node,
                    const Rooms& room, const WalkRules& rules) {
    const std::size_t nodes = resources[0].use.size();
    Money best = no_way;
    Path path;
    const auto extend = [&](const auto& self, Money cost, const Rooms& left) -> void {
        const Node last = path.empty() ? Node{0} : path.back();
        const Node before = path.size() < 2 ? Node{0} : path[path.size() - 2];
        if (last == node && (rules.next == 0 || before != rules.next)) best = std::min(best, cost);
        for (Node to = 1; to < static_cast<Node>(nodes); ++to) {
            const Money arc =
                costs[static_cast<std::size_t>(last) * nodes + static_cast<std::size_t>(to)];
            const bool again = std::find(path.begin(), path.end(), to) != path.end();
            if (arc >= no_way || (rules.repeats ? to == before : again)) continue;
            Rooms less = left;
            bool fits = true;
            for (std::size_t r = 0; r < resources.size(); ++r) {
                if (rules.only != 99 && rules.only != r) continue;
                less[r] -= resources[r].use[static_cast<std::size_t>(to)];
                fits = fits && less[r] >= 0;
            }
            if (!fits) continue;
            path.push_back(to);
            self(self, cost + arc, less);
            path.pop_back();
        }
    };
    extend(extend, 0, room);
    return best;
}

template <class Look>
void for_every_question(std::size_t nodes, const Look& look) {
    for (Node node = 1; node < static_cast<Node>(nodes); ++node) {
        for (Node next = 0; next < static_cast<Node>(nodes); ++next) {
            if (next != node) look(node, next);
        }
    }
}

TEST(the_bound_is_the_cheapest_walk_that_does_not_turn_straight_back) {
    TinyProblems dice(1);
    for (int round = 0; round < 30; ++round) {
        const auto nodes = static_cast<std::size_t>(dice.draw(3, 5));
        std::vector<Resource> resources;
        for (int count = dice.draw(1, 2); count > 0; --count)
            resources.push_back(any_resource(dice, nodes, 1, dice.draw(3, 6)));
        const ArcCosts costs = any_costs(dice, nodes);
        WalkBounds bounds(only_nodes(nodes), resources);
        bounds.compute(costs);
        for_every_question(nodes, [&](Node node, Node next) {
            for (std::int64_t first = 0; first <= resources[0].limit; ++first) {
                const Rooms room{first, resources.back().limit - first % 2};
                Money expected = -no_way;
                for (std::size_t r = 0; r < resources.size(); ++r)
                    expected = std::max(
                        expected, cheapest_walk(costs, resources, node, room, {true, next, r}));
                CHECK(bounds.within(room.data()).before(node, next) == expected);
            }
        });
    }
}

TEST(no_path_is_cheaper_than_the_bound_whatever_the_loads_are) {
    TinyProblems dice(2);
    int tight = 0;
    for (int round = 0; round < 60; ++round) {
        const auto nodes = static_cast<std::size_t>(dice.draw(2, 6));
        // Loads of nothing, loads too small for a step of the table, and loads of many steps.
        const int limit = round % 3 == 0 ? dice.draw(2, 9) : round % 3 == 1 ? 5'000 : 2'000'000;
        std::vector<Resource> resources{any_resource(dice, nodes, 0, limit)};
        for (std::size_t node = 1; node < nodes; ++node) {
            if (dice.draw(0, 2) == 0) resources[0].use[node] = dice.draw(0, 3);
        }
        if (dice.draw(0, 1) == 0) resources.push_back(any_resource(dice, nodes, 1, 7));
        const ArcCosts costs = any_costs(dice, nodes);
        WalkBounds bounds(only_nodes(nodes), resources);
        bounds.compute(costs);
        for_every_question(nodes, [&](Node node, Node next) {
            for (int query = 0; query < 6; ++query) {
                Rooms room;
                for (const Resource& resource : resources)
                    room.push_back(query == 0 ? resource.limit
                                              : dice.draw(0, static_cast<int>(resource.limit)));
                const Money expected =
                    cheapest_walk(costs, resources, node, room, {false, next, 99});
                const Money bound = bounds.within(room.data()).before(node, next);
                CHECK(bound <= expected);
                tight += bound == expected && expected < no_way;
            }
        });
        Money cheapest = no_way;
        for (Node node = 1; node < static_cast<Node>(nodes); ++node) {
            const Money back = costs[static_cast<std::size_t>(node) * nodes];
            Rooms room;
            for (const Resource& resource : resources) room.push_back(resource.limit);
            const Money there = cheapest_walk(costs, resources, node, room, {false, 0, 99});
            if (back < no_way && there < no_way) cheapest = std::min(cheapest, there + back);
        }
        CHECK(bounds.least() <= cheapest);
    }
    CHECK(tight > 500);
}

TEST(a_customer_that_does_not_fit_into_the_room_is_out_of_reach) {
    const std::vector<Resource> resources{{{0, 3, 5}, 8}};
    WalkBounds bounds(only_nodes(3), resources);
    bounds.compute({no_way, 1, 1, 1, no_way, 1, 1, 1, no_way});
    const auto at = [&](Node node, std::int64_t room) {
        return bounds.within(&room).before(node, 0);
    };
    CHECK(at(2, 4) == no_way);
    CHECK(at(2, 5) == 1);
    CHECK(at(1, 2) == no_way);
    CHECK(at(1, 0) == no_way);
    CHECK(at(1, 3) == 1);
}

TEST(a_new_computation_forgets_the_one_before) {
    TinyProblems dice(3);
    const std::vector<Resource> resources{any_resource(dice, 5, 1, 9)};
    WalkBounds used(only_nodes(5), resources);
    for (int round = 0; round < 20; ++round) {
        const ArcCosts costs = any_costs(dice, 5);
        WalkBounds fresh(only_nodes(5), resources);
        used.compute(costs);
        fresh.compute(costs);
        CHECK(used.least() == fresh.least());
        for_every_question(5, [&](Node node, Node next) {
            for (std::int64_t room = 0; room <= 9; ++room)
                CHECK(used.within(&room).before(node, next) ==
                      fresh.within(&room).before(node, next));
        });
    }
}

TEST(no_unit_of_load_costs_memory) {
    TinyProblems dice(4);
    for (const std::int64_t unit : {std::int64_t{1'000}, std::int64_t{100'000'000'000'000}}) {
        // The odd gram makes sure that no common divisor helps.
        const std::vector<Resource> resources{
            {{0, 3 * unit + 1, 2 * unit, 4 * unit + 7, unit, 2}, 9 * unit}};
        const ArcCosts costs = any_costs(dice, 6);
        largest_allocation = 0;
        WalkBounds bounds(only_nodes(6), resources);
        bounds.compute(costs);
        CHECK(largest_allocation < 200'000);
        for_every_question(6, [&](Node node, Node next) {
            for (int tenths = 0; tenths <= 10; ++tenths) {
                const Rooms room{9 * unit / 10 * tenths};
                CHECK(bounds.within(room.data()).before(node, next) <=
                      cheapest_walk(costs, resources, node, room, {false, next, 99}));
            }
        });
    }
}

TEST(loads_with_a_common_divisor_are_exact) {
    constexpr std::int64_t tonne = 1'000'000'000'000;
    const std::vector<Resource> resources{{{0, 3 * tonne, 5 * tonne}, 8 * tonne}};
    WalkBounds bounds(only_nodes(3), resources);
    bounds.compute({no_way, 10, 10, 1, no_way, 1, 1, 1, no_way});
    const std::int64_t both = 8 * tonne;
    const std::int64_t nearly = both - 1;
    CHECK(bounds.within(&both).before(2, 0) == 10);
    bounds.compute({no_way, -10, 10, 1, no_way, 1, 1, 1, no_way});
    CHECK(bounds.within(&both).before(2, 0) == -9);
    CHECK(bounds.within(&nearly).before(2, 0) == 10);
}

TEST(cheap_walks_cost_what_the_bound_says) {
    TinyProblems dice(5);
    for (int round = 0; round < 200; ++round) {
        constexpr std::size_t nodes = 6;
        const std::vector<Resource> resources{any_resource(dice, nodes, 0, 9),
                                              any_resource(dice, nodes, 1, 9)};
        const ArcCosts costs = any_costs(dice, nodes);
        WalkBounds bounds(only_nodes(nodes), resources);
        bounds.compute(costs);
        Money least = no_way;
        for (const Path& walk : bounds.cheapest_walks(costs)) {
            Money cost = 0;
            Node last = 0;
            for (std::size_t i = 0; i < walk.size(); ++i) {
                CHECK(i < 2 || walk[i] != walk[i - 2]);
                cost += costs[static_cast<std::size_t>(last) * nodes +
                              static_cast<std::size_t>(walk[i])];
                last = walk[i];
            }
            least = std::min(least, cost + costs[static_cast<std::size_t>(last) * nodes]);
        }
        CHECK(least == bounds.least());
    }
}

}  // namespace
