#include "exact_searches.hpp"
#include "packing/skyline_search.hpp"

using namespace tailgate::packing;
using namespace tailgate::tests;

namespace {

constexpr std::size_t memo_bytes = std::size_t{1} << 22;

Verdict search(const Problem& problem) {
    SkylineSearch search(problem, memo_bytes);
    return run_checked(search, problem, 1'000'000);
}

TEST(verdicts_are_those_of_brute_force) {
    check_against_brute_force(5, 600, search);
}

TEST(verdicts_are_those_of_brute_force_where_items_may_be_turned) {
    check_against_brute_force(15, 600, search, Turning::some);
}

TEST(floor_that_no_row_can_use_is_not_lost_twice) {
    CHECK(search({14, 6, {{{7, 3}}, {{6, 2}, {11, 1}}, {{2, 4}}, {{9, 1}}}}) == Verdict::feasible);
    CHECK(search({12, 5, {{{2, 3}, {3, 2}, {5, 1}}, {{9, 3}, {5, 2}}}}) == Verdict::feasible);
}

TEST(a_search_cut_short_goes_on_to_the_same_verdict) {
    check_cut_short(6, 200, {}, search,
                    [](const Problem& problem) { return SkylineSearch(problem, memo_bytes); });
}

TEST(without_memory_verdicts_are_the_same) {
    TinyProblems problems(7);
    for (int i = 0; i < 200; ++i) {
        const Problem problem = problems.next();
        SkylineSearch forgetful(problem, 0);
        CHECK(forgetful.run(nodes(10'000'000)) == search(problem));
    }
}

TEST(expiry_is_looked_at_inside_the_search) {
    SkylineSearch search(hard_problem(), memo_bytes);
    int asked = 0;
    const Verdict verdict = search.run({1'000'000'000, [&] { return ++asked >= 3; }});
    CHECK(verdict == Verdict::unknown);
    CHECK(asked == 3);
    CHECK(search.nodes() < 10'000);
}

TEST(a_beam_says_yes_with_a_plan_or_nothing) {
    TinyProblems problems(8);
    int found = 0;
    for (int i = 0; i < 200; ++i) {
        const Problem problem = problems.next();
        const bool expected = can_load(problem);
        SkylineSearch search(problem, memo_bytes);
        const Verdict verdict = search.run_beam(8, nodes(1'000'000));
        if (verdict == Verdict::feasible) {
            ++found;
            CHECK(expected);
            CHECK(is_valid_layout(problem, search.layout()));
        }
        if (verdict == Verdict::infeasible) CHECK(!expected);
        // Whatever the beam left behind must not mislead the exact search.
        CHECK(search.run(nodes(1'000'000)) == (expected ? Verdict::feasible : Verdict::infeasible));
    }
    CHECK(found > 20);
}

TEST(trivial_floors_are_answered) {
    CHECK(search({5, 5, {{{5, 5}}}}) == Verdict::feasible);
    CHECK(search({5, 5, {{{1, 1}}, {}, {{1, 1}}}}) == Verdict::feasible);
    CHECK(search({1, 1, {{{1, 1}}}}) == Verdict::feasible);
    CHECK(search({2, 2, {{{1, 1}}, {{2, 1}}, {{1, 1}}}}) == Verdict::infeasible);
}

}  // namespace
