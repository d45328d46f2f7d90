#include "packing/failed_states.hpp"
#include "test.hpp"

using namespace tailgate::packing;

namespace {

constexpr std::size_t plenty = std::size_t{1} << 24;

TEST(what_was_inserted_is_found_and_nothing_else) {
    FailedStates failed(20, 40, plenty);
    const Skyline skyline{{0, 5}, {7, 0}, {12, 9}};
    CHECK(!failed.contains(1, skyline));
    failed.insert(1, skyline);
    CHECK(failed.contains(1, skyline));
    CHECK(!failed.contains(2, skyline));
    CHECK(!failed.contains(1, {{0, 5}, {7, 0}, {13, 9}}));
    CHECK(!failed.contains(1, {{0, 5}, {7, 1}, {12, 9}}));
    CHECK(!failed.contains(1, {{0, 5}, {7, 0}}));
}

TEST(the_mirror_image_is_the_same_state) {
    FailedStates failed(20, 40, plenty);
    failed.insert(3, {{0, 5}, {7, 0}, {12, 9}});
    // Widths 7, 5, 8 from left to right; mirrored 8, 5, 7.
    CHECK(failed.contains(3, {{0, 9}, {8, 0}, {13, 5}}));
    CHECK(!failed.contains(3, {{0, 9}, {7, 0}, {12, 5}}));
}

TEST(symmetric_skylines_are_no_trouble) {
    FailedStates failed(10, 10, plenty);
    failed.insert(0, {{0, 2}, {3, 0}, {7, 2}});
    CHECK(failed.contains(0, {{0, 2}, {3, 0}, {7, 2}}));
    failed.insert(0, {{0, 0}});
    CHECK(failed.contains(0, {{0, 0}}));
}

TEST(large_coordinates_are_kept_apart) {
    // On floors beyond a byte or two, coordinates that agree in their low bits must not be mixed
    // up.
    FailedStates failed(1 << 14, 1 << 14, plenty);
    for (const Length height : {1, 257, 513, 8193}) failed.insert(0, {{0, height}, {100, 0}});
    for (const Length height : {1, 257, 513, 8193})
        CHECK(failed.contains(0, {{0, height}, {100, 0}}));
    for (const Length height : {0, 2, 256, 769, 8192})
        CHECK(!failed.contains(0, {{0, height}, {100, 0}}));
    CHECK(!failed.contains(0, {{0, 1}, {356, 0}}));
    CHECK(!failed.contains(256, {{0, 1}, {100, 0}}));
}

TEST(many_states_are_all_found_again) {
    FailedStates failed(200, 300, plenty);
    for (Length x = 1; x < 60; ++x) {
        for (Length height = 1; height < 60; ++height)
            failed.insert(x % 7, {{0, height}, {x, 0}, {150, height + x}});
    }
    for (Length x = 1; x < 60; ++x) {
        for (Length height = 1; height < 60; ++height) {
            CHECK(failed.contains(x % 7, {{0, height}, {x, 0}, {150, height + x}}));
            CHECK(!failed.contains(x % 7 + 7, {{0, height}, {x, 0}, {150, height + x}}));
            CHECK(!failed.contains(x % 7, {{0, height}, {x, 0}, {150, height + x + 1}}));
        }
    }
}

TEST(when_full_it_forgets_but_never_lies) {
    FailedStates failed(200, 300, 10'000);
    int kept = 0;
    for (Length x = 1; x < 190; ++x) failed.insert(0, {{0, 7}, {x, 0}});
    for (Length height = 1; height < 290; ++height) failed.insert(1, {{0, height}, {100, 0}});
    for (Length x = 1; x < 190; ++x) {
        if (failed.contains(0, {{0, 7}, {x, 0}})) ++kept;
        CHECK(!failed.contains(0, {{0, 8}, {x, 0}}));
    }
    CHECK(kept > 0);
    FailedStates nothing(200, 300, 0);
    nothing.insert(0, {{0, 1}});
    CHECK(!nothing.contains(0, {{0, 1}}));
}

}  // namespace
