#include <bit>
#include <cstdlib>

#include "pricing/neighbourhoods.hpp"
#include "test.hpp"
#include "tiny_routes.hpp"

using namespace tailgate::pricing;
using namespace tailgate::tests;

namespace {

// Customers on a line, each one further from the depot.
RouteData on_a_line(std::size_t nodes) {
    RouteData data;
    data.nodes = nodes;
    for (std::size_t from = 0; from < nodes; ++from) {
        for (std::size_t to = 0; to < nodes; ++to)
            data.cost.push_back(std::abs(static_cast<double>(from) - static_cast<double>(to)));
    }
    return data;
}

// How many of the first customers a place remembers.
int count_remembered(const Neighbourhoods& neighbourhoods, Node place, Node customers) {
    int count = 0;
    for (Node customer = 1; customer <= customers; ++customer)
        count += neighbourhoods.bit(place, customer) != 0 ? 1 : 0;
    return count;
}

TEST(a_place_remembers_itself_and_its_nearest) {
    const Neighbourhoods neighbourhoods(on_a_line(8), 3);
    for (Node place = 1; place < 8; ++place) {
        Memory all = 0;
        for (Node customer = 1; customer < 8; ++customer) {
            const Memory bit = neighbourhoods.bit(place, customer);
            CHECK(bit == 0 || std::has_single_bit(bit));
            CHECK((all & bit) == 0);
            all |= bit;
            CHECK(neighbourhoods.visit(place, customer) == bit);
        }
        CHECK(std::popcount(all) == 3);
        CHECK(neighbourhoods.bit(place, place) != 0);
    }
    CHECK(neighbourhoods.bit(4, 3) != 0);
    CHECK(neighbourhoods.bit(4, 5) != 0);
    CHECK(neighbourhoods.bit(4, 2) == 0);
    // At the end of the line, both neighbours are on one side.
    CHECK(neighbourhoods.bit(7, 5) != 0);
    CHECK(neighbourhoods.bit(1, 3) != 0);
}

TEST(customers_at_the_same_spot_still_remember_themselves) {
    RouteData data = on_a_line(6);
    data.cost.assign(data.cost.size(), 0.0);
    const Neighbourhoods neighbourhoods(data, 1);
    for (Node place = 1; place < 6; ++place) {
        for (Node customer = 1; customer < 6; ++customer)
            CHECK((neighbourhoods.bit(place, customer) != 0) == (place == customer));
    }
}

TEST(a_visit_is_remembered_as_one_to_all_that_are_incompatible) {
    Neighbourhoods neighbourhoods(on_a_line(7), 3);
    neighbourhoods.set_incompatible(1, 6);
    neighbourhoods.set_incompatible(1, 2);
    CHECK(neighbourhoods.are_incompatible(1, 6) && neighbourhoods.are_incompatible(6, 1));
    CHECK(!neighbourhoods.are_incompatible(2, 6));
    for (Node place = 1; place < 7; ++place) {
        const auto bit = [&](Node customer) { return neighbourhoods.bit(place, customer); };
        CHECK(neighbourhoods.visit(place, 1) == (bit(1) | bit(2) | bit(6)));
        CHECK(neighbourhoods.visit(place, 6) == (bit(6) | bit(1)));
        CHECK(neighbourhoods.visit(place, 2) == (bit(2) | bit(1)));
        CHECK(neighbourhoods.visit(place, 3) == bit(3));
    }
    // What is remembered only later counts, too.
    CHECK(neighbourhoods.visit(4, 6) == 0);
    CHECK(neighbourhoods.add(4, 1));
    CHECK(neighbourhoods.visit(4, 6) == neighbourhoods.bit(4, 1));
    CHECK(neighbourhoods.visit(4, 1) == neighbourhoods.bit(4, 1));
    CHECK(neighbourhoods.visit(4, 2) == neighbourhoods.bit(4, 1));
}

TEST(what_is_carried_on_is_what_both_places_remember) {
    TinyProblems dice(1);
    for (int round = 0; round < 40; ++round) {
        const std::size_t nodes = static_cast<std::size_t>(dice.draw(3, 12));
        const auto draw_node = [&] {
            return static_cast<Node>(dice.draw(1, static_cast<int>(nodes) - 1));
        };
        Neighbourhoods neighbourhoods(on_a_line(nodes), static_cast<std::size_t>(dice.draw(1, 5)));
        for (int i = 0; i < 6; ++i) neighbourhoods.add(draw_node(), draw_node());
        const Node from = draw_node();
        const Node to = draw_node();
        Memory memory = 0;
        Memory expected = 0;
        for (Node customer = 1; customer < static_cast<Node>(nodes); ++customer) {
            if (dice.draw(0, 1) == 0 || neighbourhoods.bit(from, customer) == 0) continue;
            memory |= neighbourhoods.bit(from, customer);
            expected |= neighbourhoods.bit(to, customer);
        }
        CHECK(neighbourhoods.carried(memory, from, to) == expected);
        CHECK(neighbourhoods.carried(memory, from, from) == memory);
    }
}

TEST(a_customer_is_added_once) {
    Neighbourhoods neighbourhoods(on_a_line(9), 2);
    const Memory before = neighbourhoods.bit(2, 2);
    CHECK(neighbourhoods.bit(2, 8) == 0);
    CHECK(neighbourhoods.add(2, 8));
    CHECK(std::has_single_bit(neighbourhoods.bit(2, 8)));
    CHECK(count_remembered(neighbourhoods, 2, 8) == 3);
    CHECK(!neighbourhoods.add(2, 8));
    CHECK(count_remembered(neighbourhoods, 2, 8) == 3);
    CHECK(neighbourhoods.bit(2, 2) == before);
    CHECK(neighbourhoods.bit(8, 2) == 0);
}

TEST(a_full_memory_takes_nobody_more) {
    constexpr Node customers = 70;
    Neighbourhoods neighbourhoods(on_a_line(customers + 1), 60);
    CHECK(count_remembered(neighbourhoods, 1, customers) == 60);
    for (Node customer = 61; customer <= 64; ++customer) CHECK(neighbourhoods.add(1, customer));
    CHECK(!neighbourhoods.add(1, 65));
    CHECK(count_remembered(neighbourhoods, 1, customers) == 64);
    CHECK(neighbourhoods.bit(1, 65) == 0);
    Memory all = 0;
    for (Node customer = 1; customer <= customers; ++customer)
        all |= neighbourhoods.bit(1, customer);
    CHECK(all == ~Memory{0});
    CHECK(neighbourhoods.carried(all, 1, 1) == all);
    // More than fit are never asked for.
    const Neighbourhoods large(on_a_line(customers + 1), 100);
    for (Node place = 1; place <= customers; ++place) {
        CHECK(count_remembered(large, place, customers) == 64);
        CHECK(large.bit(place, place) != 0);
    }
    const Neighbourhoods everybody(on_a_line(4), 100);
    CHECK(count_remembered(everybody, 2, 3) == 3);
}

}  // namespace
