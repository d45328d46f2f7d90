#include "exact_searches.hpp"
#include "packing/column_sweep_search.hpp"
#include "packing/relative_position_search.hpp"
#include "packing/views.hpp"

using namespace tailgate::packing;
using namespace tailgate::tests;

namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

Verdict search(const Problem& problem, std::size_t memo_bytes = megabyte) {
    CHECK(ColumnSweepSearch::can_search(problem));
    ColumnSweepSearch search(problem, memo_bytes);
    return run_checked(search, problem, 10'000'000);
}

TEST(verdicts_are_those_of_brute_force) {
    TinyProblems problems(61);
    int feasible = 0;
    for (int i = 0; i < 5'000; ++i) {
        const Problem drawn = i % 2 == 0 ? problems.next() : problems.next_with_turning();
        const Problem problem = without_order(drawn, i % 3 == 0);
        const Verdict expected = can_load(problem) ? Verdict::feasible : Verdict::infeasible;
        feasible += expected == Verdict::feasible ? 1 : 0;
        CHECK(search(problem) == expected);
        CHECK(search(seen(problem, View::axes_exchanged)) == expected);
        CHECK(search(problem, 0) == expected);
    }
    CHECK(feasible > 500);
    CHECK(feasible < 4'500);
}

// Floors like those of the benchmark, some of them nearly full.
TEST(it_agrees_with_the_relative_position_search) {
    TinyProblems dice(62);
    Agreement agreement;
    for (int i = 0; i < 300; ++i) {
        Problem problem{20, 40, {{}}};
        Area room = problem.floor_area() * dice.draw(88, 99) / 100;
        while (room > 20) {
            const Rectangle item = dice.draw(0, 1) == 0
                                       ? Rectangle{dice.draw(2, 6), dice.draw(10, 28)}
                                       : Rectangle{dice.draw(5, 14), dice.draw(4, 12)};
            if (item.area() <= room || room < 100) problem.stops[0].push_back(item);
            room -= item.area();
        }
        RelativePositionSearch positions(problem);
        const Verdict expected = run_checked(positions, problem, 5'000);
        ColumnSweepSearch sweep(problem, megabyte);
        agreement.compare(run_checked(sweep, problem, 300'000), expected);
    }
    CHECK(agreement.feasible > 30);
    CHECK(agreement.infeasible > 30);
}

// A floor sawn into pieces, some of them planed, has a plan.
TEST(no_plan_is_pushed_away) {
    TinyProblems dice(63);
    int feasible = 0;
    for (int i = 0; i < 300; ++i) {
        Problem problem = without_order(sawn_floor(dice, 20, 40, dice.draw(8, 16)));
        for (Rectangle& item : problem.stops[0]) {
            if (item.width > 2 && dice.draw(0, 9) == 0) --item.width;
            if (item.length > 3 && dice.draw(0, 9) == 0) --item.length;
        }
        ColumnSweepSearch sweep(problem, megabyte);
        const Verdict verdict = run_checked(sweep, problem, 300'000);
        CHECK(verdict != Verdict::infeasible);
        feasible += verdict == Verdict::feasible ? 1 : 0;
    }
    CHECK(feasible > 200);
}

TEST(a_search_cut_short_goes_on_to_the_same_verdict) {
    TinyProblems problems(64);
    for (int i = 0; i < 300; ++i) {
        const Problem problem = without_order(problems.next());
        const Verdict expected = search(problem);
        ColumnSweepSearch piecemeal(problem, megabyte);
        Verdict verdict = Verdict::unknown;
        for (std::int64_t limit = 1; verdict == Verdict::unknown; limit *= 2) {
            const std::int64_t before = piecemeal.nodes();
            verdict = run_checked(piecemeal, problem, limit);
            CHECK(piecemeal.nodes() <= before + limit);
        }
        CHECK(verdict == expected);
        CHECK(piecemeal.run(nodes(1)) == expected);  // a verdict once reached stays
    }
}

TEST(empty_stops_and_large_floors_work) {
    CHECK(search({8, 8, {}}) == Verdict::feasible);
    CHECK(search({8, 8, {{}, {{8, 8}}, {}}}) == Verdict::feasible);
    const Rectangle half{63, 31};
    CHECK(search({63, 63, {{half, half, {63, 1}}}}) == Verdict::feasible);
    CHECK(search({63, 63, {{half, half, {62, 1}, {2, 1}}}}) == Verdict::infeasible);
}

TEST(what_it_is_not_made_for_is_refused) {
    CHECK(!ColumnSweepSearch::can_search({64, 8, {{{1, 1}}}}));
    CHECK(!ColumnSweepSearch::can_search({8, 64, {{{1, 1}}}}));
    CHECK(!ColumnSweepSearch::can_search({8, 8, {{{9, 1}}}}));
    CHECK(!ColumnSweepSearch::can_search({8, 8, {{{1, 1}}, {{1, 1}}}}));
    CHECK(!ColumnSweepSearch::can_search({60, 60, {std::vector<Rectangle>(65, {1, 1})}}));
}

}  // namespace
