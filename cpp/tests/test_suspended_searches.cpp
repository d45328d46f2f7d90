#include "packing/rescale.hpp"
#include "packing/suspended_searches.hpp"
#include "problems.hpp"
#include "test.hpp"

using namespace tailgate::packing;
using namespace tailgate::tests;

namespace {

// Nearly full floors of the benchmark's size: some take a long search.
Problem full_truck(TinyProblems& dice) {
    Problem problem{20, 40, {}};
    Area room = Area{problem.width} * problem.length;
    for (int tries = 0; tries < 60 && room > 30; ++tries) {
        const Rectangle item{dice.draw(3, 12), dice.draw(5, 16)};
        if (item.area() > room) continue;
        room -= item.area();
        if (problem.stops.empty() || dice.draw(0, 2) > 0) problem.stops.emplace_back();
        problem.stops.back().push_back(item);
    }
    return problem;
}

TEST(a_search_suspended_again_and_again_ends_alike) {
    TinyProblems dice(31);
    int suspended = 0;
    for (int i = 0; i < 600; ++i) {
        const Problem problem = full_truck(dice);
        Effort effort;
        effort.max_nodes = 20'000;
        const Decision at_once = decide(problem, effort);
        if (at_once.verdict == Verdict::unknown || at_once.nodes < 100) continue;
        LoadingSearch search(problem);
        Decision decision;
        // A node at a time gets nowhere in the beam, which begins anew; so the slices grow.
        for (int slice = 1; decision.verdict == Verdict::unknown && slice < 400; ++slice) {
            effort.max_nodes = dice.draw(1, 20 * slice);
            decision = search.run(effort);
            CHECK(decision.nodes <= effort.max_nodes);
            ++suspended;
        }
        CHECK(decision.verdict == at_once.verdict);
        CHECK(search.run(effort).verdict == at_once.verdict);
        if (decision.verdict == Verdict::feasible) CHECK(is_valid_layout(problem, decision.layout));
    }
    CHECK(suspended > 500);
}

TEST(going_on_costs_less_than_beginning_anew) {
    TinyProblems dice(32);
    std::int64_t anew = 0;
    std::int64_t on = 0;
    for (int i = 0; i < 60; ++i) {
        const Problem problem = full_truck(dice);
        LoadingSearch search(problem);
        for (std::int64_t limit = 500; limit <= 8'000; limit *= 4) {
            Effort effort;
            effort.max_nodes = limit;
            anew += decide(problem, effort).nodes;
            const Decision decision = search.run(effort);
            on += decision.nodes;
            if (decision.verdict != Verdict::unknown) break;
        }
    }
    CHECK(on < anew);
}

TEST(an_interrupt_leaves_nothing_wrong_behind) {
    TinyProblems dice(33);
    for (int i = 0; i < 60; ++i) {
        const Problem problem = full_truck(dice);
        Effort effort;
        effort.max_nodes = 20'000;
        const Decision at_once = decide(problem, effort);
        if (at_once.verdict == Verdict::unknown) continue;
        LoadingSearch search(problem);
        for (int turn = 0; turn < 20; ++turn) {
            int looks = dice.draw(1, 200);
            Effort broken_off;
            broken_off.interrupted = [&] { return --looks < 0; };
            const Decision decision = search.run(broken_off);
            CHECK(decision.verdict == Verdict::unknown || decision.verdict == at_once.verdict);
        }
        CHECK(search.run({}).verdict == at_once.verdict);
    }
}

TEST(memory_has_a_limit_and_the_latest_stay) {
    Effort effort;
    effort.max_nodes = 2'000;
    const auto asked = [&] {
        LoadingSearch search(hard_problem());
        CHECK(search.run(effort).verdict == Verdict::unknown);
        return search;
    };
    SuspendedSearches roomy(std::size_t{1} << 30);
    roomy.put({0, 1}, asked());
    const std::size_t each = roomy.bytes();
    CHECK(each > 0);
    SuspendedSearches tight(each * 5 / 2);
    for (std::int32_t route = 0; route < 6; ++route) {
        tight.put({route}, asked());
        CHECK(tight.bytes() <= each * 5 / 2);
    }
    bool made = false;
    const auto make = [&] {
        made = true;
        return hard_problem();
    };
    LoadingSearch large(hard_problem());
    Effort more;
    more.max_nodes = 200'000;
    CHECK(large.run(more).verdict == Verdict::unknown);
    CHECK(large.bytes() > each * 5 / 2);
    tight.put({6}, std::move(large));  // does not fit, and drives nobody out
    (void)tight.take({5}, make);
    CHECK(!made);
    CHECK(tight.bytes() < each * 3 / 2);
    (void)tight.take({5}, make);
    CHECK(made);
    tight.clear();
    CHECK(tight.bytes() == 0);
    SuspendedSearches none(0);
    none.put({1}, asked());
    CHECK(none.bytes() == 0);
}

}  // namespace
