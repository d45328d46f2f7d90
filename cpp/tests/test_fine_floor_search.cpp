#include "brute_force.hpp"
#include "fine_floors.hpp"
#include "packing/fine_floor_search.hpp"
#include "packing/loading_search.hpp"
#include "test.hpp"

using namespace tailgate::packing;
using namespace tailgate::tests;

namespace {

Problem fine_problem(TinyProblems& dice, const Problem& tiny, Length factor) {
    return disturbed(dice, enlarged(tiny, factor, factor), factor);
}

void check_decided(const Problem& problem, bool expected) {
    const Decision decision = decide(problem, {});
    CHECK(decision.verdict == (expected ? Verdict::feasible : Verdict::infeasible));
    if (decision.verdict == Verdict::feasible) CHECK(is_valid_layout(problem, decision.layout));
}

// Also without the help of equivalent small sizes and of rounding that says much.
TEST(verdicts_are_those_of_brute_force) {
    TinyProblems problems(31);
    for (int i = 0; i < 400; ++i) {
        const Problem tiny = i % 2 == 0 ? problems.next() : problems.next_with_turning();
        const Problem problem = fine_problem(problems, tiny, 80'000'001);
        const bool expected = can_load(tiny);
        check_decided(problem, expected);
        if (exceeds_floor(problem)) continue;
        EffortMeter meter;
        const Effort effort;
        meter.begin(effort);
        RescaledSearch up(problem, 3, Rounding::up, 1 << 20, meter);
        RescaledSearch down(problem, 3, Rounding::down, 1 << 20, meter);
        FineFloorSearch search(problem, up, down, 1 << 20, meter);
        const Decision decision = search.run();
        CHECK(decision.verdict == (expected ? Verdict::feasible : Verdict::infeasible));
        if (decision.verdict == Verdict::feasible) CHECK(is_valid_layout(problem, decision.layout));
    }
}

TEST(the_smallest_floor_that_no_rounding_settled_is_refused) {
    check_decided({59'962, 14, {{{11'139, 14}, {48'822, 7}, {48'824, 3}, {48'823, 4}}}}, false);
    check_decided({59'963, 14, {{{11'139, 14}, {48'822, 7}, {48'824, 3}, {48'823, 4}}}}, true);
}

TEST(a_floor_cut_into_odd_rectangles_is_loaded) {
    check_decided({2'450,
                   13'600,
                   {{{710, 4'902},
                     {182, 4'083},
                     {721, 4'755},
                     {1'431, 836},
                     {837, 4'083},
                     {1'019, 2'461},
                     {710, 1'717},
                     {721, 1'864},
                     {1'431, 920},
                     {1'431, 2'304},
                     {2'450, 1'297},
                     {2'450, 1'623},
                     {1'019, 4'136}}}},
                  true);
}

TEST(floors_in_billionths_are_decided) {
    TinyProblems dice(32);
    for (int i = 0; i < 40; ++i) {
        Problem problem = sawn_floor(dice, 999'999'937, 999'999'929, dice.draw(5, 9));
        check_decided(problem, true);
        // Two that are a unit too wide together, and a unit too long, though not too large.
        const Length half = problem.length / 2 + 1;
        problem.stops = {{{problem.width - 1, half}, {2, half}}};
        check_decided(problem, false);
    }
}

TEST(limits_give_unknown_and_say_so) {
    TinyProblems dice(33);
    for (const std::int64_t limit : {0, 1, 100, 20'000}) {
        Problem problem = enlarged(hard_problem(), 1'000'003, 1'000'003);
        for (auto& stop : problem.stops) stop[0].width -= dice.draw(0, 400'000);
        Effort effort;
        effort.max_nodes = limit;
        const Decision decision = decide(problem, effort);
        CHECK(decision.verdict == Verdict::unknown);
        CHECK(decision.stage == Stage::limit);
        CHECK(decision.nodes <= limit);
    }
}

// Suspended and resumed, it comes to the same verdict.
TEST(a_search_in_slices_comes_to_an_end) {
    TinyProblems problems(34);
    for (int i = 0; i < 60; ++i) {
        const Problem tiny = problems.next_with_turning();
        LoadingSearch search(fine_problem(problems, tiny, 30'000'001));
        Effort effort;
        effort.max_nodes = 20;
        Decision decision;
        for (int calls = 0; decision.verdict == Verdict::unknown && calls < 100'000; ++calls) {
            decision = search.run(effort);
            CHECK(decision.nodes <= effort.max_nodes);
            effort.max_nodes = std::min<std::int64_t>(2 * effort.max_nodes, 1'000'000);
        }
        CHECK(decision.verdict == (can_load(tiny) ? Verdict::feasible : Verdict::infeasible));
    }
}

// Two items are too wide for each other by one unit of a billion, and too long. Two others, nearly
// as wide, are not, so that no small numbers tell the pairs apart; and for the search that needs no
// grid this is not enough memory.
TEST(a_full_memory_gives_unknown_and_says_so) {
    constexpr Length side = 999'999'937;
    constexpr Length wide = 400'000'001;
    constexpr Length half = side / 2 + 1;
    const Problem problem{
        side, side, {{{wide, 1}, {side - wide, 1}, {wide + 100, half}, {side - wide - 99, half}}}};
    EffortMeter meter;
    Effort effort;
    meter.begin(effort);
    RescaledSearch up(problem, 3, Rounding::up, 0, meter);
    RescaledSearch down(problem, 3, Rounding::down, 0, meter);
    FineFloorSearch search(problem, up, down, 0, meter);
    const Decision decision = search.run();
    CHECK(decision.verdict == Verdict::unknown);
    CHECK(decision.stage == Stage::memory);
    CHECK(decide(problem, {}).verdict == Verdict::infeasible);
}

// Where nothing can be remembered, the search that needs no memory still ends.
TEST(little_memory_changes_no_verdict) {
    TinyProblems problems(35);
    Effort effort;
    effort.memo_bytes = 100'000;
    for (int i = 0; i < 100; ++i) {
        const Problem tiny = problems.next();
        const Decision decision = decide(fine_problem(problems, tiny, 50'000'017), effort);
        CHECK(decision.verdict == (can_load(tiny) ? Verdict::feasible : Verdict::infeasible));
    }
}

}  // namespace
