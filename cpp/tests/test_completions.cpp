#include "labelled_routes.hpp"

using namespace tailgate::pricing;
using namespace tailgate::tests;

namespace {

using Outcome = Completions::Outcome;

// A case with its bounds and labels, and with all its routes.
struct Labelled : LabelledRoutes {
    Labelled(TinyProblems& dice, std::size_t customers, const RouteRules& rules, Money threshold,
             std::size_t row_count = 0)
        : Labelled(dice, tiny_route_data(dice, customers, rules), threshold, row_count,
                   dice.draw(0, 2), dice.draw(1, 4)) {}

    Labelled(TinyProblems& dice, const RouteData& route_data, Money threshold,
             std::size_t row_count, int pairs, int neighbourhood_size)
        : LabelledRoutes(dice, route_data, threshold, row_count, neighbourhood_size) {
        for (; pairs > 0; --pairs) {
            const Path pair = draw_sequence(dice, data.nodes - 1, 2);
            if (pair.size() == 2) forbid(pair[0], pair[1]);
        }
        bounds.compute(costs);
        compute(&bounds, false);
        for (const Path& route : all_routes(data)) {
            bool possible = true;
            for (std::size_t i = 0; i < route.size(); ++i) {
                for (std::size_t j = 0; j < i; ++j)
                    possible = possible && !neighbourhoods.are_incompatible(route[i], route[j]);
            }
            if (possible) routes.push_back(route);
        }
    }

    void forbid(Node a, Node b) {
        neighbourhoods.set_incompatible(a, b);
        for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}})
            costs[static_cast<std::size_t>(from) * data.nodes + static_cast<std::size_t>(to)] =
                no_way;
    }

    std::vector<Path> routes;
};

// What is known of a truck that begins service at the last customer of `path`.
struct Arrival {
    Load load_before{};  // without that customer
    double start = 0.0;
    Memory visited = 0;                    // before, as remembered there
    Money penalties = 0;                   // without that customer
    std::vector<SubsetRows::Word> halves;  // that it carries there
};

Arrival arrival_of(const Labelled& made, const Path& path) {
    Arrival arrival;
    std::vector<SubsetRows::Word> state(made.rows.words(), 0);
    arrival.halves = state;
    double clock = made.data.has_windows ? made.data.windows.ready[0] : 0.0;
    Node last = 0;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const auto node = static_cast<std::size_t>(path[i]);
        if (made.data.has_windows) {
            clock += made.data.duration_between(last, path[i]);
            clock = std::max(clock, made.data.windows.ready[node]);
        }
        arrival.start = clock;
        if (made.data.has_windows) clock += made.data.windows.service[node];
        last = path[i];
        if (i + 1 == path.size()) break;
        for (std::size_t r = 0; r < made.resources.size(); ++r)
            arrival.load_before[r] += made.resources[r].use[node];
        arrival.penalties += made.rows.visit(path[i], state.data());
        arrival.visited |= made.neighbourhoods.bit(path.back(), path[i]);
    }
    made.rows.carry(state.data(), path.back(), arrival.halves.data());
    return arrival;
}

