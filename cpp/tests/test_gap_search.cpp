#include <algorithm>

#include "brute_force.hpp"
#include "check.hpp"
#include "packing/gap_search.hpp"
#include "packing/place_search.hpp"
#include "packing/rescale.hpp"
#include "problems.hpp"

using namespace tailgate::packing;
using namespace tailgate::tests;

namespace {

constexpr std::int64_t patience = 2'000'000;
constexpr std::size_t plenty = std::size_t{1} << 24;

Verdict search(const Problem& problem, std::int64_t max_nodes = patience,
               std::size_t memo_bytes = plenty) {
    CHECK(GapSearch::can_search(problem));
    GapSearch gaps(problem, memo_bytes);
    const Verdict verdict = gaps.run({max_nodes, {}});
    if (verdict == Verdict::feasible) CHECK(is_valid_layout(problem, gaps.layout()));
    return verdict;
}

void verdicts_are_those_of_brute_force() {
    TinyProblems problems(41);
    int feasible = 0;
    constexpr int count = 6'000;
    for (int i = 0; i < count; ++i) {
        Problem problem = problems.next();
        if (i % 3 == 0) {
            for (auto& stop : problem.stops) {
                if (stop.size() > 1) stop[1] = stop[0];
            }
        }
        const bool expected = can_load(problem);
        feasible += expected ? 1 : 0;
        CHECK(search(problem) == (expected ? Verdict::feasible : Verdict::infeasible));
    }
    CHECK(feasible > count / 10);
    CHECK(feasible < count - count / 10);
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

void no_plan_of_a_nearly_full_floor_is_lost() {
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
void verdicts_are_those_of_the_search_by_places() {
    TinyProblems dice(43);
    int feasible = 0;
    int infeasible = 0;
    for (int i = 0; i < 900; ++i) {
        Problem problem = planed_floor(dice, 10);
        for (std::size_t stop = problem.stops.size(); stop-- > 1;) {
            if (i % 3 == 0 && dice.draw(0, 2) > 0) continue;
            std::swap(
                problem.stops[stop],
                problem.stops[static_cast<std::size_t>(dice.draw(0, static_cast<int>(stop)))]);
        }
        if (!PlaceSearch::can_search(problem)) continue;
        PlaceSearch places(problem);
        const Verdict expected = places.run({5'000, {}});
        const Verdict verdict = search(problem, 50'000);
        if (expected == Verdict::unknown || verdict == Verdict::unknown) continue;
        CHECK(verdict == expected);
        ++(verdict == Verdict::feasible ? feasible : infeasible);
    }
    CHECK(feasible > 100);
    CHECK(infeasible > 100);
}

void a_search_cut_short_goes_on_to_the_same_verdict() {
    TinyProblems problems(44);
    for (int i = 0; i < 300; ++i) {
        const Problem problem = problems.next();
        const Verdict expected = search(problem);
        GapSearch piecemeal(problem, plenty);
        Verdict verdict = Verdict::unknown;
        double progress = 0;
        for (int calls = 0; verdict == Verdict::unknown && calls < patience; ++calls) {
            const std::int64_t before = piecemeal.nodes();
            verdict = piecemeal.run({3, {}});
            CHECK(piecemeal.nodes() <= before + 4);  // the first call also counts the root
            CHECK(piecemeal.progress() >= progress);
            progress = piecemeal.progress();
            CHECK(progress < 1 + 1e-9);
        }
        CHECK(verdict == expected);
        if (verdict == Verdict::feasible) CHECK(is_valid_layout(problem, piecemeal.layout()));
        CHECK(piecemeal.run({1, {}}) == expected);
    }
}

// Pieces that fill a floor to the last cell in some other order: long refutations, where skylines
// come back and a memory of them has something to say.
void memory_saves_nodes_and_changes_no_verdict() {
    TinyProblems dice(46);
    std::int64_t with_memory = 0, with_little = 0, without = 0;
    for (int i = 0; i < 400; ++i) {
        Problem problem = planed_floor(dice, 10);
        std::reverse(problem.stops.begin(), problem.stops.end());
        GapSearch forgetful(problem, 0), remembering(problem, plenty), small(problem, 3'000);
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

void a_clock_that_has_run_out_ends_it() {
    TinyProblems dice(45);
    GapSearch gaps(sawn_floor(dice, 30, 60, 40), plenty);
    CHECK(gaps.run({patience, [] { return true; }}) == Verdict::unknown);
    CHECK(gaps.nodes() <= 64);
}

void the_order_of_loading_counts() {
    const Rectangle wide{6, 2};
    const Rectangle tall{3, 5};
    CHECK(search({6, 7, {{tall, tall}, {wide}}}) == Verdict::feasible);
    CHECK(search({6, 7, {{tall}, {wide}, {tall}}}) == Verdict::infeasible);
}

void the_ends_of_what_is_possible() {
    CHECK(search({8, 8, {}}) == Verdict::feasible);
    CHECK(search({8, 8, {{}, {{8, 8}}, {}}}) == Verdict::feasible);
    CHECK(search({63, 63, {{{63, 62}}, {{63, 1}}}}) == Verdict::feasible);
    CHECK(search({63, 63, {{{63, 62}}, {{32, 1}, {32, 1}}}}) == Verdict::infeasible);
    CHECK(search({8, 8, std::vector<std::vector<Rectangle>>(64, {Rectangle{1, 1}})}) ==
          Verdict::feasible);
    CHECK(search({4, 4, {{{4, 4}}, {{1, 1}}}}) == Verdict::infeasible);
    CHECK(!GapSearch::can_search({64, 8, {{{1, 1}}}}));
    CHECK(!GapSearch::can_search({8, 64, {{{1, 1}}}}));
    CHECK(!GapSearch::can_search({8, 8, {{{9, 1}}}}));
    CHECK(!GapSearch::can_search({60, 60, {std::vector<Rectangle>(65, {1, 1})}}));
}

}  // namespace

int main() {
    verdicts_are_those_of_brute_force();
    no_plan_of_a_nearly_full_floor_is_lost();
    verdicts_are_those_of_the_search_by_places();
    a_search_cut_short_goes_on_to_the_same_verdict();
    memory_saves_nodes_and_changes_no_verdict();
    a_clock_that_has_run_out_ends_it();
    the_order_of_loading_counts();
    the_ends_of_what_is_possible();
    return failures();
}
