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
    explicit SubsetSums(Length limit)
        : limit_(limit),
          mask_(~std::uint64_t{0} >> (63 - limit % 64)),
          more_(to_index(limit) / 64) {}

    void add(Length value) {
        if (value > limit_) return;
        if (more_.empty()) {  // the benchmark's floors: one word, no loop
            first_ = (first_ | (first_ << value)) & mask_;
            return;
        }
        const auto shift = to_index(value) / 64;
        const auto bits = static_cast<unsigned>(value) % 64;
        for (std::size_t to = more_.size() + 1; to-- > shift;) {
            std::uint64_t moved = word(to - shift) << bits;
            if (bits != 0 && to > shift) moved |= word(to - shift - 1) >> (64 - bits);
            word(to) |= moved;
        }
        more_.back() &= mask_;
    }

    // Either of the two, where both are lengths.
    void add_one_of(Length one, Length other) {
        if (other <= 0) return add(one);
        SubsetSums with_other = *this;
        with_other.add(other);
        add(one);
        first_ |= with_other.first_;
        for (std::size_t i = 0; i < more_.size(); ++i) more_[i] |= with_other.more_[i];
    }

    [[nodiscard]] bool contains(Length value) const {
        return ((word(to_index(value) / 64) >> (value % 64)) & 1U) != 0;
    }

    // The largest total that is at most `cap` (0 <= cap <= limit).
    [[nodiscard]] Length floor(Length cap) const {
        auto index = to_index(cap) / 64;
        std::uint64_t bits = word(index) & (~std::uint64_t{0} >> (63 - cap % 64));
        while (bits == 0) bits = word(--index);
        return static_cast<Length>(index * 64 + 63 - to_index(std::countl_zero(bits)));
    }

    [[nodiscard]] Length limit() const { return limit_; }

    // target |= these totals << shift, cut off at the end of target
    void add_shifted_to(std::span<std::uint64_t> target, Length shift) const {
        const auto words = to_index(shift) / 64;
        const auto bits = static_cast<unsigned>(shift) % 64;
        for (std::size_t i = 0; i <= more_.size() && i + words < target.size(); ++i) {
            target[i + words] |= word(i) << bits;
            if (bits != 0 && i + words + 1 < target.size())
                target[i + words + 1] |= word(i) >> (64 - bits);
        }
    }

  private:
    [[nodiscard]] std::uint64_t word(std::size_t index) const {
        return index == 0 ? first_ : more_[index - 1];
    }
    std::uint64_t& word(std::size_t index) { return index == 0 ? first_ : more_[index - 1]; }

    Length limit_;
    std::uint64_t mask_;  // of the last word
    std::uint64_t first_ = 1;
    std::vector<std::uint64_t> more_;
};

}  // namespace tailgate::packing
