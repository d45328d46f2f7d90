#include <vector>

#include "above_skyline.hpp"
#include "packing/placement_domains.hpp"
#include "problems.hpp"
#include "test.hpp"

using namespace tailgate::packing;
using namespace tailgate::tests;

namespace {

Columns bits(std::initializer_list<Length> positions) {
    Columns columns = 0;
    for (const Length x : positions) columns |= Columns{1} << x;
    return columns;
}

bool narrow(PlacementDomains& domains, const std::vector<RemainingKind>& items,
            const Skyline& skyline) {
    return domains.narrow(items, skyline);
}

TEST(an_item_stands_where_the_skyline_is_low_enough) {
    PlacementDomains domains(6, 10);
    CHECK(narrow(domains, {{{2, 5}, 0, 1}}, {{0, 6}, {1, 5}, {4, 7}, {5, 0}}));
    CHECK(domains.places(0) == bits({1, 2}));
    CHECK(!narrow(domains, {{{4, 5}, 0, 1}}, {{0, 6}, {1, 5}, {4, 7}, {5, 0}}));
}

// They are too wide to stand beside each other.
TEST(the_order_of_loading_decides_where_items_stand) {
    const Skyline skyline{{0, 4}, {3, 0}};
    const Rectangle wide{4, 3};
    const Rectangle tall{3, 5};
    PlacementDomains domains(6, 10);
    CHECK(narrow(domains, {{tall, 0, 1}, {wide, 1, 1}}, skyline));
    CHECK(domains.places(0) == bits({3}));
    CHECK(!narrow(domains, {{wide, 0, 1}, {tall, 1, 1}}, skyline));
}

TEST(items_behind_one_another_leave_no_room_for_a_third) {
    const Skyline empty{{0, 0}};
    PlacementDomains domains(6, 10);
    const Rectangle wide{4, 4};
    CHECK(narrow(domains, {{wide, 0, 1}, {wide, 1, 1}}, empty));
    CHECK(!narrow(domains, {{wide, 0, 1}, {wide, 1, 1}, {{4, 3}, 2, 1}}, empty));
    CHECK(!narrow(domains, {{wide, 0, 3}}, empty));
}

TEST(columns_that_are_covered_anyway_are_lost_to_others) {
    const Skyline empty{{0, 0}};
    PlacementDomains domains(6, 10);
    // The wide one covers the columns 2 and 3, so the tall one stands beside them.
    CHECK(narrow(domains, {{{4, 3}, 0, 1}, {{2, 8}, 0, 1}}, empty));
    CHECK(domains.places(1) == bits({0, 4}));
}

TEST(the_widest_floor_of_a_word_works) {
    PlacementDomains domains(64, 10);
    CHECK(narrow(domains, {{{64, 4}, 0, 1}, {{1, 6}, 1, 1}}, {{0, 0}}));
    CHECK(domains.places(0) == 1);
    CHECK(domains.places(1) == ~Columns{0});
    CHECK(!narrow(domains, {{{64, 4}, 0, 1}, {{1, 7}, 1, 1}}, {{0, 0}}));
}

TEST(no_place_of_a_layout_is_struck_out) {
    TinyProblems dice(21);
    int loadable = 0;
    int struck_out = 0;
    for (int i = 0; i < 2'000; ++i) {
        Problem problem{dice.draw(3, 6), dice.draw(3, 7), {}};
        problem.stops.resize(3);
        for (int item = dice.draw(2, 4); item > 0; --item) {
            auto& stop = problem.stops[static_cast<std::size_t>(dice.draw(0, 2))];
            stop.push_back(
                {dice.draw(1, problem.width - 1), dice.draw(1, (problem.length + 1) / 2)});
            if (dice.draw(0, 3) == 0) stop.push_back(stop.back());
        }
        std::vector<Length> heights;
        for (Length x = 0; x < problem.width; ++x) {
            heights.push_back(dice.draw(0, problem.length / 3));
        }
        std::vector<RemainingKind> outside;
        std::vector<std::size_t> kind_of;  // [item] -> index of outside
        for (std::size_t stop = 0; stop < problem.stops.size(); ++stop) {
            for (const Rectangle& item : problem.stops[stop]) {
                const auto number = static_cast<std::int32_t>(stop);
                if (!outside.empty() && outside.back().item == item &&
                    outside.back().stop == number) {
                    ++outside.back().count;
                } else {
                    outside.push_back({item, number, 1});
                }
                kind_of.push_back(outside.size() - 1);
            }
        }
        AboveSkyline truth(problem, heights);
        PlacementDomains domains(problem.width, problem.length);
        const bool narrowed = domains.narrow(outside, steps_of(heights));
        if (!truth.can_load()) {
            struck_out += narrowed ? 0 : 1;
            continue;
        }
        ++loadable;
        CHECK(narrowed);
        if (!narrowed) continue;
        for (std::size_t item = 0; item < kind_of.size(); ++item) {
            for (Length x = 0; x < problem.width; ++x) {
                if (((domains.places(kind_of[item]) >> x) & 1U) != 0) continue;
                CHECK(!truth.can_load_with(item, x));
            }
        }
    }
    CHECK(loadable > 300);
    CHECK(struck_out > 300);
}

}  // namespace
