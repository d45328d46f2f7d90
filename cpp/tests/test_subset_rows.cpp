#include "pricing/subset_rows.hpp"
#include "test.hpp"
#include "tiny_routes.hpp"

using namespace tailgate::pricing;
using namespace tailgate::tests;

namespace {

// Customers at random, now and then the same again, as in a walk of the relaxation.
Path draw_walk(TinyProblems& dice, int customers) {
    Path walk;
    for (int length = dice.draw(0, 12); length > 0; --length)
        walk.push_back(static_cast<Node>(dice.draw(1, customers)));
    return walk;
}

Path reversed(const Path& walk) {
    return {walk.rbegin(), walk.rend()};
}

SubsetRows set_rows(const PricedRows& rows, int customers) {
    SubsetRows together(static_cast<std::size_t>(customers) + 1);
    together.set(rows);
    return together;
}

TEST(half_visits_are_forgotten_outside_the_memory) {
    const SubsetRow row{{1, 2, 3}, {1, 2, 3, 4}};
    const std::vector<Path> walks{{},           {1},          {1, 2},          {1, 4, 2},
                                  {1, 5, 2},    {1, 2, 3},    {1, 5, 2, 3},    {1, 5, 2, 5, 3},
                                  {1, 2, 1, 2}, {5, 1, 4, 3}, {1, 2, 5, 3, 1}, {4, 5, 6}};
    const std::vector<Money> expected{0, 0, 1, 1, 0, 1, 1, 0, 2, 1, 2, 0};
    const SubsetRows alone = set_rows({{row, 1}}, 6);
    for (std::size_t i = 0; i < walks.size(); ++i) CHECK(alone.cost(walks[i]) == expected[i]);
}

TEST(walks_pay_what_the_definition_says_in_both_directions) {
    TinyProblems dice(1);
    Money paid = 0;
    for (int round = 0; round < 200; ++round) {
        const int customers = dice.draw(3, 9);
        const PricedRows rows = draw_rows(dice, static_cast<std::size_t>(customers),
                                          static_cast<std::size_t>(dice.draw(0, 150)));
        const SubsetRows together = set_rows(rows, customers);
        for (int i = 0; i < 5; ++i) {
            const Path walk = draw_walk(dice, customers);
            const Money expected = penalties_of(walk, rows);
            CHECK(together.cost(walk) == expected);
            CHECK(together.cost(reversed(walk)) == expected);
            paid += expected;
        }
    }
    CHECK(paid > 10'000);
}

// A walk in two parts that meet at a customer, which belongs to the second.
TEST(two_halves_make_a_whole) {
    TinyProblems dice(2);
    for (int round = 0; round < 200; ++round) {
        const int customers = dice.draw(3, 9);
        const PricedRows rows = draw_rows(dice, static_cast<std::size_t>(customers),
                                          static_cast<std::size_t>(dice.draw(1, 150)));
        const SubsetRows together = set_rows(rows, customers);
        const Path first = draw_walk(dice, customers);
        Path second = draw_walk(dice, customers);
        if (second.empty()) second.push_back(1);
        std::vector<SubsetRows::Word> before(together.words(), 0);
        std::vector<SubsetRows::Word> after(together.words(), 0);
        Money cost = 0;
        for (const Node customer : first) cost += together.visit(customer, before.data());
        for (const Node customer : reversed(second)) cost += together.visit(customer, after.data());
        std::vector<SubsetRows::Word> carried(together.words(), 0);
        together.carry(before.data(), second.front(), carried.data());
        const Money meeting = together.both(carried.data(), after.data(), no_way);
        Path walk = first;
        walk.insert(walk.end(), second.begin(), second.end());
        CHECK(cost + meeting == penalties_of(walk, rows));
        // What is beyond the limit need not be known exactly.
        for (const Money limit : {Money{-1}, Money{0}, meeting - 1, meeting, meeting + 1}) {
            const Money answer = together.both(carried.data(), after.data(), limit);
            CHECK(meeting <= limit ? answer == meeting : answer > limit || answer == meeting);
        }
        CHECK(together.first_only(after.data(), after.data(), no_way) == 0);
        const Money only = together.first_only(before.data(), after.data(), no_way);
        const Money common = together.both(before.data(), after.data(), no_way);
        const std::vector<SubsetRows::Word> none(together.words(), 0);
        CHECK(only + common == together.first_only(before.data(), none.data(), no_way));
    }
}

TEST(rows_without_penalty_take_no_room) {
    TinyProblems dice(3);
    SubsetRows rows(10);
    CHECK(rows.words() == 0);
    PricedRows priced = draw_rows(dice, 9, 70);
    for (auto& [row, penalty] : priced) penalty = 1;
    rows.set(priced);
    CHECK(rows.words() == 2);
    for (auto& [row, penalty] : priced) penalty = 0;
    rows.set(priced);
    CHECK(rows.words() == 0);
    CHECK(rows.cost({1, 2, 3, 4, 5, 6, 7, 8, 9}) == 0);
}

}  // namespace
