// Sets of small numbers as the bits of a word.
#pragma once

#include <cstddef>
#include <cstdint>

#include "problem.hpp"

namespace tailgate::packing {

inline constexpr Length word_bits = 64;

inline std::uint64_t bit(std::size_t index) {
    return std::uint64_t{1} << index;
}

// Bits `from` to `to`, without `to`.
inline std::uint64_t range(Length from, Length to) {
    return from >= to ? 0 : (~std::uint64_t{0} >> (word_bits - (to - from))) << from;
}

}  // namespace tailgate::packing
