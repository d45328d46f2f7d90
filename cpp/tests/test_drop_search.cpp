#include "brute_force.hpp"
#include "check.hpp"
#include "packing/drop_search.hpp"
#include "packing/rescale.hpp"
#include "problems.hpp"

using namespace tailgate::packing;
using namespace tailgate::tests;

namespace {

constexpr std::size_t memo_bytes = std::size_t{1} << 22;

Budget nodes(std::int64_t count) {
    return {count, {}};
}

Verdict search(const Problem& problem) {
    DropSearch search(problem, memo_bytes);
    const Verdict verdict = search.run(nodes(1'000'000));
    if (verdict == Verdict::feasible) CHECK(is_valid_layout(problem, search.layout()));
    return verdict;
}

void verdicts_are_those_of_brute_force() {
    TinyProblems problems(5);
    int feasible = 0;
    constexpr int count = 600;
    for (int i = 0; i < count; ++i) {
        const Problem problem = problems.next();
        const bool expected = can_load(problem);
        feasible += expected ? 1 : 0;
        CHECK(search(problem) == (expected ? Verdict::feasible : Verdict::infeasible));
    }
    CHECK(feasible > count / 10);
    CHECK(feasible < count - count / 10);
}

void floor_that_no_row_can_use_is_not_lost_twice() {
    CHECK(search({14, 6, {{{7, 3}}, {{6, 2}, {11, 1}}, {{2, 4}}, {{9, 1}}}}) == Verdict::feasible);
    CHECK(search({12, 5, {{{2, 3}, {3, 2}, {5, 1}}, {{9, 3}, {5, 2}}}}) == Verdict::feasible);
}

void a_search_cut_short_goes_on_to_the_same_verdict() {
    TinyProblems problems(6);
    for (int i = 0; i < 200; ++i) {
        const Problem problem = problems.next();
        const Verdict expected = search(problem);
        DropSearch piecemeal(problem, memo_bytes);
        Verdict verdict = Verdict::unknown;
        for (std::int64_t limit = 1; verdict == Verdict::unknown && limit < 1'000'000; limit *= 2) {
            const std::int64_t before = piecemeal.nodes();
            verdict = piecemeal.run(nodes(limit));
            CHECK(piecemeal.nodes() <= before + limit);
        }
        CHECK(verdict == expected);
        if (verdict == Verdict::feasible) CHECK(is_valid_layout(problem, piecemeal.layout()));
        // A verdict once reached stays.
        CHECK(piecemeal.run(nodes(1)) == expected);
    }
}

void without_memory_verdicts_are_the_same() {
    TinyProblems problems(7);
    for (int i = 0; i < 200; ++i) {
        const Problem problem = problems.next();
        DropSearch forgetful(problem, 0);
        CHECK(forgetful.run(nodes(10'000'000)) == search(problem));
    }
}

void expiry_is_looked_at_inside_the_search() {
    DropSearch search(hard_problem(), memo_bytes);
    int asked = 0;
    const Verdict verdict = search.run({1'000'000'000, [&] { return ++asked >= 3; }});
    CHECK(verdict == Verdict::unknown);
    CHECK(asked == 3);
    CHECK(search.nodes() < 10'000);
}

void a_beam_says_yes_with_a_plan_or_nothing() {
    TinyProblems problems(8);
    int found = 0;
    for (int i = 0; i < 200; ++i) {
        const Problem problem = problems.next();
        const bool expected = can_load(problem);
        DropSearch search(problem, memo_bytes);
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

void trivial_floors_are_answered() {
    CHECK(search({5, 5, {{{5, 5}}}}) == Verdict::feasible);
    CHECK(search({5, 5, {{{1, 1}}, {}, {{1, 1}}}}) == Verdict::feasible);
    CHECK(search({1, 1, {{{1, 1}}}}) == Verdict::feasible);
    CHECK(search({2, 2, {{{1, 1}}, {{2, 1}}, {{1, 1}}}}) == Verdict::infeasible);
}

}  // namespace

int main() {
    verdicts_are_those_of_brute_force();
    floor_that_no_row_can_use_is_not_lost_twice();
    a_search_cut_short_goes_on_to_the_same_verdict();
    without_memory_verdicts_are_the_same();
    expiry_is_looked_at_inside_the_search();
    a_beam_says_yes_with_a_plan_or_nothing();
    trivial_floors_are_answered();
    return failures();
}
