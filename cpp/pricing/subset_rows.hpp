// Penalties of subset rows with a limited memory: of three customers, every second visit costs a
// penalty (Jepsen, Petersen, Spoorendonk and Pisinger 2008; Pecin, Pessoa, Poggi and Uchoa 2017).
//
// A walk that has made an odd number of visits carries half a visit along. It forgets it where it
// leaves the memory of the row. What a walk pays depends on its runs within memories only, so it
// is the same in both directions.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "route_data.hpp"

namespace tailgate::pricing {

struct SubsetRow {
    std::array<Node, 3> members{};
    Path memory;  // the places where a half visit is kept, the members among them

    bool operator==(const SubsetRow&) const = default;
};

// The rows that cost anything, all at once. The state of a walk is a set of bits: of which rows it
// carries half a visit. It lies in memory of the caller, `words()` words of it.
class SubsetRows {
  public:
    using Word = std::uint64_t;

    explicit SubsetRows(std::size_t nodes);

    // Replaces all rows. Penalties must not be negative; rows without penalty are left out.
    void set(const std::vector<std::pair<SubsetRow, Money>>& rows);

    [[nodiscard]] std::size_t words() const { return words_; }

    // What a walk in this state pays for its next visit; the state becomes the one after it.
    Money visit(Node customer, Word* state) const;

    // What of this state is kept on the way to `place`. False if it is nothing.
    bool carry(const Word* state, Node place, Word* kept) const;

    // What two walks in these states pay on meeting, or a little more than `limit` if it is more.
    [[nodiscard]] Money both(const Word* a, const Word* b, Money limit) const {
        Money sum = 0;
        for (std::size_t word = 0; word < words_; ++word) {
            if ((a[word] & b[word]) == 0) continue;
            sum += sum_of(word, a[word] & b[word], limit - sum);
            if (sum > limit) break;
        }
        return sum;
    }
    // What the first may have to pay that the second need not; again only up to `limit`.
    [[nodiscard]] Money first_only(const Word* a, const Word* b, Money limit) const {
        Money sum = 0;
        for (std::size_t word = 0; word < words_; ++word) {
            if ((a[word] & ~b[word]) == 0) continue;
            sum += sum_of(word, a[word] & ~b[word], limit - sum);
            if (sum > limit) break;
        }
        return sum;
    }

    // What a whole walk pays.
    [[nodiscard]] Money cost(const Path& walk) const;

  private:
    static constexpr std::size_t bits_in_word = 64;

    [[nodiscard]] Money sum_of(std::size_t word, Word bits, Money limit) const {
        const Money* penalties = &penalties_[word * bits_in_word];
        Money sum = 0;
        for (; bits != 0 && sum <= limit; bits &= bits - 1)
            sum += penalties[to_index(__builtin_ctzll(bits))];
        return sum;
    }

    std::size_t nodes_;
    std::size_t words_ = 0;
    std::vector<Money> penalties_;  // the largest first, so that sums pass a limit soon
    std::vector<Word> members_;     // by node
    std::vector<Word> memory_;
};

}  // namespace tailgate::pricing
