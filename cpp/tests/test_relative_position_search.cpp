#include "exact_searches.hpp"
#include "packing/relative_position_search.hpp"
#include "packing/skyline_search.hpp"
#include "packing/views.hpp"

using namespace tailgate::packing;
using namespace tailgate::tests;

namespace {

Verdict search(const Problem& problem) {
    CHECK(RelativePositionSearch::can_search(problem));
    RelativePositionSearch search(problem);
    return run_checked(search, problem, 1'000'000);
}

TEST(verdicts_are_those_of_brute_force) {
    check_against_brute_force(31, 3'000, search);
}

TEST(verdicts_are_those_of_brute_force_where_items_may_be_turned) {
    check_against_brute_force(37, 3'000, search, Turning::some);
}

// Nothing is loaded before anything else: items may stand either way, also seen the other way.
TEST(verdicts_without_an_order_are_those_of_brute_force) {
    TinyProblems problems(35);
    int feasible = 0;
    for (int i = 0; i < 4'000; ++i) {
        const Problem drawn = i % 2 == 0 ? problems.next() : problems.next_with_turning();
        const Problem problem = without_order(drawn, i % 3 == 0);
        const Verdict expected = can_load(problem) ? Verdict::feasible : Verdict::infeasible;
        feasible += expected == Verdict::feasible ? 1 : 0;
        CHECK(search(problem) == expected);
        CHECK(search(seen(problem, View::axes_exchanged)) == expected);
    }
    CHECK(feasible > 500);
    CHECK(feasible < 3'500);
}

// Floors like those of the benchmark, with the items of a loadable route.
Problem nearly_full(TinyProblems& dice) {
    Problem problem{20, 40, {}};
    problem.stops.resize(static_cast<std::size_t>(dice.draw(2, 6)));
    Area room = Area{problem.width} * problem.length;
    room = room * dice.draw(70, 95) / 100;
    while (room > 0) {
        auto& stop = problem.stops[static_cast<std::size_t>(
            dice.draw(0, static_cast<int>(problem.stops.size()) - 1))];
        if (stop.size() == 4) break;
        const Rectangle item = dice.draw(0, 1) == 0 ? Rectangle{dice.draw(2, 6), dice.draw(10, 28)}
                                                    : Rectangle{dice.draw(5, 14), dice.draw(4, 10)};
        if (item.area() <= room) stop.push_back(item);
        room -= item.area();
    }
    return problem;
}

TEST(both_searches_agree) {
    TinyProblems dice(32);
    Agreement agreement;
    for (int i = 0; i < 400; ++i) {
        const Problem problem = nearly_full(dice);
        SkylineSearch skylines(problem, std::size_t{1} << 24);
        const Verdict expected = skylines.run(nodes(3'000));
        RelativePositionSearch positions(problem);
        const Verdict verdict = run_checked(positions, problem, 3'000);
        agreement.compare(verdict, expected);
    }
    CHECK(agreement.feasible > 50);
    CHECK(agreement.infeasible > 50);
}

// Pushed together or not, a plan that is there is not lost: floors sawn into pieces, which are then
// planed, some of them much, so that they lie loose and can be pushed.
TEST(no_plan_is_pushed_away) {
    TinyProblems dice(34);
    int feasible = 0;
    for (int i = 0; i < 600; ++i) {
        // Longer than a word has bits, now and then: then nothing is known of single y.
        const Length length = i % 4 == 0 ? 70 : 40;
        Problem problem = sawn_floor(dice, 20, length, dice.draw(6, 14));
        for (auto& stop : problem.stops) {
            for (Rectangle& item : stop) {
                if (item.width > 2 && dice.draw(0, 2) == 0) item.width -= dice.draw(1, 2);
                if (item.length > 3 && dice.draw(0, 2) == 0) item.length -= dice.draw(1, 3);
            }
        }
        if (!RelativePositionSearch::can_search(problem)) continue;
        RelativePositionSearch positions(problem);
        const Verdict verdict = run_checked(positions, problem, 3'000);
        CHECK(verdict != Verdict::infeasible);
        feasible += verdict == Verdict::feasible ? 1 : 0;
    }
    CHECK(feasible > 300);
}

// The same without an order of loading, on both axes, with more items of a stop than six.
TEST(no_plan_without_an_order_is_pushed_away) {
    TinyProblems dice(36);
    int feasible = 0;
    for (int i = 0; i < 300; ++i) {
        Problem problem = sawn_floor(dice, 20, 40, dice.draw(8, 16));
        problem.stops = {problem.items()};
        for (Rectangle& item : problem.stops[0]) {
            if (item.width > 2 && dice.draw(0, 2) == 0) item.width -= dice.draw(1, 2);
            if (item.length > 3 && dice.draw(0, 2) == 0) item.length -= dice.draw(1, 3);
        }
        for (const View view : {View::as_given, View::axes_exchanged}) {
            const Problem other = seen(problem, view);
            RelativePositionSearch positions(other);
            const Verdict verdict = run_checked(positions, other, 3'000);
            CHECK(verdict != Verdict::infeasible);
            feasible += verdict == Verdict::feasible ? 1 : 0;
        }
    }
    CHECK(feasible > 200);
}

TEST(a_search_cut_short_goes_on_to_the_same_verdict) {
    check_cut_short(33, 300, {}, search,
                    [](const Problem& problem) { return RelativePositionSearch(problem); });
}

TEST(the_order_of_loading_counts) {
    // Both orders fill the floor; the wide item must be loaded last, for it covers every column.
    const Rectangle wide{6, 2};
    const Rectangle tall{3, 5};
    CHECK(search({6, 7, {{tall, tall}, {wide}}}) == Verdict::feasible);
    CHECK(search({6, 7, {{tall}, {wide}, {tall}}}) == Verdict::infeasible);
}

TEST(the_largest_floor_works) {
    CHECK(search({64, 4096, {{{64, 4000}}, {{32, 96}, {32, 96}}}}) == Verdict::feasible);
    CHECK(search({64, 4096, {{{64, 4000}}, {{32, 96}, {32, 97}}}}) == Verdict::infeasible);
    const Rectangle half{64, 2048};
    CHECK(search({64, 4096, {{half, half}}}) == Verdict::feasible);
    CHECK(search({64, 4096, {std::vector<Rectangle>(6, {64, 4096}), {half}}}) ==
          Verdict::infeasible);
    CHECK(search({8, 8, {}}) == Verdict::feasible);
    CHECK(search({8, 8, {{}, {{8, 8}}, {}}}) == Verdict::feasible);
}

TEST(what_is_too_large_is_refused) {
    CHECK(!RelativePositionSearch::can_search({65, 8, {{{1, 1}}}}));
    CHECK(!RelativePositionSearch::can_search({8, 4097, {{{1, 1}}}}));
    CHECK(!RelativePositionSearch::can_search({8, 8, {{{9, 1}}}}));
    CHECK(!RelativePositionSearch::can_search(
        {8, 80, std::vector<std::vector<Rectangle>>(65, {Rectangle{1, 1}})}));
}

}  // namespace
