#include <algorithm>

#include "above_skyline.hpp"
#include "packing/remaining_items.hpp"
#include "problems.hpp"
#include "test.hpp"

using namespace tailgate::packing;
using namespace tailgate::tests;

namespace {

constexpr std::size_t plenty = std::size_t{1} << 30;

TEST(a_step_rises_to_where_the_lengths_can_end_flush) {
    const Problem problem{6, 10, {{{2, 4}, {3, 5}}}};
    const RemainingItemsTable table(problem, plenty);
    Skyline skyline{{0, 0}, {3, 4}};
    table[table.first()].raise_useless(skyline);
    // 4 + 5 = 9 of 10 can be used on the left, 5 of 6 on the right.
    CHECK((skyline == Skyline{{0, 1}, {3, 5}}));
}

TEST(a_valley_that_nothing_can_enter_is_closed) {
    const Problem problem{6, 10, {{{3, 1}, {3, 2}, {4, 4}, {3, 3}}}};
    const RemainingItemsTable table(problem, plenty);
    Skyline skyline{{0, 6}, {2, 1}, {4, 5}};
    table[table.first()].raise_useless(skyline);
    CHECK((skyline == Skyline{{0, 6}, {2, 5}}));
}

TEST(rows_are_covered_only_by_totals_of_widths) {
    const Problem problem{7, 10, {{{4, 5}, {4, 5}}}};
    const RemainingItemsTable table(problem, plenty);
    CHECK(table[table.first()].free_area({{0, 0}}) == 70);
    CHECK(table[table.first()].usable_area({{0, 0}}) == 40);
}

TEST(an_item_needs_a_window_of_its_own) {
    const Problem problem{6, 10, {{{3, 5}}}};
    const RemainingItemsTable table(problem, plenty);
    CHECK(table[table.first()].every_item_fits({{0, 6}, {2, 5}, {5, 6}}));
    CHECK(!table[table.first()].every_item_fits({{0, 6}, {2, 5}, {4, 6}}));
}

TEST(nothing_that_can_be_loaded_is_refused) {
    TinyProblems dice(11);
    int loadable = 0;
    for (int i = 0; i < 3'000; ++i) {
        Problem problem{dice.draw(3, 6), dice.draw(3, 7), {}};
        problem.stops.resize(2);
        for (int item = dice.draw(1, 4); item > 0; --item) {
            problem.stops[static_cast<std::size_t>(dice.draw(0, 1))].push_back(
                {dice.draw(1, problem.width), dice.draw(1, problem.length)});
        }
        std::vector<Length> heights;
        for (Length x = 0; x < problem.width; ++x) {
            heights.push_back(dice.draw(0, problem.length / 2));
        }
        const RemainingItemsTable table(problem, plenty);
        const RemainingItems& remaining = table[table.first()];
        if (remaining.is_final() || !AboveSkyline(problem, heights).can_load()) continue;
        ++loadable;
        Skyline skyline = steps_of(heights);
        remaining.raise_useless(skyline);
        // What can be loaded above the skyline can be loaded above the raised one.
        CHECK(AboveSkyline(problem, columns_of(skyline, problem.width)).can_load());
        CHECK(remaining.usable_area(skyline) >= remaining.area);
        CHECK(remaining.every_item_fits(skyline));
        CHECK(remaining.dual_feasible_bounds_hold(skyline));
    }
    CHECK(loadable > 300);
}

TEST(one_of_the_listed_places_is_enough) {
    TinyProblems dice(12);
    int loadable = 0;
    for (int i = 0; i < 3'000; ++i) {
        // One item to load first, others after it.
        Problem problem{dice.draw(3, 7), dice.draw(3, 6), {{}, {}}};
        const Rectangle item{dice.draw(1, problem.width), dice.draw(1, problem.length)};
        problem.stops[0].push_back(item);
        for (int later = dice.draw(1, 3); later > 0; --later) {
            problem.stops[1].push_back({dice.draw(1, problem.width), dice.draw(1, problem.length)});
        }
        std::vector<Length> heights;
        for (Length x = 0; x < problem.width; ++x) {
            heights.push_back(dice.draw(0, problem.length / 2));
        }
        if (!AboveSkyline(problem, heights).can_load()) continue;
        ++loadable;
        RemainingItemsTable table(problem, plenty);
        std::vector<Length> places;
        table.positions(table.first(), 0, steps_of(heights), Places::all, places);
        const Problem rest{problem.width, problem.length, {problem.stops[1]}};
        const bool enough = std::any_of(places.begin(), places.end(), [&](Length x) {
            std::vector<Length> after = heights;
            const auto first = after.begin() + x;
            const Length top = *std::max_element(first, first + item.width) + item.length;
            std::fill(first, first + item.width, top);
            return top <= problem.length && AboveSkyline(rest, after).can_load();
        });
        CHECK(enough);
    }
    CHECK(loadable > 300);
}

}  // namespace
