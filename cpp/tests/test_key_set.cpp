#include <array>
#include <cstring>

#include "packing/key_set.hpp"
#include "test.hpp"

using namespace tailgate::packing;

namespace {

constexpr std::size_t plenty = std::size_t{1} << 24;

using TwoWords = std::array<std::uint8_t, 2 * KeySet::word>;

TwoWords key_of(std::uint64_t number) {
    TwoWords key{};
    std::memcpy(key.data(), &number, sizeof(number));
    return key;
}

TEST(what_was_inserted_is_found_and_nothing_else) {
    KeySet keys(plenty);
    CHECK(keys.empty());
    for (std::uint64_t number = 0; number < 5'000; number += 2) CHECK(keys.insert(key_of(number)));
    for (std::uint64_t number = 0; number < 5'000; ++number)
        CHECK(keys.contains(key_of(number)) == (number % 2 == 0));
    CHECK(!keys.insert(key_of(42)));
    CHECK(!keys.empty());
    CHECK(!keys.is_full());
}

TEST(a_key_is_not_its_beginning) {
    KeySet keys(plenty);
    const TwoWords key = key_of(7);
    keys.insert(key);
    CHECK(!keys.contains(KeySet::Key(key).first(KeySet::word)));
}

TEST(when_full_it_says_so_and_keeps_what_it_has) {
    KeySet keys(10'000);
    std::uint64_t number = 0;
    for (; !keys.is_full(); ++number) CHECK(keys.insert(key_of(number)));
    CHECK(number > 50);
    CHECK(number < 1'000);
    CHECK(keys.bytes() <= 20'000);  // arrays grow in steps
    CHECK(!keys.contains(key_of(number - 1)));
    for (std::uint64_t kept = 0; kept + 1 < number; ++kept) CHECK(keys.contains(key_of(kept)));
}

}  // namespace
