// What every exact loading search must do, whichever it is.
#pragma once

#include "brute_force.hpp"
#include "packing/effort_meter.hpp"
#include "packing/rescale.hpp"
#include "problems.hpp"
#include "test.hpp"

namespace tailgate::tests {

inline packing::Budget nodes(std::int64_t count) {
    return {count, {}};
}

// Runs the search; a plan that it finds must be one.
template <typename Search>
packing::Verdict run_checked(Search& search, const packing::Problem& problem,
                             std::int64_t max_nodes) {
    const packing::Verdict verdict = search.run(nodes(max_nodes));
    if (verdict == packing::Verdict::feasible)
        CHECK(packing::is_valid_layout(problem, search.layout()));
    return verdict;
}

// `search(problem)` must say what brute force says. In every third problem items of a stop are
// equal, so that they stand in for each other.
enum class Turning : std::uint8_t { none, some };

template <typename Search>
void check_against_brute_force(std::uint32_t seed, int count, Search search,
                               Turning turning = Turning::none) {
    TinyProblems problems(seed);
    int feasible = 0;
    for (int i = 0; i < count; ++i) {
        packing::Problem problem =
            turning == Turning::none ? problems.next() : problems.next_with_turning();
        for (auto* shapes : {&problem.stops, &problem.turned}) {
            for (auto& stop : *shapes) {
                if (i % 3 == 0 && stop.size() > 1) stop[1] = stop[0];
            }
        }
        const bool expected = can_load(problem);
        feasible += expected ? 1 : 0;
        CHECK(search(problem) ==
              (expected ? packing::Verdict::feasible : packing::Verdict::infeasible));
    }
    CHECK(feasible > count / 10);
    CHECK(feasible < count - count / 10);
}

// Counts what two searches both decide: they must agree.
struct Agreement {
    void compare(packing::Verdict one, packing::Verdict other) {
        if (one == packing::Verdict::unknown || other == packing::Verdict::unknown) return;
        CHECK(one == other);
        ++(one == packing::Verdict::feasible ? feasible : infeasible);
    }

    int feasible = 0;
    int infeasible = 0;
};

struct Slices {
    std::int64_t first = 1;       // nodes of the first call
    std::int64_t growth = 2;      // each call may take so many times the nodes of the one before
    std::int64_t root_nodes = 0;  // that the first call takes beyond its limit
};

// A search that is cut short again and again must come to the verdict of `search(problem)`.
// `make(problem)` gives a new one.
template <typename Search, typename Make>
void check_cut_short(std::uint32_t seed, int count, const Slices& slices, Search search,
                     Make make) {
    TinyProblems problems(seed);
    for (int i = 0; i < count; ++i) {
        const packing::Problem problem = problems.next();
        const packing::Verdict expected = search(problem);
        auto piecemeal = make(problem);
        packing::Verdict verdict = packing::Verdict::unknown;
        double progress = 0;
        std::int64_t limit = slices.first;
        for (int calls = 0; verdict == packing::Verdict::unknown && calls < 1'000'000; ++calls) {
            const std::int64_t before = piecemeal.nodes();
            verdict = run_checked(piecemeal, problem, limit);
            CHECK(piecemeal.nodes() <= before + limit + (calls == 0 ? slices.root_nodes : 0));
            if constexpr (requires { piecemeal.progress(); }) {
                CHECK(piecemeal.progress() >= progress);
                progress = piecemeal.progress();
                CHECK(progress < 1 + 1e-9);
            }
            limit = std::min<std::int64_t>(limit * slices.growth, 1'000'000);
        }
        CHECK(verdict == expected);
        // A verdict once reached stays.
        CHECK(piecemeal.run(nodes(1)) == expected);
    }
}

}  // namespace tailgate::tests
