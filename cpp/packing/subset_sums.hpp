// Which totals a set of lengths can make, as a bit set.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "problem.hpp"

namespace tailgate::packing {

class SubsetSums {
  public:
    // Only totals up to `limit` are kept; the empty total 0 is always there.
    explicit SubsetSums(Length limit) : words_(static_cast<std::size_t>(limit) / 64 + 1), limit_(limit) {
        words_[0] = 1;
    }

    void add(Length value) {
        if (value > limit_) return;
        const std::size_t shift = static_cast<std::size_t>(value) / 64;
        const unsigned bits = static_cast<unsigned>(value) % 64;
        for (std::size_t to = words_.size(); to-- > shift;) {
            std::uint64_t moved = words_[to - shift] << bits;
            if (bits != 0 && to > shift) moved |= words_[to - shift - 1] >> (64 - bits);
            words_[to] |= moved;
        }
        trim();
    }

    [[nodiscard]] bool contains(Length value) const {
        return (words_[static_cast<std::size_t>(value) / 64] >> (value % 64)) & 1U;
    }

    // The largest total that is at most `cap` (0 <= cap <= limit).
    [[nodiscard]] Length floor(Length cap) const {
        std::size_t word = static_cast<std::size_t>(cap) / 64;
        std::uint64_t bits = words_[word] & (~std::uint64_t{0} >> (63 - cap % 64));
        while (bits == 0) bits = words_[--word];
        return static_cast<Length>(word * 64 + 63 - static_cast<std::size_t>(std::countl_zero(bits)));
    }

    [[nodiscard]] Length limit() const { return limit_; }
    [[nodiscard]] std::span<const std::uint64_t> words() const { return words_; }

  private:
    void trim() { words_.back() &= ~std::uint64_t{0} >> (63 - limit_ % 64); }

    std::vector<std::uint64_t> words_;
    Length limit_;
};

}  // namespace tailgate::packing
