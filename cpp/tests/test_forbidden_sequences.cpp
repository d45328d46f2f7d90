#include "pricing/forbidden_sequences.hpp"
#include "test.hpp"
#include "tiny_routes.hpp"

using namespace tailgate::pricing;
using namespace tailgate::tests;

namespace {

constexpr std::size_t customers = 6;

// Every order of every set of customers.
std::vector<Path> all_orders() {
    RouteData data;
    data.nodes = customers + 1;
    data.cost.assign(data.nodes * data.nodes, 0.0);
    data.weight.assign(data.nodes, 0);
    data.area.assign(data.nodes, 0);
    return all_routes(data);
}

TEST(a_route_is_forbidden_if_it_contains_a_sequence) {
    const std::vector<Path> routes = all_orders();
    TinyProblems dice(1);
    for (int round = 0; round < 40; ++round) {
        const bool ordered = round % 2 == 0;
        ForbiddenSequences forbidden(customers + 1, ordered);
        std::vector<Path> sequences;
        for (int count = dice.draw(1, 8); count > 0; --count) {
            const int size = round % 5 == 0 ? dice.draw(1, 3) : dice.draw(2, 5);
            sequences.push_back(draw_sequence(dice, customers, static_cast<std::size_t>(size)));
            // Beginnings and ends of others share their place in the trie.
            if (dice.draw(0, 2) == 0 && sequences.back().size() > 2) {
                Path longer = sequences.back();
                sequences.push_back(Path(longer.begin() + 1, longer.end()));
                sequences.push_back(Path(longer.begin(), longer.end() - 1));
            }
        }
        for (const Path& sequence : sequences) forbidden.add(sequence);
        CHECK(forbidden.size() == sequences.size());
        for (const Path& route : routes)
            CHECK(forbidden.forbids(route) == contains_any(route, sequences, ordered));
    }
}

TEST(a_set_is_forbidden_in_every_order_beside_sequences) {
    const std::vector<Path> routes = all_orders();
    TinyProblems dice(7);
    for (int round = 0; round < 40; ++round) {
        const bool ordered = round % 4 != 0;
        ForbiddenSequences forbidden(customers + 1, ordered);
        std::vector<Path> sequences;
        std::vector<Path> sets;
        for (int count = dice.draw(1, 6); count > 0; --count) {
            const auto size = static_cast<std::size_t>(dice.draw(2, 5));
            auto& some = dice.draw(0, 1) == 0 ? sequences : sets;
            some.push_back(draw_sequence(dice, customers, size));
            if (&some == &sets)
                forbidden.add_set(some.back());
            else
                forbidden.add(some.back());
        }
        CHECK(forbidden.size() == sequences.size() + sets.size());
        for (const Path& route : routes)
            CHECK(forbidden.forbids(route) ==
                  (contains_any(route, sequences, ordered) || contains_any(route, sets, false)));
        forbidden.clear();
        CHECK(!forbidden.forbids(routes.back()));
    }
}

TEST(adding_a_customer_completes_the_sequences_that_end_with_it) {
    const std::vector<Path> routes = all_orders();
    TinyProblems dice(2);
    for (int round = 0; round < 20; ++round) {
        const bool ordered = round % 2 == 0;
        ForbiddenSequences forbidden(customers + 1, ordered);
        std::vector<Path> sequences;
        for (int count = dice.draw(1, 5); count > 0; --count) {
            sequences.push_back(
                draw_sequence(dice, customers, static_cast<std::size_t>(dice.draw(2, 4))));
            forbidden.add(sequences.back());
        }
        for (const Path& route : routes) {
            const Path before(route.begin(), route.end() - 1);
            Visits visits(customers + 1);
            for (const Node customer : before) visits.push(customer);
            bool expected = false;
            for (const Path& sequence : sequences)
                expected = expected || (contains(route, sequence, ordered) &&
                                        !contains(before, sequence, ordered));
            CHECK(forbidden.forbids(visits, route.back()) == expected);
        }
    }
}

// Beyond 64 customers some share a mark.
TEST(customers_of_any_number_are_kept_apart) {
    TinyProblems dice(3);
    constexpr std::size_t many = 200;
    int forbidden_routes = 0;
    for (int round = 0; round < 20; ++round) {
        const bool ordered = round % 2 == 0;
        const auto draw_some = [&](std::size_t size) {
            Path path = draw_sequence(dice, 9, size);
            for (Node& customer : path) customer = 1 + (customer * 32) % 193;
            return path;
        };
        ForbiddenSequences forbidden(many, ordered);
        std::vector<Path> sequences;
        for (int count = 0; count < 20; ++count) {
            sequences.push_back(draw_some(static_cast<std::size_t>(dice.draw(3, 5))));
            forbidden.add(sequences.back());
        }
        for (int i = 0; i < 200; ++i) {
            const Path route = draw_some(static_cast<std::size_t>(dice.draw(3, 7)));
            const bool expected = contains_any(route, sequences, ordered);
            CHECK(forbidden.forbids(route) == expected);
            forbidden_routes += expected;
        }
    }
    CHECK(forbidden_routes > 500 && forbidden_routes < 3'500);
}

TEST(a_path_knows_its_customers) {
    TinyProblems dice(4);
    Visits visits(150);
    Path expected;
    for (int step = 0; step < 500; ++step) {
        if (!expected.empty() && dice.draw(0, 2) == 0) {
            visits.pop();
            expected.pop_back();
        } else {
            const auto customer = static_cast<Node>(dice.draw(1, 149));
            if (visits.contains(customer)) continue;
            visits.push(customer);
            expected.push_back(customer);
        }
        CHECK(visits.path() == expected);
        Visits::Marks marks = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            CHECK(visits.position(expected[i]) == static_cast<std::int32_t>(i));
            CHECK(visits.marks(static_cast<std::int32_t>(i)) == marks);
            marks |= Visits::mark(expected[i]);
        }
        CHECK(visits.marks(static_cast<std::int32_t>(expected.size())) == marks);
    }
    visits.clear();
    CHECK(visits.path().empty() && visits.marks(0) == 0);
    for (Node customer = 1; customer < 150; ++customer) CHECK(!visits.contains(customer));
}

TEST(the_order_counts_only_where_it_is_said_to) {
    ForbiddenSequences ordered(6, true);
    ordered.add({1, 2, 3});
    CHECK(ordered.forbids({1, 2, 3}));
    CHECK(ordered.forbids({5, 1, 4, 2, 3}));
    CHECK(ordered.forbids({3, 4, 2, 1}));  // backwards
    CHECK(!ordered.forbids({2, 1, 3}));
    CHECK(!ordered.forbids({1, 3}));
    ForbiddenSequences unordered(6, false);
    unordered.add({1, 2, 3});
    CHECK(unordered.forbids({2, 4, 1, 3}));
    CHECK(!unordered.forbids({1, 2, 4}));
}

TEST(nothing_is_left_after_clearing) {
    for (const bool ordered : {true, false}) {
        ForbiddenSequences forbidden(6, ordered);
        CHECK(!forbidden.forbids({1, 2, 3}));
        forbidden.add({1, 2});
        forbidden.add({4});
        forbidden.add({});
        CHECK(forbidden.size() == 2);
        CHECK(forbidden.forbids({4}));
        forbidden.clear();
        CHECK(forbidden.size() == 0);
        CHECK(!forbidden.forbids({1, 2, 3, 4}));
        forbidden.add({3, 2});
        CHECK(forbidden.forbids({2, 3}));
        CHECK(!forbidden.forbids({1, 2}));
    }
}

}  // namespace
