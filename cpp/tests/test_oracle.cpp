#include <numeric>
#include <stdexcept>
#include <thread>

#include "brute_force.hpp"
#include "packing/oracle.hpp"
#include "packing/rescale.hpp"
#include "problems.hpp"
#include "test.hpp"

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

// `item_counts`: the least and the most of one customer.
Customers draw_customers(TinyProblems& dice, std::size_t count, std::pair<int, int> item_counts,
                         Rectangle smallest, Rectangle largest) {
    Customers customers(count);
    for (auto& items : customers) {
        for (int i = dice.draw(item_counts.first, item_counts.second); i > 0; --i)
            items.push_back({dice.draw(smallest.width, largest.width),
                             dice.draw(smallest.length, largest.length)});
    }
    return customers;
}

TEST(what_is_known_is_recalled_and_nothing_else) {
    TinyProblems dice(31);
    int recalled = 0;
    for (int round = 0; round < 20; ++round) {
        const bool lifo = round % 2 == 0;
        const Customers customers = draw_customers(dice, 5, {0, 2}, {1, 1}, {4, 3});
        LoadingOracle oracle(5, 5, customers, {lifo, std::size_t{1} << 20, true});
        Sequence route{0, 1, 2, 3, 4};
        CHECK(oracle.recall(route).verdict == Verdict::unknown);
        CHECK(oracle.statistics().queries == 0);
        const Answer answer = oracle.check(route, {});
        const std::int64_t queries = oracle.statistics().queries;
        // Backwards, too.
        for (int direction = 0; direction < 2; ++direction) {
            const Answer known = oracle.recall(route);
            CHECK(known.verdict == answer.verdict);
            check_plan(customers, 5, 5, route, lifo, known);
            if (known.verdict == Verdict::infeasible) CHECK(!known.core.empty());
            std::ranges::reverse(route);
            ++recalled;
        }
        CHECK(oracle.statistics().queries == queries);
        LoadingOracle forgetful(5, 5, customers, {lifo, 0, false});
        forgetful.check(route, {});
        CHECK(forgetful.recall(route).verdict == Verdict::unknown);
    }
    CHECK(recalled == 40);
}