// Is there a completion that makes this beginning of a route no more expensive than the route is?
bool is_covered(const Labelled& made, const Path& path, Money route_cost) {
    const Arrival arrival = arrival_of(made, path);
    const Money so_far = cost_of(path, made.costs, made.data.nodes, false) + arrival.penalties;
    const std::int64_t room = made.resources[0].limit - arrival.load_before[0];
    bool covered = false;
    const auto keys = made.completions.at(path.back());
    const auto customer = static_cast<std::size_t>(path.back());
    const std::size_t first = made.completions.first_by_room(room)[customer].index;
    Money best = no_way;
    for (const CompletionKey& key : keys) {
        const Completion& completion = made.completions[key];
        bool fits = true;
        for (std::size_t r = 0; r < made.resources.size(); ++r)
            fits = fits && arrival.load_before[r] + completion.load[r] <= made.resources[r].limit;
        const Money together =
            arrival.halves.empty()
                ? 0
                : made.rows.both(arrival.halves.data(), made.completions.state(key), no_way);
        if (!fits || (completion.memory & arrival.visited) != 0 ||
            (made.data.has_windows && arrival.start > made.data.latest_arrival(completion.latest)))
            continue;
        best = std::min(best, completion.cost + together);
        const bool is_alone = path.size() == 1 && completion.next < 0;
        covered = covered || ((!is_alone || made.data.single_customer_routes) &&
                              so_far + completion.cost + together <= route_cost);
    }
    // The quick look must say the same.
    const bool no_halves = std::all_of(arrival.halves.begin(), arrival.halves.end(),
                                       [](SubsetRows::Word word) { return word == 0; });
    const Completions::Beginning beginning{so_far,
                                           arrival.load_before,
                                           arrival.start,
                                           arrival.visited,
                                           no_halves ? nullptr : arrival.halves.data(),
                                           {}};
    for (const Money threshold : {route_cost, route_cost + 1, so_far + best, so_far + best + 1}) {
        const Money answer =
            made.completions.cheapest(path.back(), first, beginning, threshold, false);
        CHECK(answer == (so_far + best < threshold ? best : no_way));
        const Money any = made.completions.cheapest(path.back(), first, beginning, threshold, true);
        CHECK(answer == no_way ? any == no_way : any >= answer && so_far + any < threshold);
    }
    return covered;
}

