#include "packing/route_cache.hpp"
#include "test.hpp"

using namespace tailgate::packing;

namespace {

constexpr std::size_t plenty = std::size_t{1} << 24;

// Five customers with one item each on a floor 10 long.
const std::vector<std::vector<Cargo>> customers{
    {{{1, 1}, {}}}, {{{1, 2}, {}}}, {{{1, 3}, {}}}, {{{1, 4}, {}}}, {{{1, 5}, {}}}};
const Mirror mirror{10, &customers};

TEST(effort_adds_up_and_goes_with_the_memory) {
    RouteCache cache(std::size_t{1} << 14, false);
    CHECK(cache.effort({1, 2}) == 0);
    cache.add_effort({1, 2}, 300);
    const std::size_t bytes = cache.bytes();
    CHECK(bytes > 0);
    cache.add_effort({1, 2}, 50);
    CHECK(cache.bytes() == bytes);
    CHECK(cache.effort({1, 2}) == 350);
    CHECK(cache.effort({1}) == 0);
    for (std::int32_t customer = 0; customer < 1'000; ++customer) {
        cache.add_effort({customer, 2'000}, 1);
        CHECK(cache.bytes() <= (std::size_t{1} << 14) + 512);  // two entries that did not fit
    }
    CHECK(cache.effort({1, 2}) == 0);
}

TEST(routes_are_found_as_they_were_stored) {
    RouteCache cache(plenty, true);
    CHECK(cache.find({0, 1}) == nullptr);
    cache.store({0, 1}, {Verdict::feasible, {{{3, 4}}, {{5, 6}}}});
    cache.store({1, 2}, {Verdict::infeasible, {}});
    const RouteCache::Known* known = cache.find({0, 1});
    CHECK(known != nullptr && known->verdict == Verdict::feasible);
    CHECK(known != nullptr && known->layout[1][0].x == 5);
    CHECK(cache.find({1, 2}) != nullptr && cache.find({1, 2})->verdict == Verdict::infeasible);
    CHECK(cache.find({0, 2}) == nullptr);
    cache.clear();
    CHECK(cache.find({0, 1}) == nullptr);
    CHECK(cache.bytes() == 0);
}

TEST(an_infeasible_core_is_found_in_longer_routes) {
    RouteCache cache(plenty, true);
    cache.store_infeasible_core({0, 1, 2});
    CHECK(cache.find_infeasible_core({0, 1, 2}));
    CHECK(cache.find_infeasible_core({4, 0, 3, 1, 2}));
    CHECK(cache.find_infeasible_core({2, 3, 1, 0}));   // backwards
    CHECK(!cache.find_infeasible_core({1, 0, 2, 3}));  // another order
    CHECK(!cache.find_infeasible_core({0, 1, 3, 4}));
    CHECK(!cache.find_infeasible_core({0, 1}));
}

TEST(a_pair_is_infeasible_in_either_order) {
    RouteCache cache(plenty, true);
    cache.store_infeasible_core({3, 1});
    CHECK(cache.find_infeasible_core({1, 0, 3}));
    CHECK(cache.find_infeasible_core({3, 0, 1}));
    CHECK(!cache.find_infeasible_core({0, 1, 2}));
}

TEST(without_lifo_a_core_is_a_set) {
    RouteCache cache(plenty, false);
    cache.store_infeasible_core({0, 2, 4});
    CHECK(cache.find_infeasible_core({0, 1, 2, 3, 4}));
    CHECK(!cache.find_infeasible_core({0, 1, 2, 3}));
}

TEST(a_single_customer_may_be_a_core) {
    RouteCache cache(plenty, true);
    cache.store_infeasible_core({2});
    CHECK(cache.find_infeasible_core({2}));
    CHECK(cache.find_infeasible_core({0, 2, 1}));
    CHECK(!cache.find_infeasible_core({0, 1}));
}

TEST(a_plan_is_cut_out_of_a_longer_route) {
    RouteCache cache(plenty, true);
    cache.store({0, 1, 2, 3}, {Verdict::feasible, {{{0, 9}}, {{1, 7}}, {{2, 5}}, {{3, 4}}}});
    const auto plan = cache.plan_from_longer_route({0, 2}, mirror);
    CHECK(plan.has_value());
    CHECK(plan && plan->size() == 2 && (*plan)[0][0].y == 9 && (*plan)[1][0].y == 5);
    CHECK(!cache.plan_from_longer_route({0, 4}, mirror).has_value());
    CHECK(!cache.plan_from_longer_route({1, 0, 2}, mirror).has_value());
}

TEST(a_plan_is_reversed_for_the_reverse_route) {
    RouteCache cache(plenty, true);
    cache.store({0, 1, 2, 3}, {Verdict::feasible, {{{0, 9}}, {{1, 7}}, {{2, 5}}, {{3, 4}}}});
    const auto plan = cache.plan_from_longer_route({3, 1}, mirror);
    CHECK(plan.has_value());
    // On a floor of 10, an item of length 4 from 4 to 8 comes to lie from 2 to 6.
    CHECK(plan && (*plan)[0][0].x == 3 && (*plan)[0][0].y == 2);
    CHECK(plan && (*plan)[1][0].x == 1 && (*plan)[1][0].y == 1);
}

TEST(memory_is_limited) {
    constexpr std::size_t limit = 20'000;
    RouteCache cache(limit, true);
    for (std::int32_t i = 0; i < 5'000; ++i) {
        cache.store({i, i + 1, i + 2}, {Verdict::feasible, {{{1, 1}}, {{2, 2}}, {{3, 3}}}});
        cache.store_infeasible_core({i, i + 2, i + 4});
        cache.store_infeasible_core({i, i + 3});
        CHECK(cache.bytes() <= limit + 1'000);
    }
    // The newest are still there, the oldest are gone.
    CHECK(cache.find({4'999, 5'000, 5'001}) != nullptr);
    CHECK(cache.find({0, 1, 2}) == nullptr);
    CHECK(cache.find_infeasible_core({4'999, 5'001, 5'003}));
    CHECK(!cache.find_infeasible_core({0, 2, 4}));
    CHECK(cache.plan_from_longer_route({4'999, 5'001}, mirror).has_value());
}

TEST(storing_a_route_twice_counts_once) {
    RouteCache cache(plenty, true);
    cache.store({0, 1}, {Verdict::feasible, {{{0, 0}}, {{1, 1}}}});
    const std::size_t bytes = cache.bytes();
    for (int i = 0; i < 10; ++i) cache.store({0, 1}, {Verdict::feasible, {{{0, 0}}, {{1, 1}}}});
    CHECK(cache.bytes() == bytes);
}

TEST(a_try_in_vain_is_remembered_for_as_much_effort) {
    RouteCache cache(plenty, true);
    CHECK(!cache.is_no_core({0, 1, 2}, 1));
    cache.store_no_core({2, 1, 0}, 100);
    CHECK(cache.is_no_core({0, 1, 2}, 100));  // backwards
    CHECK(!cache.is_no_core({0, 1, 2}, 101));
    CHECK(!cache.is_no_core({1, 0, 2}, 1));
    cache.store_no_core({0, 1, 2}, 50);
    CHECK(cache.is_no_core({0, 1, 2}, 100));
    const std::size_t bytes = cache.bytes();
    cache.store_no_core({0, 1, 2}, 200);
    CHECK(cache.is_no_core({0, 1, 2}, 200));
    CHECK(cache.bytes() == bytes);
    // What can be loaded is no core, nor is a part of it; what cannot be loaded may be one.
    cache.store({0, 3, 4}, {Verdict::feasible, {{{0, 0}}, {{1, 1}}, {{2, 2}}}});
    cache.store({1, 3, 4}, {Verdict::infeasible, {}});
    CHECK(cache.is_no_core({4, 3, 0}, 1'000'000));
    CHECK(cache.is_no_core({4, 0}, 1'000'000));
    CHECK(!cache.is_no_core({1, 3, 4}, 1));
    CHECK(!cache.is_no_core({3, 0, 4}, 1));
    cache.clear();
    CHECK(!cache.is_no_core({0, 1, 2}, 1));
}

}  // namespace