TEST(answers_are_those_of_brute_force_with_and_without_cache) {
    TinyProblems dice(13);
    for (int round = 0; round < 40; ++round) {
        const Length width = dice.draw(3, 8);
        const Length length = dice.draw(3, 6);
        const Customers customers =
            draw_customers(dice, 5, {0, 2}, {1, 1}, {width, (length + 1) / 2});
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

TEST(what_fits_in_no_order_is_refuted_for_every_order) {
    TinyProblems dice(17);
    int in_any_order = 0;
    int recalled = 0;
    int only_in_order = 0;
    for (int round = 0; round < 250; ++round) {
        const Length width = dice.draw(12, 20);
        const Length length = dice.draw(12, 30);
        const Customers customers =
            draw_customers(dice, 5, {1, 3}, {3, 3}, {(2 * width) / 3, length / 2});
        // Nearly full: what is easy is not asked twice.
        Area area = 0;
        for (const auto& items : customers) {
            for (const Rectangle& item : items) area += item.area();
        }
        if (4 * area < 3 * Area{width} * length || area > Area{width} * length) continue;
        LoadingOracle::MayTurn may_turn;
        for (const auto& items : customers)
            may_turn.emplace_back(items.size(), round % 3 != 0 && dice.draw(0, 1) == 0);
        // Asked without an order soon, never, and always.
        constexpr std::int64_t soon = 1;
        LoadingOracle oracle(width, length, customers, {true, std::size_t{1} << 20, true, soon},
                             may_turn);
        LoadingOracle in_order(width, length, customers, {true, 0, false}, may_turn);
        LoadingOracle any_order(width, length, customers, {false, 0, false}, may_turn);
        for (int query = 0; query < 20; ++query) {
            Sequence route{0, 1, 2, 3, 4};
            for (int last = 4; last > 0; --last)
                std::swap(route[static_cast<std::size_t>(last)],
                          route[static_cast<std::size_t>(dice.draw(0, last))]);
            const Verdict expected = in_order.check(route, {}).verdict;
            const Answer answer = oracle.check(route, {});
            CHECK(answer.verdict == expected);
            if (expected == Verdict::feasible) {
                CHECK(answer.core.empty() && !answer.in_any_order);
                continue;
            }
            // The core stands in the route, perhaps backwards, and is infeasible by itself.
            Sequence visited;
            for (const std::int32_t customer : route) {
                if (std::ranges::find(answer.core, customer) != answer.core.end())
                    visited.push_back(customer);
            }
            CHECK(visited == answer.core ||
                  visited == Sequence(answer.core.rbegin(), answer.core.rend()));
            LoadingOracle& reference = answer.in_any_order ? any_order : in_order;
            CHECK(reference.check(answer.core, {}).verdict == Verdict::infeasible);
            in_any_order += answer.in_any_order && answer.stage == Stage::any_order;
            recalled += answer.in_any_order && answer.stage == Stage::heredity;
            only_in_order += any_order.check(route, {}).verdict == Verdict::feasible;
        }
        CHECK(oracle.cache_bytes() <= std::size_t{1} << 20);
        oracle.clear();
        CHECK(oracle.cache_bytes() == 0);
    }
    // Most that are full and infeasible are so at sight.
    CHECK(in_any_order >= 5 && recalled > 50 && only_in_order > 50);
}

TEST(a_guess_changes_no_verdict_and_every_core_is_infeasible) {
    TinyProblems dice(14);
    int guesses = 0;
    const LoadingOracle::Guess wrong_guesses[] = {
        [&](const Sequence&) { return ++guesses > 0; },
        [&](const Sequence&) { return ++guesses == 0; },
        [&](const Sequence&) { return ++guesses % 2 == 0; },
    };
    for (int round = 0; round < 60; ++round) {
        const Length width = dice.draw(12, 20);
        const Length length = dice.draw(12, 20);
        const Customers customers =
            draw_customers(dice, 6, {1, 3}, {2, 2}, {width / 2, length / 2});
        const bool lifo = round % 4 != 0;
        LoadingOracle guided(width, length, customers, {lifo, std::size_t{1} << 20, true});
        LoadingOracle plain(width, length, customers, {lifo, std::size_t{1} << 20, true});
        LoadingOracle judge(width, length, customers, {lifo, 0, false});
        guided.set_guess(wrong_guesses[round % 3]);
        Sequence route{0, 1, 2, 3, 4, 5};
        for (int query = 0; query < 10; ++query) {
            for (std::size_t i = route.size(); i-- > 1;)
                std::swap(route[i], route[static_cast<std::size_t>(dice.draw(0, int(i)))]);
            const Sequence asked(route.begin(), route.begin() + dice.draw(3, 6));
            const Answer answer = guided.check(asked, {});
            CHECK(answer.verdict == plain.check(asked, {}).verdict);
            if (answer.verdict != Verdict::infeasible) continue;
            CHECK(judge.check(answer.core, {}).verdict == Verdict::infeasible);
            for (const std::int32_t customer : answer.core)
                CHECK(std::find(asked.begin(), asked.end(), customer) != asked.end());
        }
    }
    CHECK(guesses > 0);
}

const Customers three_bars{{{1, 1}}, {{2, 1}}, {{1, 1}}};

TEST(a_plan_pushed_together_is_a_plan_without_gaps) {
    // Read backwards, the plan has its items against the door.
    LoadingOracle oracle(4, 10, {{{4, 3}}, {{4, 2}}, {{2, 2}, {2, 1}}}, {true, 0, false});
    for (const Sequence& route : {Sequence{0, 1, 2}, Sequence{2, 1, 0}, Sequence{1, 2}}) {
        const Answer answer = oracle.check(route, {});
        const Layout pushed = oracle.pushed_together(route, answer.layout);
        CHECK(pushed.back().front().y == 0);
        Length top = 0;
        for (std::size_t stop = 0; stop < route.size(); ++stop)
            top = std::max(top, pushed[stop][0].y);
        CHECK(top <= 5);
    }
    TinyProblems dice(16);
    for (int round = 0; round < 200; ++round) {
        Problem problem = dice.next();
        Customers customers(problem.stops.rbegin(), problem.stops.rend());
        Sequence route(customers.size());
        std::iota(route.begin(), route.end(), 0);
        const bool lifo = round % 2 == 0;
        LoadingOracle any(problem.width, problem.length, customers, {lifo, 0, false});
        Answer answer = any.check(route, {});
        if (answer.verdict != Verdict::feasible) continue;
        const Layout before = answer.layout;
        answer.layout = any.pushed_together(route, before);
        check_plan(customers, problem.width, problem.length, route, lifo, answer);
        for (std::size_t stop = 0; stop < before.size(); ++stop) {
            for (std::size_t i = 0; i < before[stop].size(); ++i) {
                CHECK(answer.layout[stop][i].x <= before[stop][i].x);
                CHECK(answer.layout[stop][i].y <= before[stop][i].y);
            }
        }
    }
}

TEST(stages_tell_where_an_answer_came_from) {
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
    CHECK(statistics.decided_infeasible == 1);
    CHECK(statistics.decided_feasible == 0);
    CHECK(statistics.decided_unknown == 0);
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

TEST(senseless_input_is_refused) {
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

TEST(an_unknown_is_not_kept) {
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

TEST(threads_may_share_an_oracle) {
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

TEST(only_answers_that_were_worked_out_count_as_decided) {
    LoadingOracle oracle(2, 2, three_bars, {});
    oracle.check(Sequence{}, {});         // trivial
    oracle.check(Sequence{0, 2, 1}, {});  // feasible, worked out
    oracle.check(Sequence{0, 2}, {});     // a part of a feasible route
    oracle.check(Sequence{0, 1, 2}, {});  // infeasible, worked out
    const Statistics statistics = oracle.statistics();
    CHECK(statistics.queries == 4);
    CHECK(statistics.feasible == 3);
    CHECK(statistics.decided_feasible == 1);
    CHECK(statistics.decided_infeasible == 1);
    CHECK(statistics.decided_unknown == 0);
}

TEST(queries_are_kept_as_asked_until_they_are_taken) {
    LoadingOracle oracle(2, 2, three_bars, {});
    oracle.check(Sequence{1}, {});  // before recording: not kept
    oracle.record_queries(true);
    Effort effort;
    effort.max_nodes = 500;
    const Answer first = oracle.check(Sequence{2, 1, 0}, effort);
    oracle.check(Sequence{0, 1, 2}, {});
    CHECK(throws<std::out_of_range>([&] { oracle.check(Sequence{3}, {}); }));
    oracle.clear();  // what was asked has been asked
    oracle.record_queries(false);
    oracle.check(Sequence{1}, {});  // after recording: not kept
    const std::vector<Query> queries = oracle.take_queries();
    CHECK(queries.size() == 2);
    CHECK((queries[0].route == Sequence{2, 1, 0}));
    CHECK(queries[0].verdict == Verdict::infeasible);
    CHECK(queries[0].stage == first.stage);
    CHECK(queries[0].nodes == first.nodes);
    CHECK(queries[0].seconds == first.seconds);
    CHECK(queries[0].max_nodes == 500);
    CHECK((queries[1].route == Sequence{0, 1, 2}));
    CHECK(queries[1].stage == Stage::cache);
    CHECK(queries[1].max_nodes == -1);
    CHECK(oracle.take_queries().empty());
}

TEST(an_unknown_is_recorded_too) {
    TinyProblems dice(15);
    const Problem problem = sawn_floor(dice, 20, 40, 40);
    LoadingOracle oracle(20, 40, {problem.stops.begin(), problem.stops.end()}, {});
    Sequence route;
    for (std::size_t stop = problem.stops.size(); stop-- > 0;)
        route.push_back(static_cast<std::int32_t>(stop));
    oracle.record_queries(true);
    Effort effort;
    effort.max_nodes = 0;
    const Answer answer = oracle.check(route, effort);
    CHECK(answer.verdict == Verdict::unknown);
    CHECK(oracle.statistics().decided_unknown == 1);
    const std::vector<Query> queries = oracle.take_queries();
    CHECK(queries.size() == 1);
    CHECK(queries.front().verdict == Verdict::unknown);
    CHECK(queries.front().stage == Stage::limit);
    CHECK(queries.front().max_nodes == 0);
}

TEST(no_query_is_lost_or_doubled_between_threads) {
    LoadingOracle oracle(2, 2, three_bars, {});
    oracle.record_queries(true);
    std::vector<std::thread> threads;
    std::vector<std::size_t> taken(4, 0);
    for (std::size_t thread = 0; thread < taken.size(); ++thread) {
        threads.emplace_back([&, thread] {
            for (int i = 0; i < 100; ++i) {
                oracle.check(Sequence{1, 0, 2}, {});
                if (i % 7 == 0) taken[thread] += oracle.take_queries().size();
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    std::size_t total = oracle.take_queries().size();
    for (const std::size_t count : taken) total += count;
    CHECK(total == 400);
}

}  // namespace
