#include "packing/subset_sums.hpp"
#include "test.hpp"

using tailgate::packing::Length;
using tailgate::packing::SubsetSums;

namespace {

TEST(the_empty_total_is_always_there) {
    const SubsetSums sums(10);
    CHECK(sums.contains(0));
    CHECK(!sums.contains(1));
    CHECK(sums.floor(0) == 0);
    CHECK(sums.floor(10) == 0);
    CHECK(sums.limit() == 10);
}

TEST(each_value_is_used_once) {
    SubsetSums sums(20);
    sums.add(3);
    sums.add(5);
    for (Length total = 0; total <= 20; ++total) {
        const bool expected = total == 0 || total == 3 || total == 5 || total == 8;
        CHECK(sums.contains(total) == expected);
    }
    sums.add(3);
    CHECK(sums.contains(6));
    CHECK(sums.contains(11));
    CHECK(!sums.contains(9));
}

TEST(totals_above_the_limit_are_dropped) {
    SubsetSums sums(10);
    sums.add(7);
    sums.add(6);
    sums.add(11);
    CHECK(sums.floor(10) == 7);
    CHECK(sums.contains(6));
    sums.add(4);
    CHECK(sums.contains(10));
    CHECK(sums.floor(10) == 10);
}

TEST(word_borders_are_crossed) {
    // Around multiples of 64 shifts have no bits, no words, or both.
    for (const Length value : {1, 63, 64, 65, 127, 128, 129, 200}) {
        SubsetSums sums(300);
        sums.add(value);
        sums.add(64);
        CHECK(sums.contains(value));
        CHECK(sums.contains(64));
        CHECK(sums.contains(value + 64));
        CHECK(sums.floor(300) == value + 64);
        CHECK(sums.floor(value + 63) == (value > 64 ? value : 64));
    }
}

TEST(floor_is_the_largest_total_within_the_cap) {
    SubsetSums sums(191);
    for (const Length value : {17, 40, 91}) sums.add(value);
    for (Length cap = 0; cap <= 191; ++cap) {
        Length expected = cap;
        while (!sums.contains(expected)) --expected;
        CHECK(sums.floor(cap) == expected);
    }
}

TEST(a_limit_at_a_word_border_keeps_its_last_bit) {
    for (const Length limit : {0, 1, 62, 63, 64, 127, 128}) {
        SubsetSums sums(limit);
        for (Length i = 0; i < limit; ++i) sums.add(1);
        CHECK(sums.contains(limit));
        CHECK(sums.floor(limit) == limit);
        sums.add(1);
        CHECK(sums.floor(limit) == limit);
    }
}

}  // namespace
