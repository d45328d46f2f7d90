#include "brute_force.hpp"
#include "packing/rescale.hpp"
#include "problems.hpp"
#include "test.hpp"

using namespace tailgate::packing;
using namespace tailgate::tests;

namespace {

constexpr Length max_floor = 4096;

TEST(a_common_divisor_is_taken_out) {
    const Rescaled rescaled =
        rescale({2400, 13600, {{{1200, 800}}, {{1200, 6800}}}}, max_floor, Rounding::up);
    CHECK(rescaled.proves_feasible);
    CHECK(rescaled.proves_infeasible);
    CHECK(rescaled.problem.width <= 2'400 / 1'200);
    CHECK(rescaled.problem.length <= 13'600 / 400);
}

TEST(odd_sizes_become_small_ones_for_which_the_same_sets_fit) {
    // Two of three fit side by side, whichever they are.
    const Rescaled rescaled =
        rescale({2447, 10, {{{1009, 10}, {1013, 10}, {1019, 10}}}}, max_floor, Rounding::up);
    CHECK(rescaled.proves_feasible);
    CHECK(rescaled.proves_infeasible);
    CHECK(rescaled.problem.width < 10);
    const auto& items = rescaled.problem.stops[0];
    CHECK(items[0].width + items[1].width <= rescaled.problem.width);
    CHECK(items[1].width + items[2].width <= rescaled.problem.width);
    CHECK(items[0].width + items[1].width + items[2].width > rescaled.problem.width);
}

// Sizes that make the large problem equivalent to the small one; see in_millimetres in
// tests/loading_cases.py for the reason.
Problem blown_up(const Problem& problem, TinyProblems& dice) {
    Problem large = problem;
    int count = 1;
    for (const auto& stop : problem.stops) count += static_cast<int>(stop.size());
    large.width = problem.width * 122 + 10;
    large.length = problem.length * 340;
    for (auto* shapes : {&large.stops, &large.turned}) {
        for (auto& stop : *shapes) {
            for (Rectangle& item : stop) {
                if (item.width == 0) continue;
                item.width = item.width * 122 - dice.draw(0, 111 / count);
                item.length = item.length * 340 - dice.draw(0, 339 / count);
            }
        }
    }
    return large;
}

TEST(verdicts_survive_blowing_up_and_rescaling) {
    TinyProblems problems(2);
    for (int i = 0; i < 300; ++i) {
        const Problem problem = i % 2 == 0 ? problems.next() : problems.next_with_turning();
        const Rescaled rescaled = rescale(blown_up(problem, problems), max_floor, Rounding::up);
        CHECK(rescaled.problem.width <= max_floor);
        CHECK(rescaled.problem.length <= max_floor);
        if (!rescaled.proves_feasible || !rescaled.proves_infeasible) continue;
        // Large floors are beyond brute force.
        if (rescaled.problem.width > 30 || rescaled.problem.length > 20) continue;
        CHECK(can_load(rescaled.problem) == can_load(problem));
    }
}

TEST(rounding_says_what_it_proves) {
    // Incommensurable sizes that no small floor can stand for.
    Problem problem{999'999'937, 10, {{}}};
    TinyProblems dice(3);
    for (int i = 0; i < 24; ++i)
        problem.stops[0].push_back({dice.draw(30'000'000, 300'000'000), 5});
    const Rescaled up = rescale(problem, max_floor, Rounding::up);
    const Rescaled down = rescale(problem, max_floor, Rounding::down);
    if (up.proves_infeasible && up.proves_feasible)
        return;  // an equivalent one was found after all
    CHECK(up.proves_feasible);
    CHECK(!up.proves_infeasible);
    CHECK(!down.proves_feasible);
    CHECK(down.proves_infeasible);
    for (std::size_t i = 0; i < problem.stops[0].size(); ++i) {
        const auto large = std::int64_t{problem.stops[0][i].width};
        const auto floor = std::int64_t{problem.width};
        CHECK(std::int64_t{up.problem.stops[0][i].width} * floor >= large * up.problem.width);
        CHECK(std::int64_t{down.problem.stops[0][i].width} * floor <= large * down.problem.width);
    }
}

TEST(layouts_are_carried_over) {
    const Problem small{14, 6, {{{7, 3}}, {{6, 2}, {11, 1}}, {{2, 4}}, {{9, 1}}}};
    const Layout layout{{{6, 0}}, {{0, 0}, {3, 3}}, {{0, 2}}, {{3, 4}}};
    CHECK(is_valid_layout(small, layout));
    const Problem large{
        2450, 13600, {{{1169, 6073}}, {{1007, 4207}, {1977, 2443}}, {{298, 8345}}, {{1549, 1477}}}};
    const Layout carried = transfer_layout(small, layout, large);
    CHECK(is_valid_layout(large, carried));
    // Pushed against the left wall and the cab.
    CHECK(carried[1][0].x == 0 && carried[1][0].y == 0);
    CHECK(carried[0][0].x == 1007 && carried[0][0].y == 0);
    CHECK(carried[2][0].y == 4207);
}

TEST(invalid_layouts_are_seen) {
    const Problem problem{4, 4, {{{2, 2}}, {{2, 2}}}};
    CHECK(is_valid_layout(problem, {{{0, 0}}, {{2, 0}}}));
    CHECK(is_valid_layout(problem, {{{0, 0}}, {{0, 2}}}));
    CHECK(!is_valid_layout(problem, {{{0, 2}}, {{0, 0}}}));   // loaded first, yet at the door
    CHECK(!is_valid_layout(problem, {{{0, 0}}, {{1, 1}}}));   // overlap
    CHECK(!is_valid_layout(problem, {{{0, 0}}, {{3, 0}}}));   // through the wall
    CHECK(!is_valid_layout(problem, {{{0, 0}}, {{0, 3}}}));   // through the door
    CHECK(!is_valid_layout(problem, {{{-1, 0}}, {{2, 0}}}));  // through the other wall
}

}  // namespace
