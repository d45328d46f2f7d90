// Which customers a walk remembers where (the ng relaxation of Baldacci, Mingozzi and Roberti
// 2011).
//
// A walk at customer v remembers those of its customers that lie in the neighbourhood of v and of
// all customers passed since. It may not visit what it remembers. A memory is a set of bits whose
// meaning depends on where the walk stands, so there is no limit on the number of customers.
#pragma once

#include <cstdint>
#include <vector>

#include "route_data.hpp"

namespace tailgate::pricing {

using Memory = std::uint64_t;

class Neighbourhoods {
  public:
    // The nearest customers of each, itself among them.
    Neighbourhoods(const RouteData& data, std::size_t size);

    // The two never share a route: a visit to the one is remembered as one to the other.
    void set_incompatible(Node a, Node b);
    [[nodiscard]] bool are_incompatible(Node a, Node b) const {
        return incompatible_[static_cast<std::size_t>(a) * nodes_ + static_cast<std::size_t>(b)];
    }

    // The bit of `customer` in memories at `place`; 0 if it is not remembered there.
    [[nodiscard]] Memory bit(Node place, Node customer) const {
        return bits_[static_cast<std::size_t>(place) * nodes_ + static_cast<std::size_t>(customer)];
    }
    // What a walk that has been at `customer` must remember of it at `place`.
    [[nodiscard]] Memory visit(Node place, Node customer) const {
        return visits_[static_cast<std::size_t>(place) * nodes_ +
                       static_cast<std::size_t>(customer)];
    }
    // A memory at `from`, as far as it is kept at `to`.
    [[nodiscard]] Memory carried(Memory memory, Node from, Node to) const {
        Memory result = 0;
        const auto& members = members_[static_cast<std::size_t>(from)];
        const Memory* bits_there = &bits_[static_cast<std::size_t>(to) * nodes_];
        for (; memory != 0; memory &= memory - 1) {
            const auto lowest = static_cast<std::size_t>(__builtin_ctzll(memory));
            result |= bits_there[static_cast<std::size_t>(members[lowest])];
        }
        return result;
    }

    // The bits at `place` of customers who are compatible with everybody: only a visit to them is
    // remembered by these.
    [[nodiscard]] Memory plain_bits(Node place) const {
        return plain_bits_[static_cast<std::size_t>(place)];
    }

    // Makes walks remember `customer` at `place`; false if they do so already or the memory is
    // full.
    bool add(Node place, Node customer);
    [[nodiscard]] std::size_t size(Node place) const {
        return members_[static_cast<std::size_t>(place)].size();
    }

  private:
    static constexpr std::size_t bits_in_memory = 64;

    std::size_t nodes_;
    std::vector<std::vector<Node>> members_;  // by node, in the order of their bits
    std::vector<Memory> bits_;                // by place and customer
    std::vector<Memory> visits_;              // the same, with what is incompatible
    std::vector<char> incompatible_;
    std::vector<char> has_incompatible_;  // by customer
    std::vector<Memory> plain_bits_;      // by place
};

}  // namespace tailgate::pricing
