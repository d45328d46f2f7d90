#include <algorithm>

#include "exact_searches.hpp"
#include "packing/corner_filling_search.hpp"
#include "packing/relative_position_search.hpp"

using namespace tailgate::packing;
using namespace tailgate::tests;

namespace {

constexpr std::int64_t most_nodes = 2'000'000;
constexpr std::size_t plenty = std::size_t{1} << 24;

Verdict search(const Problem& problem, std::int64_t max_nodes = most_nodes,
               std::size_t memo_bytes = plenty) {
    CHECK(CornerFillingSearch::can_search(problem));
    CornerFillingSearch corners(problem, memo_bytes);
    return run_checked(corners, problem, max_nodes);
}

TEST(verdicts_are_those_of_brute_force) {
    check_against_brute_force(41, 6'000, [](const Problem& problem) { return search(problem); });
}

TEST(verdicts_are_those_of_brute_force_where_items_may_be_turned) {
    check_against_brute_force(
        48, 3'000, [](const Problem& problem) { return search(problem); }, Turning::some);
}

// Pieces of a floor that was full to the last cell; some are planed, so that a few cells are free.
Problem planed_floor(TinyProblems& dice, int most_planed) {
    Problem problem = sawn_floor(dice, dice.draw(10, 20), dice.draw(15, 40), dice.draw(6, 16));
    for (auto& stop : problem.stops) {
        for (Rectangle& item : stop) {
            if (item.width > 2 && dice.draw(0, 99) < most_planed) item.width -= 1;
            if (item.length > 3 && dice.draw(0, 99) < most_planed) item.length -= dice.draw(1, 2);
        }
    }
    return problem;
}

TEST(no_plan_of_a_nearly_full_floor_is_lost) {
    TinyProblems dice(42);
    int feasible = 0;
    for (int i = 0; i < 1'500; ++i) {
        const Verdict verdict = search(planed_floor(dice, i % 20), 20'000);
        CHECK(verdict != Verdict::infeasible);
        feasible += verdict == Verdict::feasible ? 1 : 0;
    }
    CHECK(feasible > 1'200);
}

// The same pieces in another order of loading, where many cannot be loaded any more.
TEST(verdicts_are_those_of_the_search_by_places) {
    TinyProblems dice(43);
    Agreement agreement;
    for (int i = 0; i < 900; ++i) {
        Problem problem = planed_floor(dice, 10);
        for (std::size_t stop = problem.stops.size(); stop-- > 1;) {
            if (i % 3 == 0 && dice.draw(0, 2) > 0) continue;
            std::swap(
                problem.stops[stop],
                problem.stops[static_cast<std::size_t>(dice.draw(0, static_cast<int>(stop)))]);
        }
        if (!RelativePositionSearch::can_search(problem)) continue;
        RelativePositionSearch positions(problem);
        const Verdict expected = positions.run({5'000, {}});
        const Verdict verdict = search(problem, 50'000);
        agreement.compare(verdict, expected);
    }
    CHECK(agreement.feasible > 100);
    CHECK(agreement.infeasible > 100);
}

TEST(a_search_cut_short_goes_on_to_the_same_verdict) {
    check_cut_short(
        44, 300, {3, 1, 1}, [](const Problem& problem) { return search(problem); },
        [](const Problem& problem) { return CornerFillingSearch(problem, plenty); });
}

// Pieces that fill a floor to the last cell in some other order: long refutations, where skylines
// come back and a memory of them has something to say.
TEST(memory_saves_nodes_and_changes_no_verdict) {
    TinyProblems dice(46);
    std::int64_t with_memory = 0, with_little = 0, without = 0;
    for (int i = 0; i < 400; ++i) {
        Problem problem = planed_floor(dice, 10);
        std::reverse(problem.stops.begin(), problem.stops.end());
        CornerFillingSearch forgetful(problem, 0), remembering(problem, plenty),
            small(problem, 3'000);
        const Verdict expected = forgetful.run({100'000, {}});
        if (expected == Verdict::unknown) continue;
        CHECK(remembering.run({100'000, {}}) == expected);
        CHECK(small.run({100'000, {}}) == expected);
        CHECK(remembering.nodes() <= forgetful.nodes());
        CHECK(small.nodes() <= forgetful.nodes());
        with_memory += remembering.nodes();
        with_little += small.nodes();
        without += forgetful.nodes();
    }
    CHECK(without > 100'000);
    CHECK(4 * with_memory < 3 * without);
    CHECK(with_memory < with_little);
    CHECK(with_little < without);
}

TEST(a_clock_that_has_run_out_ends_it) {
    TinyProblems dice(45);
    CornerFillingSearch corners(sawn_floor(dice, 30, 60, 40), plenty);
    CHECK(corners.run({most_nodes, [] { return true; }}) == Verdict::unknown);
    CHECK(corners.nodes() <= 64);
}

TEST(the_order_of_loading_counts) {
    const Rectangle wide{6, 2};
    const Rectangle tall{3, 5};
    CHECK(search({6, 7, {{tall, tall}, {wide}}}) == Verdict::feasible);
    CHECK(search({6, 7, {{tall}, {wide}, {tall}}}) == Verdict::infeasible);
}

TEST(the_ends_of_what_is_possible) {
    CHECK(search({8, 8, {}}) == Verdict::feasible);
    CHECK(search({8, 8, {{}, {{8, 8}}, {}}}) == Verdict::feasible);
    CHECK(search({63, 63, {{{63, 62}}, {{63, 1}}}}) == Verdict::feasible);
    CHECK(search({63, 63, {{{63, 62}}, {{32, 1}, {32, 1}}}}) == Verdict::infeasible);
    CHECK(search({8, 8, std::vector<std::vector<Rectangle>>(64, {Rectangle{1, 1}})}) ==
          Verdict::feasible);
    CHECK(search({4, 4, {{{4, 4}}, {{1, 1}}}}) == Verdict::infeasible);
    CHECK(!CornerFillingSearch::can_search({64, 8, {{{1, 1}}}}));
    CHECK(!CornerFillingSearch::can_search({8, 64, {{{1, 1}}}}));
    CHECK(!CornerFillingSearch::can_search({8, 8, {{{9, 1}}}}));
    CHECK(!CornerFillingSearch::can_search({60, 60, {std::vector<Rectangle>(65, {1, 1})}}));
}

}  // namespace
