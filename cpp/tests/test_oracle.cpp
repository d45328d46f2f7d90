#include <stdexcept>
#include <thread>

#include "brute_force.hpp"
#include "check.hpp"
#include "packing/oracle.hpp"
#include "packing/rescale.hpp"
#include "problems.hpp"

using namespace tailgate::packing;
using namespace tailgate::tests;

namespace {

using Customers = std::vector<std::vector<Rectangle>>;

// The problem as the oracle should see it: the last stop is loaded first.
Problem problem_of(const Customers& customers, Length width, Length length, const Sequence& route,
                   bool lifo) {
    Problem problem{width, length, {}};
    for (std::size_t stop = route.size(); stop-- > 0;) {
        const auto& items = customers[static_cast<std::size_t>(route[stop])];
        if (lifo || problem.stops.empty()) problem.stops.emplace_back();
        problem.stops.back().insert(problem.stops.back().end(), items.begin(), items.end());
    }
    return problem;
}

void check_plan(const Customers& customers, Length width, Length length, const Sequence& route,
                bool lifo, const Answer& answer) {
    if (answer.verdict != Verdict::feasible) {
        CHECK(answer.layout.empty());
        return;
    }
    CHECK(answer.layout.size() == route.size());
    Layout in_loading_order(answer.layout.rbegin(), answer.layout.rend());
    if (!lifo && !in_loading_order.empty()) {
        std::vector<Position> together;
        for (const auto& stop : in_loading_order)
            together.insert(together.end(), stop.begin(), stop.end());
        in_loading_order = {together};
    }
    CHECK(is_valid_layout(problem_of(customers, width, length, route, lifo), in_loading_order));
}

void answers_are_those_of_brute_force_with_and_without_cache() {
    TinyProblems dice(13);
    for (int round = 0; round < 40; ++round) {
        const Length width = dice.draw(3, 8);
        const Length length = dice.draw(3, 6);
        Customers customers(5);
        for (auto& items : customers) {
            for (int i = dice.draw(0, 2); i > 0; --i)
                items.push_back({dice.draw(1, width), dice.draw(1, (length + 1) / 2)});
        }
        const bool lifo = round % 2 == 0;
        LoadingOracle cached(width, length, customers, {lifo, std::size_t{1} << 20, true});
        LoadingOracle fresh(width, length, customers, {lifo, 0, false});
        for (int query = 0; query < 25; ++query) {
            Sequence route;
            for (int i = dice.draw(0, 4); i >= 0; --i) {
                const auto customer = static_cast<std::int32_t>(dice.draw(0, 4));
                if (std::find(route.begin(), route.end(), customer) == route.end())
                    route.push_back(customer);
            }
            const bool expected = can_load(problem_of(customers, width, length, route, lifo));
            for (LoadingOracle* oracle : {&cached, &fresh}) {
                const Answer answer = oracle->check(route, {});
                CHECK(answer.verdict == (expected ? Verdict::feasible : Verdict::infeasible));
                check_plan(customers, width, length, route, lifo, answer);
            }
        }
        CHECK(cached.statistics().queries == 25);
        CHECK(fresh.cache_bytes() == 0);
    }
}

const Customers three_bars{{{1, 1}}, {{2, 1}}, {{1, 1}}};

void stages_tell_where_an_answer_came_from() {
    LoadingOracle oracle(2, 2, three_bars, {});
    const Sequence route{0, 1, 2};
    const Sequence backwards{2, 1, 0};
    CHECK(oracle.check(route, {}).stage != Stage::cache);
    CHECK(oracle.check(route, {}).stage == Stage::cache);
    CHECK(oracle.check(backwards, {}).stage == Stage::cache);
    const Statistics statistics = oracle.statistics();
    CHECK(statistics.queries == 3);
    CHECK(statistics.infeasible == 3);
    CHECK(statistics.by_stage[static_cast<std::size_t>(Stage::cache)] == 2);
    oracle.clear();
    CHECK(oracle.statistics().queries == 0);
    CHECK(oracle.cache_bytes() == 0);
}

template <typename Error, typename Action>
bool throws(Action action) {
    try {
        action();
    } catch (const Error&) {
        return true;
    }
    return false;
}

void senseless_input_is_refused() {
    CHECK(throws<std::invalid_argument>([] { LoadingOracle(0, 5, {}, {}); }));
    CHECK(throws<std::invalid_argument>([] { LoadingOracle(5, -1, {}, {}); }));
    CHECK(throws<std::invalid_argument>([] { LoadingOracle(5, 5, {{{0, 1}}}, {}); }));
    CHECK(throws<std::invalid_argument>([] { LoadingOracle(5, 5, {{{1, -1}}}, {}); }));
    LoadingOracle oracle(2, 2, three_bars, {});
    CHECK(throws<std::out_of_range>([&] { oracle.check(Sequence{3}, {}); }));
    CHECK(throws<std::out_of_range>([&] { oracle.check(Sequence{-1}, {}); }));
    CHECK(throws<std::invalid_argument>([&] { oracle.check(Sequence{1, 0, 1}, {}); }));
    // And does no harm.
    CHECK(oracle.check(Sequence{1, 0, 2}, {}).verdict == Verdict::feasible);
    CHECK(oracle.statistics().queries == 1);
}

void an_unknown_is_not_kept() {
    TinyProblems dice(14);
    Customers customers;
    for (int i = 0; i < 8; ++i)
        customers.push_back(
            {{dice.draw(3, 11), dice.draw(5, 19)}, {dice.draw(3, 9), dice.draw(5, 14)}});
    LoadingOracle oracle(20, 40, customers, {});
    LoadingOracle fresh(20, 40, customers, {});
    const Sequence route{0, 1, 2, 3, 4, 5};
    for (std::int64_t limit = 0; limit < 20; ++limit) {
        Effort effort;
        effort.max_nodes = limit;
        const Answer answer = oracle.check(route, effort);
        if (answer.verdict == Verdict::unknown) CHECK(answer.stage == Stage::limit);
    }
    Effort effort;
    effort.max_nodes = 200'000;
    CHECK(oracle.check(route, effort).verdict == fresh.check(route, effort).verdict);
}

void threads_may_share_an_oracle() {
    const Customers customers{{{2, 2}}, {{2, 2}}, {{2, 2}}, {{2, 2}}, {{3, 3}}};
    LoadingOracle oracle(4, 4, customers, {});
    std::vector<std::thread> threads;
    std::vector<int> wrong(4, 0);
    for (std::size_t thread = 0; thread < wrong.size(); ++thread) {
        threads.emplace_back([&, thread] {
            for (int i = 0; i < 50; ++i) {
                const Sequence fits{0, 1, 2, 3};
                const Sequence does_not{4, 0};
                if (oracle.check(fits, {}).verdict != Verdict::feasible) ++wrong[thread];
                if (oracle.check(does_not, {}).verdict != Verdict::infeasible) ++wrong[thread];
                if (oracle.statistics().queries == 0) ++wrong[thread];
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const int count : wrong) CHECK(count == 0);
    CHECK(oracle.statistics().queries == 400);
}

}  // namespace

int main() {
    answers_are_those_of_brute_force_with_and_without_cache();
    stages_tell_where_an_answer_came_from();
    senseless_input_is_refused();
    an_unknown_is_not_kept();
    threads_may_share_an_oracle();
    return failures();
}
