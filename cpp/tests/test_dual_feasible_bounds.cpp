#include "brute_force.hpp"
#include "packing/dual_feasible_bounds.hpp"
#include "problems.hpp"
#include "test.hpp"

using namespace tailgate::packing;
using namespace tailgate::tests;

namespace {

bool holds(const Problem& problem) {
    const std::vector<Rectangle> items = problem.items();
    auto columns = make_dual_feasible_bounds(items, Axis::columns, problem.length);
    auto rows = make_dual_feasible_bounds(items, Axis::rows, problem.width);
    return dual_feasible_bounds_hold(columns, {{problem.length, problem.width}}) &&
           dual_feasible_bounds_hold(rows, {{problem.width, problem.length}});
}

TEST(items_longer_than_half_stand_side_by_side) {
    // Three of width 4 and more than half the length need a width of 12.
    CHECK(!holds({10, 10, {{{4, 6}, {4, 6}, {3, 6}}}}));
    CHECK(holds({10, 10, {{{4, 6}, {3, 6}, {3, 6}}}}));
}

TEST(items_wider_than_half_stand_behind_one_another) {
    CHECK(!holds({10, 10, {{{6, 4}, {6, 4}, {6, 3}}}}));
    CHECK(holds({10, 10, {{{6, 4}, {6, 3}, {6, 3}}}}));
}

TEST(rows_that_cannot_be_filled_count_as_lost) {
    // Columns of 10 hold a 7 or a 6 only: of 100 cells at most 70 can be used.
    CHECK(!holds({10, 10, {{{5, 7}, {5, 7}, {1, 6}}}}));
}

TEST(no_feasible_floor_is_refused) {
    TinyProblems problems(4);
    for (int i = 0; i < 400; ++i) {
        const Problem problem = problems.next();
        if (can_load(problem)) CHECK(holds(problem));
    }
}

TEST(a_weighing_that_says_no_goes_on_saying_no) {
    // Asking reorders the bounds, which must not change the answer.
    const std::vector<Rectangle> items{{4, 6}, {4, 6}, {3, 6}, {1, 1}, {2, 3}};
    auto columns = make_dual_feasible_bounds(items, Axis::columns, 10);
    for (int i = 0; i < 20; ++i) {
        CHECK(!dual_feasible_bounds_hold(columns, {{10, 10}}));
        CHECK(dual_feasible_bounds_hold(columns, {{10, 20}}));
    }
}

TEST(nothing_remains_to_be_weighed) {
    auto bounds = make_dual_feasible_bounds({}, Axis::rows, 10);
    CHECK(dual_feasible_bounds_hold(bounds, {}));
}

}  // namespace