TEST(every_beginning_of_a_cheap_route_has_a_completion_as_cheap) {
    TinyProblems dice(1);
    int covered = 0;
    for (int round = 0; round < 192; ++round) {
        const std::size_t rows = round < 96 ? 0 : static_cast<std::size_t>(dice.draw(1, 80));
        const Labelled made(dice, static_cast<std::size_t>(dice.draw(1, 6)),
                            RouteRules::of_round(round), dice.draw(-30, 20), rows);
        Money least = no_way;
        for (const Path& route : made.routes) {
            const Money cost =
                cost_of(route, made.costs, made.data.nodes) + penalties_of(route, made.priced_rows);
            if (cost >= made.threshold) continue;
            least = std::min(least, cost);
            for (std::size_t length = 1; length <= route.size(); ++length) {
                CHECK(is_covered(
                    made, Path(route.begin(), route.begin() + static_cast<int>(length)), cost));
                ++covered;
            }
        }
        CHECK(made.completions.least() <= least);
        CHECK(made.completions.least() == no_way || made.completions.least() < made.threshold);
    }
    CHECK(covered > 1'000);
}

// Longer routes, of which completions remember little: many that are kept stand for others, and
// meet beginnings that stand for others as well.
TEST(routes_read_backwards_lose_nothing) {
    TinyProblems dice(9);
    int covered = 0;
    for (int round = 0; round < 800; ++round) {
        RouteData data = tiny_route_data(dice, 7, {});
        const bool many_pairs = round % 4 != 0;
        data.capacity = 1'000;
        data.floor_area = dice.draw(9, 16);
        for (std::size_t node = 1; node < data.nodes; ++node) data.area[node] = dice.draw(1, 3);
        const auto rows = static_cast<std::size_t>(round % 3 == 0 ? dice.draw(1, 9) : 0);
        Labelled made(dice, data, 0, rows, many_pairs ? dice.draw(8, 11) : dice.draw(0, 4),
                      many_pairs ? dice.draw(4, 5) : dice.draw(2, 3));
        std::vector<std::pair<Money, Path>> priced;
        for (const Path& route : made.routes) {
            priced.emplace_back(
                cost_of(route, made.costs, data.nodes) + penalties_of(route, made.priced_rows),
                route);
        }
        std::sort(priced.begin(), priced.end());
        const auto below = std::min(priced.size(), static_cast<std::size_t>(dice.draw(1, 400))) - 1;
        made.threshold = priced[below].first + dice.draw(0, 3);
        made.compute(&made.bounds, false);
        for (const auto& [cost, route] : priced) {
            if (cost >= made.threshold) break;
            for (std::size_t length = 1; length <= route.size(); ++length) {
                CHECK(is_covered(
                    made, Path(route.begin(), route.begin() + static_cast<int>(length)), cost));
                ++covered;
            }
        }
    }
    CHECK(covered > 10'000);
}

TEST(with_full_memories_the_least_is_the_cheapest_route) {
    TinyProblems dice(2);
    int compared = 0;
    for (int round = 0; round < 192; ++round) {
        const RouteRules rules = RouteRules::of_round(round);
        const RouteData data = tiny_route_data(dice, 5, rules);
        const std::vector<Resource> resources = binding_resources(data);
        const std::vector<Money> prizes = draw_prizes(dice, data);
        const ArcCosts costs = costs_with(prizes, data);
        const Neighbourhoods neighbourhoods(data, 5);
        WalkBounds bounds(data, resources);
        bounds.compute(costs);
        const PricedRows priced_rows = draw_rows(dice, 5, round < 96 ? 0 : 9);
        SubsetRows rows(data.nodes);
        rows.set(priced_rows);
        Completions completions(data, resources);
        const Money threshold = dice.draw(-20, 60);
        // Read backwards or not, the answer is the same.
        const bool backwards = data.is_symmetric() && dice.draw(0, 3) != 0;
        CHECK(completions.compute({costs, rows, neighbourhoods, &bounds, threshold, no_limit, false,
                                   backwards ? &prizes : nullptr, never}) == Outcome::complete);
        Money least = no_way;
        for (const Path& route : all_routes(data))
            least = std::min(least,
                             cost_of(route, costs, data.nodes) + penalties_of(route, priced_rows));
        if (least >= threshold) least = no_way;
        compared += least < no_way;
        CHECK(completions.least() == least);
        CHECK((least == no_way) == completions.cheapest_walks().empty());
    }
    CHECK(compared > 40);
}

TEST(the_cheapest_walks_are_what_they_cost) {
    TinyProblems dice(3);
    int walks = 0;
    for (int round = 0; round < 96; ++round) {
        const Labelled made(dice, 5, RouteRules::of_round(round), dice.draw(-20, 20),
                            round < 48 ? 0 : 7);
        Money least = no_way;
        for (const Path& walk : made.completions.cheapest_walks()) {
            ++walks;
            const Money cost =
                cost_of(walk, made.costs, made.data.nodes) + penalties_of(walk, made.priced_rows);
            CHECK(cost < made.threshold);
            CHECK(walk.size() > 1 || made.data.single_customer_routes);
            for (std::size_t i = 1; i < walk.size(); ++i) CHECK(walk[i] != walk[i - 1]);
            for (const Resource& resource : made.resources) {
                std::int64_t load = 0;
                for (const Node customer : walk)
                    load += resource.use[static_cast<std::size_t>(customer)];
                CHECK(load <= resource.limit);
            }
            least = std::min(least, cost);
        }
        CHECK(made.completions.least() == least);
    }
    CHECK(walks > 50);
}

TEST(a_quick_check_of_the_room_leaves_nothing_out_that_fits) {
    TinyProblems dice(4);
    for (int round = 0; round < 16; ++round) {
        const Labelled made(dice, 5, RouteRules::of_round(round), 60);
        for (Node customer = 1; customer <= 5; ++customer) {
            const auto all = made.completions.at(customer);
            for (std::size_t i = 0; i < all.size(); ++i) {
                const Completion& completion = made.completions[all[i]];
                CHECK(i == 0 || all[i - 1].cost <= all[i].cost);
                CHECK(completion.customer == customer);
                CHECK(completion.cost == all[i].cost && completion.memory == all[i].memory);
                for (std::size_t r = 0; r < std::min<std::size_t>(2, made.resources.size()); ++r)
                    CHECK(completion.load[r] == all[i].load[r]);
            }
            for (std::int64_t room = 0; room <= made.resources[0].limit; ++room) {
                const auto first =
                    made.completions.first_by_room(room)[static_cast<std::size_t>(customer)];
                for (std::size_t i = 0; i < first.index; ++i) CHECK(all[i].load[0] > room);
                CHECK(first.cost == (first.index < all.size() ? all[first.index].cost : no_way));
            }
        }
    }
}

TEST(a_new_computation_forgets_the_one_before) {
    TinyProblems dice(5);
    Labelled made(dice, 5, {}, 40);
    CHECK(made.completions.least() < no_way);
    made.threshold = -100'000;
    made.compute(&made.bounds, false);
    CHECK(made.completions.least() == no_way);
    CHECK(made.completions.cheapest_walks().empty());
    for (Node customer = 1; customer <= 5; ++customer) CHECK(made.completions.at(customer).empty());
}

TEST(some_completions_make_only_elementary_routes) {
    TinyProblems dice(6);
    int found = 0;
    for (int round = 0; round < 96; ++round) {
        Labelled made(dice, 6, RouteRules::of_round(round), dice.draw(-20, 20), round < 48 ? 0 : 7);
        const Money least = made.completions.least();
        made.compute(&made.bounds, true);
        CHECK(made.completions.least() >= least);
        for (Path walk : made.completions.cheapest_walks()) {
            ++found;
            CHECK(cost_of(walk, made.costs, made.data.nodes) +
                      penalties_of(walk, made.priced_rows) <
                  made.threshold);
            CHECK(walk.size() > 1 || made.data.single_customer_routes);
            std::sort(walk.begin(), walk.end());
            CHECK(std::adjacent_find(walk.begin(), walk.end()) == walk.end());
        }
    }
    CHECK(found > 50);
}

// Bounds on what comes before save work; besides, their walks do not turn straight back.
TEST(without_bounds_there_are_more_labels_and_nothing_costs_more) {
    TinyProblems dice(8);
    std::int64_t with_bounds = 0;
    std::int64_t without = 0;
    for (int round = 0; round < 48; ++round) {
        Labelled made(dice, 6, RouteRules::of_round(round), dice.draw(-20, 20), round < 24 ? 0 : 7);
        made.compute(&made.bounds, false, false);
        const Money least = made.completions.least();
        with_bounds += made.completions.label_count();
        made.compute(nullptr, false, false);
        without += made.completions.label_count();
        CHECK(made.completions.least() <= least);
    }
    CHECK(without > with_bounds);
}

TEST(a_stop_and_a_limit_are_reported) {
    TinyProblems dice(7);
    RouteData data = tiny_route_data(dice, 12, {});
    data.capacity = data.floor_area = 1'000;
    const std::vector<Resource> resources = binding_resources(data);
    const ArcCosts costs = draw_costs(dice, data);
    const Neighbourhoods neighbourhoods(data, 8);
    WalkBounds bounds(data, resources);
    bounds.compute(costs);
    const SubsetRows rows(data.nodes);
    Completions completions(data, resources);
    int looks = 0;
    const Stop at_third_look = [&] { return ++looks == 3; };
    const auto compute = [&](std::int64_t max_labels, const Stop& stop) {
        return completions.compute(
            {costs, rows, neighbourhoods, &bounds, 0, max_labels, false, nullptr, stop});
    };
    CHECK(compute(no_limit, at_third_look) == Outcome::stopped);
    CHECK(looks == 3);
    CHECK(compute(2'000, never) == Outcome::too_many);
    CHECK(compute(no_limit, never) == Outcome::complete);
    CHECK(completions.label_count() > 2'000);
    CHECK(compute(completions.label_count(), never) == Outcome::complete);
}

}  // namespace
