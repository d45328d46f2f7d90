// Sets of small numbers as the bits of a word.
#pragma once

#include <algorithm>
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

// The bits from which on so many follow one another.
inline std::uint64_t starts_of_runs(std::uint64_t set, Length length) {
    for (Length done = 1; done < length;) {
        const Length step = std::min(done, length - done);
        set &= set >> step;
        done += step;
    }
    return set;
}

}  // namespace tailgate::packing
