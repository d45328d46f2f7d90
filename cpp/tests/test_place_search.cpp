#include "brute_force.hpp"
#include "check.hpp"
#include "packing/drop_search.hpp"
#include "packing/place_search.hpp"
#include "packing/rescale.hpp"
#include "problems.hpp"

using namespace tailgate::packing;
using namespace tailgate::tests;

namespace {

Budget nodes(std::int64_t count) {
    return {count, {}};
}

Verdict search(const Problem& problem) {
    CHECK(PlaceSearch::can_search(problem));
    PlaceSearch search(problem);
    const Verdict verdict = search.run(nodes(1'000'000));
    if (verdict == Verdict::feasible) CHECK(is_valid_layout(problem, search.layout()));
    return verdict;
}

void verdicts_are_those_of_brute_force() {
    TinyProblems problems(31);
    int feasible = 0;
    constexpr int count = 3'000;
    for (int i = 0; i < count; ++i) {
        Problem problem = problems.next();
        // Equal items of one stop stand in for each other.
        if (i % 3 == 0) {
            for (auto& stop : problem.stops) {
                if (stop.size() > 1 && stop.size() < 4) stop[1] = stop[0];
            }
        }
        const bool expected = can_load(problem);
        feasible += expected ? 1 : 0;
        CHECK(search(problem) == (expected ? Verdict::feasible : Verdict::infeasible));
    }
    CHECK(feasible > count / 10);
    CHECK(feasible < count - count / 10);
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

void both_searches_agree() {
    TinyProblems dice(32);
    int feasible = 0;
    int infeasible = 0;
    for (int i = 0; i < 400; ++i) {
        const Problem problem = nearly_full(dice);
        DropSearch drops(problem, std::size_t{1} << 24);
        const Verdict expected = drops.run(nodes(3'000));
        PlaceSearch places(problem);
        const Verdict verdict = places.run(nodes(3'000));
        if (verdict == Verdict::feasible) CHECK(is_valid_layout(problem, places.layout()));
        if (expected == Verdict::unknown || verdict == Verdict::unknown) continue;
        CHECK(verdict == expected);
        ++(verdict == Verdict::feasible ? feasible : infeasible);
    }
    CHECK(feasible > 50);
    CHECK(infeasible > 50);
}

// Pushed together or not, a plan that is there is not lost: floors sawn into pieces, which are then
// planed, some of them much, so that they lie loose and can be pushed.
void no_plan_is_pushed_away() {
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
        if (!PlaceSearch::can_search(problem)) continue;
        PlaceSearch places(problem);
        const Verdict verdict = places.run(nodes(3'000));
        CHECK(verdict != Verdict::infeasible);
        if (verdict != Verdict::feasible) continue;
        CHECK(is_valid_layout(problem, places.layout()));
        ++feasible;
    }
    CHECK(feasible > 300);
}

void a_search_cut_short_goes_on_to_the_same_verdict() {
    TinyProblems problems(33);
    for (int i = 0; i < 300; ++i) {
        const Problem problem = problems.next();
        const Verdict expected = search(problem);
        PlaceSearch piecemeal(problem);
        Verdict verdict = Verdict::unknown;
        double progress = 0;
        for (std::int64_t limit = 1; verdict == Verdict::unknown && limit < 1'000'000; limit *= 2) {
            const std::int64_t before = piecemeal.nodes();
            verdict = piecemeal.run(nodes(limit));
            CHECK(piecemeal.nodes() <= before + limit);
            CHECK(piecemeal.progress() >= progress);
            progress = piecemeal.progress();
            CHECK(progress < 1 + 1e-9);
        }
        CHECK(verdict == expected);
        if (verdict == Verdict::feasible) CHECK(is_valid_layout(problem, piecemeal.layout()));
        CHECK(piecemeal.run(nodes(1)) == expected);
    }
}

void the_order_of_loading_counts() {
    // Both orders fill the floor; the wide item must be loaded last, for it covers every column.
    const Rectangle wide{6, 2};
    const Rectangle tall{3, 5};
    CHECK(search({6, 7, {{tall, tall}, {wide}}}) == Verdict::feasible);
    CHECK(search({6, 7, {{tall}, {wide}, {tall}}}) == Verdict::infeasible);
}

void the_largest_floor_works() {
    CHECK(search({64, 4096, {{{64, 4000}}, {{32, 96}, {32, 96}}}}) == Verdict::feasible);
    CHECK(search({64, 4096, {{{64, 4000}}, {{32, 96}, {32, 97}}}}) == Verdict::infeasible);
    const Rectangle half{64, 2048};
    CHECK(search({64, 4096, {{half, half}}}) == Verdict::feasible);
    CHECK(search({64, 4096, {std::vector<Rectangle>(6, {64, 4096}), {half}}}) ==
          Verdict::infeasible);
    CHECK(search({8, 8, {}}) == Verdict::feasible);
    CHECK(search({8, 8, {{}, {{8, 8}}, {}}}) == Verdict::feasible);
}

void what_is_too_large_is_refused() {
    CHECK(!PlaceSearch::can_search({65, 8, {{{1, 1}}}}));
    CHECK(!PlaceSearch::can_search({8, 4097, {{{1, 1}}}}));
    CHECK(!PlaceSearch::can_search({8, 8, {{{9, 1}}}}));
    CHECK(!PlaceSearch::can_search({8, 8, {std::vector<Rectangle>(7, {1, 1})}}));
    CHECK(!PlaceSearch::can_search(
        {8, 80, std::vector<std::vector<Rectangle>>(65, {Rectangle{1, 1}})}));
}

}  // namespace

int main() {
    verdicts_are_those_of_brute_force();
    both_searches_agree();
    no_plan_is_pushed_away();
    a_search_cut_short_goes_on_to_the_same_verdict();
    the_order_of_loading_counts();
    the_largest_floor_works();
    what_is_too_large_is_refused();
    return failures();
}
