#include "brute_force.hpp"
#include "check.hpp"
#include "packing/weighing.hpp"
#include "problems.hpp"

using namespace tailgate::packing;
using namespace tailgate::tests;

namespace {

bool holds(const Problem& problem) {
    std::vector<Rectangle> items;
    for (const auto& stop : problem.stops) items.insert(items.end(), stop.begin(), stop.end());
    auto columns = make_weighings(items, Axis::columns, problem.length);
    auto rows = make_weighings(items, Axis::rows, problem.width);
    return weighings_hold(columns, {{problem.length, problem.width}}) &&
           weighings_hold(rows, {{problem.width, problem.length}});
}

void items_longer_than_half_stand_side_by_side() {
    // Three of width 4 and more than half the length need a width of 12.
    CHECK(!holds({10, 10, {{{4, 6}, {4, 6}, {3, 6}}}}));
    CHECK(holds({10, 10, {{{4, 6}, {3, 6}, {3, 6}}}}));
}

void items_wider_than_half_stand_behind_one_another() {
    CHECK(!holds({10, 10, {{{6, 4}, {6, 4}, {6, 3}}}}));
    CHECK(holds({10, 10, {{{6, 4}, {6, 3}, {6, 3}}}}));
}

void rows_that_cannot_be_filled_count_as_lost() {
    // Columns of 10 hold a 7 or a 6 only: of 100 cells at most 70 can be used.
    CHECK(!holds({10, 10, {{{5, 7}, {5, 7}, {1, 6}}}}));
}

void no_feasible_floor_is_refused() {
    TinyProblems problems(4);
    for (int i = 0; i < 400; ++i) {
        const Problem problem = problems.next();
        if (can_load(problem)) CHECK(holds(problem));
    }
}

void a_weighing_that_says_no_goes_on_saying_no() {
    // Asking reorders the weighings, which must not change the answer.
    const std::vector<Rectangle> items{{4, 6}, {4, 6}, {3, 6}, {1, 1}, {2, 3}};
    auto columns = make_weighings(items, Axis::columns, 10);
    for (int i = 0; i < 20; ++i) {
        CHECK(!weighings_hold(columns, {{10, 10}}));
        CHECK(weighings_hold(columns, {{10, 20}}));
    }
}

void nothing_remains_to_be_weighed() {
    auto weighings = make_weighings({}, Axis::rows, 10);
    CHECK(weighings_hold(weighings, {}));
}

}  // namespace

int main() {
    items_longer_than_half_stand_side_by_side();
    items_wider_than_half_stand_behind_one_another();
    rows_that_cannot_be_filled_count_as_lost();
    no_feasible_floor_is_refused();
    a_weighing_that_says_no_goes_on_saying_no();
    nothing_remains_to_be_weighed();
    return failures();
}
