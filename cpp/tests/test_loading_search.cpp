#include <chrono>

#include "brute_force.hpp"
#include "packing/loading_search.hpp"
#include "packing/rescale.hpp"
#include "packing/views.hpp"
#include "problems.hpp"
#include "test.hpp"

using namespace tailgate::packing;
using namespace tailgate::tests;

namespace {

TEST(verdicts_are_those_of_brute_force) {
    TinyProblems problems(10);
    for (int i = 0; i < 1'000; ++i) {
        const Problem problem = i % 2 == 0 ? problems.next() : problems.next_with_turning();
        const Decision decision = decide(problem, {});
        CHECK(decision.verdict == (can_load(problem) ? Verdict::feasible : Verdict::infeasible));
        CHECK(decision.stage != Stage::limit);
        if (decision.verdict == Verdict::feasible) {
            CHECK(is_valid_layout(problem, decision.layout));
        } else {
            CHECK(decision.layout.empty());
        }
    }
}

// Large enough that every stage gets its turn; sanitizers watch.
TEST(a_full_floor_with_a_plan_is_never_refused) {
    TinyProblems dice(15);
    Effort effort;
    effort.max_nodes = 3'000;
    for (int i = 0; i < 150; ++i) {
        Problem problem = sawn_floor(dice, dice.draw(10, 24), dice.draw(10, 40), dice.draw(6, 16));
        const Decision with_stops = decide(problem, effort);
        CHECK(with_stops.verdict != Verdict::infeasible);
        if (with_stops.verdict == Verdict::feasible)
            CHECK(is_valid_layout(problem, with_stops.layout));
        Problem one_stop{problem.width, problem.length, {{}}};
        for (const auto& stop : problem.stops) {
            one_stop.stops[0].insert(one_stop.stops[0].end(), stop.begin(), stop.end());
        }
        CHECK(decide(one_stop, effort).verdict != Verdict::infeasible);
        // A cell more than the floor has.
        problem.stops.push_back({{1, 1}});
        CHECK(decide(problem, effort).verdict == Verdict::infeasible);
    }
}

// Without an order of loading width and length are alike, whichever searches a floor of this shape
// allows.
TEST(exchanged_axes_change_no_verdict_without_an_order) {
    TinyProblems dice(16);
    Effort effort;
    effort.max_nodes = 2'000;
    constexpr Rectangle floors[] = {{20, 40}, {20, 90}, {90, 20}, {70, 80}};
    int feasible = 0, infeasible = 0;
    for (int i = 0; i < 120; ++i) {
        const Rectangle floor = floors[i % 4];
        Problem problem = sawn_floor(dice, floor.width, floor.length, dice.draw(7, 12));
        problem.stops = {{}, problem.items(), {}};  // stops without items do not count
        // Some can be loaded, of others nobody knows.
        const bool has_plan = i % 8 < 4;
        for (Rectangle& item : problem.stops[1]) {
            if (item.width > 2) item.width -= dice.draw(0, 1);
            if (!has_plan && item.length < floor.length && dice.draw(0, 3) == 0) ++item.length;
        }
        const Decision as_given = decide(problem, effort);
        const Problem other = seen(problem, View::axes_exchanged);
        const Decision exchanged = decide(other, effort);
        if (as_given.verdict == Verdict::feasible) {
            ++feasible;
            CHECK(exchanged.verdict != Verdict::infeasible);
            CHECK(is_valid_layout(problem, as_given.layout));
            CHECK(is_valid_layout(other, tailgate::packing::as_given(problem, View::axes_exchanged,
                                                                     as_given.layout)));
        }
        if (exchanged.verdict == Verdict::feasible) CHECK(is_valid_layout(other, exchanged.layout));
        if (as_given.verdict == Verdict::infeasible) {
            ++infeasible;
            CHECK(!has_plan);
            CHECK(exchanged.verdict != Verdict::feasible);
        }
    }
    CHECK(feasible > 30);
    CHECK(infeasible > 5);
}

TEST(direction_does_not_matter) {
    TinyProblems problems(11);
    for (int i = 0; i < 200; ++i) {
        Problem problem = problems.next();
        const Verdict forwards = decide(problem, {}).verdict;
        std::reverse(problem.stops.begin(), problem.stops.end());
        CHECK(decide(problem, {}).verdict == forwards);
    }
}

TEST(the_obvious_is_answered_without_search) {
    const Decision nothing = decide({10, 10, {{}, {}}}, {});
    CHECK(nothing.verdict == Verdict::feasible);
    CHECK(nothing.stage == Stage::trivial);
    CHECK(nothing.layout.size() == 2);
    CHECK(decide({10, 10, {}}, {}).verdict == Verdict::feasible);
    for (const Rectangle item : {Rectangle{11, 1}, Rectangle{1, 11}}) {
        const Decision too_large = decide({10, 10, {{item}}}, {});
        CHECK(too_large.verdict == Verdict::infeasible);
        CHECK(too_large.stage == Stage::bounds);
        CHECK(too_large.nodes == 0);
    }
    const Decision too_much = decide({10, 10, {{{10, 6}}, {{10, 5}}}}, {});
    CHECK(too_much.verdict == Verdict::infeasible);
    CHECK(too_much.nodes == 0);
}

TEST(areas_beyond_64_bits_are_no_trouble) {
    constexpr Length billion = 1'000'000'000;
    Problem problem{billion, billion, {}};
    for (int i = 0; i < 30; ++i) problem.stops.push_back({{billion, billion}});
    CHECK(decide(problem, {}).verdict == Verdict::infeasible);
    problem.stops.resize(1);
    CHECK(decide(problem, {}).verdict == Verdict::feasible);
}

TEST(limits_give_unknown) {
    const Problem problem = hard_problem();
    for (const std::int64_t limit : {0, 1, 59, 60, 61, 1'000, 5'000}) {
        Effort effort;
        effort.max_nodes = limit;
        const Decision decision = decide(problem, effort);
        CHECK(decision.verdict == Verdict::unknown);
        CHECK(decision.stage == Stage::limit);
        CHECK(decision.nodes <= limit);
        CHECK(decision.layout.empty());
    }
    Effort effort;
    effort.max_seconds = 0.05;
    const auto started = std::chrono::steady_clock::now();
    CHECK(decide(problem, effort).verdict == Verdict::unknown);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;
    CHECK(elapsed.count() >= 0.05);
    CHECK(elapsed.count() < 5);  // sanitizers are slow, the machine may be busy
}

TEST(an_interrupt_gives_unknown) {
    Effort effort;
    int asked = 0;
    effort.interrupted = [&] { return ++asked >= 3; };
    const Decision decision = decide(hard_problem(), effort);
    CHECK(decision.verdict == Verdict::unknown);
    CHECK(asked >= 3);
}

TEST(little_memory_changes_no_verdict) {
    TinyProblems problems(12);
    for (int i = 0; i < 200; ++i) {
        const Problem problem = problems.next();
        Effort effort;
        effort.memo_bytes = 0;
        CHECK(decide(problem, effort).verdict == decide(problem, {}).verdict);
    }
}

TEST(every_stage_has_a_name) {
    for (std::size_t stage = 0; stage < stage_count; ++stage)
        CHECK(!stage_name(static_cast<Stage>(stage)).empty());
    CHECK(stage_name(Stage::limit) == "limit");
    CHECK(stage_name(Stage::memory) == "memory");
    CHECK(stage_name(Stage::cache) == "cache");
}

}  // namespace
