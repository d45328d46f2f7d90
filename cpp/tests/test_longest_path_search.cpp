#include <limits>

#include "exact_searches.hpp"
#include "fine_floors.hpp"
#include "packing/loading_search.hpp"
#include "packing/longest_path_search.hpp"
#include "packing/staged_search.hpp"

using namespace tailgate::packing;
using namespace tailgate::tests;

namespace {

constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max() / 2;

Verdict verdict_of(const Problem& problem) {
    if (exceeds_floor(problem)) return Verdict::infeasible;
    LongestPathSearch search(problem);
    return run_checked(search, problem, no_end);
}

TEST(verdicts_are_those_of_brute_force) {
    check_against_brute_force(3, 1'500, verdict_of);
}

TEST(items_that_may_be_turned_are) {
    check_against_brute_force(4, 1'000, verdict_of, Turning::some);
}

// The unit of length changes neither verdict nor effort.
TEST(large_numbers_take_as_many_nodes) {
    TinyProblems problems(5);
    for (int i = 0; i < 300; ++i) {
        const Problem tiny = problems.next_with_turning();
        if (exceeds_floor(tiny)) continue;
        const Problem large = enlarged(tiny, 70'000'001, 70'000'001);
        LongestPathSearch one(tiny);
        LongestPathSearch other(large);
        CHECK(run_checked(one, tiny, no_end) == run_checked(other, large, no_end));
        CHECK(other.nodes() <= one.nodes());  // a unit of the tiny floor is many of the large one
    }
}

TEST(a_search_that_is_cut_short_goes_on) {
    check_cut_short(6, 150, {}, verdict_of,
                    [](const Problem& problem) { return LongestPathSearch(problem); });
}

// What the whole check says on floors where no size is rounded.
TEST(verdicts_are_those_of_the_searches_on_grids) {
    TinyProblems dice(7);
    Effort effort;
    effort.max_nodes = 2'000;
    Agreement agreement;
    for (int i = 0; i < 120; ++i) {
        Problem problem = sawn_floor(dice, dice.draw(10, 20), dice.draw(10, 30), dice.draw(5, 9));
        for (auto& stop : problem.stops) {
            for (Rectangle& item : stop) {
                if (item.width > 2) item.width -= dice.draw(0, 1);
                if (i % 2 == 0 && item.length < problem.length && dice.draw(0, 3) == 0)
                    ++item.length;
            }
        }
        if (exceeds_floor(problem)) continue;
        LongestPathSearch search(problem);
        agreement.compare(run_checked(search, problem, 20'000), decide(problem, effort).verdict);
    }
    CHECK(agreement.feasible > 40);
    CHECK(agreement.infeasible > 10);
}

// With very many items the clock is looked at inside a node; and what is asked again goes on.
TEST(limits_are_kept_with_many_items) {
    Problem problem{1'000, 200'000, {}};
    for (int i = 0; i < 150; ++i) problem.stops.push_back({{601 - i % 90, 801 + i}});
    LongestPathSearch search(problem);
    int asked = 0;
    const Budget few{no_end, [&] { return ++asked > 50; }};
    CHECK(search.run(few) == Verdict::unknown);
    CHECK(asked > 50);
    CHECK(run_checked(search, problem, no_end) == Verdict::feasible);
}

}  // namespace
