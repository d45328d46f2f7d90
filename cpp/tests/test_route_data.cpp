#include "pricing/route_data.hpp"
#include "pricing/timetable.hpp"
#include "test.hpp"
#include "tiny_routes.hpp"

using namespace tailgate::pricing;
using namespace tailgate::tests;

namespace {

using Loads = std::vector<std::int64_t>;

RouteData loaded(Loads weight, std::int64_t capacity, Loads area, std::int64_t floor_area) {
    RouteData data;
    data.nodes = weight.size();
    data.weight = std::move(weight);
    data.area = std::move(area);
    data.capacity = capacity;
    data.floor_area = floor_area;
    return data;
}

bool is_within(const RouteData& data, const std::vector<Resource>& resources, unsigned set) {
    for (const Resource& resource : resources) {
        std::int64_t left = resource.limit;
        for (std::size_t node = 1; node < data.nodes; ++node) {
            if ((set >> node & 1U) != 0) left -= resource.use[node];
        }
        if (left < 0) return false;
    }
    return true;
}

TEST(no_set_of_customers_gets_in_or_out_by_dropping_a_resource) {
    TinyProblems dice(1);
    int dropped = 0;
    for (int round = 0; round < 400; ++round) {
        const auto nodes = static_cast<std::size_t>(dice.draw(2, 8));
        Loads weight{0};
        Loads area{0};
        for (std::size_t node = 1; node < nodes; ++node) {
            weight.push_back(dice.draw(0, 9));
            // Often in step with each other, so that the one nearly says what the other does.
            area.push_back(dice.draw(0, 1) == 0 ? weight.back() : dice.draw(0, 9));
        }
        const RouteData data = loaded(weight, dice.draw(9, 30), std::move(area), dice.draw(9, 30));
        const std::vector<Resource> kept = binding_resources(data);
        const std::vector<Resource> both{{data.weight, data.capacity},
                                         {data.area, data.floor_area}};
        dropped += kept.size() < both.size();
        for (unsigned set = 0; set < 1U << nodes; set += 2)
            CHECK(is_within(data, kept, set) == is_within(data, both, set));
        for (const Resource& resource : kept) CHECK(resource.use[0] == 0);
        for (std::size_t node = 1; node < nodes; ++node) {
            std::int64_t used = 0;
            for (const Resource& resource : kept) used += resource.use[node];
            CHECK(used > 0);
        }
    }
    CHECK(dropped > 100);
}

TEST(a_resource_that_cannot_bind_is_dropped) {
    // All weights together fit: the floor alone decides, and the other way round.
    auto kept = binding_resources(loaded({0, 1, 1, 1}, 4, {0, 5, 5, 5}, 12));
    CHECK(kept.size() == 1 && kept[0].limit == 12 && (kept[0].use == Loads{0, 5, 5, 5}));
    kept = binding_resources(loaded({0, 5, 5, 5}, 12, {0, 1, 1, 1}, 4));
    CHECK(kept.size() == 1 && kept[0].limit == 12);
    // Not all weights fit, but those of any two do, and more never share the floor.
    kept = binding_resources(loaded({0, 4, 4, 4}, 11, {0, 5, 5, 5}, 10));
    CHECK(kept.size() == 1 && kept[0].limit == 10);
    // Not all areas fit, but those of any two do, and more are too heavy.
    kept = binding_resources(loaded({0, 5, 5, 5}, 10, {0, 4, 4, 4}, 11));
    CHECK(kept.size() == 1 && kept[0].limit == 10);
    // Both bind.
    kept = binding_resources(loaded({0, 9, 1, 9}, 10, {0, 1, 9, 9}, 10));
    CHECK(kept.size() == 2);
}

TEST(where_nothing_binds_the_stops_are_counted) {
    auto kept = binding_resources(loaded({0, 1, 1}, 9, {0, 1, 1}, 9));
    CHECK(kept.size() == 1 && kept[0].limit == 2 && (kept[0].use == Loads{0, 1, 1}));
    // One customer has neither weight nor area, and would be visited for ever.
    kept = binding_resources(loaded({0, 8, 0, 8}, 9, {0, 1, 0, 1}, 9));
    CHECK(kept.size() == 2);
    CHECK(kept.back().limit == 3 && (kept.back().use == Loads{0, 1, 1, 1}));
    kept = binding_resources(loaded({0, 9, 0, 9}, 10, {0, 1, 9, 9}, 10));
    CHECK(kept.size() == 2 && kept[0].limit == 10 && kept[1].limit == 10);
}

TEST(a_limit_that_is_met_to_the_gram_counts_as_binding_or_not_but_never_wrongly) {
    constexpr std::int64_t heavy = 1'000'000'000'000'000;
    // Sums of doubles do not see the gram that is too much.
    const RouteData data = loaded({0, heavy / 2, heavy / 2 + 1}, heavy, {0, 1, 1}, 9);
    const std::vector<Resource> kept = binding_resources(data);
    CHECK(!is_within(data, kept, 6));
    CHECK(is_within(data, kept, 2) && is_within(data, kept, 4));
}

TEST(only_equal_costs_without_windows_are_symmetric) {
    TinyProblems dice(2);
    RouteData data = tiny_route_data(dice, 4, {});
    CHECK(data.is_symmetric());
    data.cost[1 * data.nodes + 3] += 1.0;
    CHECK(!data.is_symmetric());
    data.cost[3 * data.nodes + 1] += 1.0;
    CHECK(data.is_symmetric());
    data.has_windows = true;
    CHECK(!data.is_symmetric());
}

TEST(an_arrival_may_be_late_by_rounding_only) {
    RouteData data;
    CHECK(data.latest_arrival(0.5) > 0.5 && data.latest_arrival(0.5) < 0.5 + 2e-9);
    CHECK(data.latest_arrival(1e6) >= 1e6 + 0.9e-3 && data.latest_arrival(1e6) < 1e6 + 2e-3);
    CHECK(data.latest_arrival(unlimited) == unlimited);
    data.time_tolerance = 0.0;
    CHECK(data.latest_arrival(1e6) == 1e6);
    CHECK(data.latest_arrival(unlimited) == unlimited);
}

TEST(routes_in_time_are_those_that_keep_every_window) {
    TinyProblems dice(3);
    int late = 0;
    for (int round = 0; round < 40; ++round) {
        RouteData data = tiny_route_data(dice, 4, {true, round % 2 == 0, true, true});
        data.capacity = data.floor_area = 1'000;
        RouteData timeless = data;
        timeless.has_windows = false;
        const std::vector<Path> in_time = all_routes(data);
        for (const Path& route : all_routes(timeless)) {
            const bool expected = std::find(in_time.begin(), in_time.end(), route) != in_time.end();
            late += !expected;
            CHECK(Timetable(data).allows(route) == expected);
            CHECK(Timetable(timeless).allows(route));
        }
    }
    CHECK(late > 200);
}

}  // namespace
