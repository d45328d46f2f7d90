// Which customers a walk remembers where (the ng relaxation of Baldacci, Mingozzi and Roberti
// 2011).
//
// A walk at customer v remembers those of its customers that lie in the neighbourhood of v and of
// all customers passed since. It may not visit what it remembers. A memory is a set of bits whose
// meaning depends on where the walk stands, so there is no limit on the number of customers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "route_data.hpp"

namespace tailgate::pricing {

using Memory = std::uint64_t;

class Neighbourhoods {
  public:
    // The nearest customers of each, itself among them.
    Neighbourhoods(const RouteData& data, std::size_t size)
        : nodes_(data.nodes),
          members_(nodes_),
          bits_(nodes_ * nodes_, 0),
          visits_(nodes_ * nodes_, 0),
          incompatible_(nodes_ * nodes_, 0),
          has_incompatible_(nodes_, 0),
          plain_bits_(nodes_, 0) {
        std::vector<Node> nearest(nodes_ - 1);
        for (Node place = 1; place < static_cast<Node>(nodes_); ++place) {
            std::iota(nearest.begin(), nearest.end(), Node{1});
            std::ranges::sort(nearest, [&](Node a, Node b) {
                const double to_a = a == place ? -1.0 : nearness(data, place, a);
                const double to_b = b == place ? -1.0 : nearness(data, place, b);
                return to_a != to_b ? to_a < to_b : a < b;
            });
            const std::size_t count = std::min({size, nearest.size(), bits_in_memory});
            for (std::size_t i = 0; i < count; ++i) add(place, nearest[i]);
        }
    }

    // The two never share a route: a visit to the one is remembered as one to the other.
    void set_incompatible(Node a, Node b) {
        const auto mark = [&](Node one, Node other) {
            incompatible_[to_index(one) * nodes_ + to_index(other)] = 1;
            has_incompatible_[to_index(one)] = 1;
            for (std::size_t place = 1; place < nodes_; ++place) {
                const std::size_t row = place * nodes_;
                visits_[row + to_index(one)] |= bits_[row + to_index(other)];
                plain_bits_[place] &= ~bits_[row + to_index(one)];
            }
        };
        mark(a, b);
        mark(b, a);
    }
    [[nodiscard]] bool are_incompatible(Node a, Node b) const {
        return incompatible_[to_index(a) * nodes_ + to_index(b)];
    }

    // The bit of `customer` in memories at `place`; 0 if it is not remembered there.
    [[nodiscard]] Memory bit(Node place, Node customer) const {
        return bits_[to_index(place) * nodes_ + to_index(customer)];
    }
    // What a walk that has been at `customer` must remember of it at `place`.
    [[nodiscard]] Memory visit(Node place, Node customer) const {
        return visits_[to_index(place) * nodes_ + to_index(customer)];
    }
    // A memory at `from`, as far as it is kept at `to`.
    [[nodiscard]] Memory carried(Memory memory, Node from, Node to) const {
        Memory result = 0;
        const auto& members = members_[to_index(from)];
        const Memory* bits_there = &bits_[to_index(to) * nodes_];
        for (; memory != 0; memory &= memory - 1) {
            const auto lowest = to_index(__builtin_ctzll(memory));
            result |= bits_there[to_index(members[lowest])];
        }
        return result;
    }

    // The bits at `place` of customers who are compatible with everybody: only a visit to them is
    // remembered by these.
    [[nodiscard]] Memory plain_bits(Node place) const { return plain_bits_[to_index(place)]; }

    // Makes walks remember `customer` at `place`; false if they do so already or the memory is
    // full.
    bool add(Node place, Node customer) {
        auto& members = members_[to_index(place)];
        if (bit(place, customer) != 0 || members.size() == bits_in_memory) return false;
        const Memory added = Memory{1} << members.size();
        members.push_back(customer);
        const std::size_t row = to_index(place) * nodes_;
        bits_[row + to_index(customer)] = added;
        visits_[row + to_index(customer)] |= added;
        if (has_incompatible_[to_index(customer)] == 0) plain_bits_[to_index(place)] |= added;
        for (std::size_t other = 1; other < nodes_; ++other) {
            if (are_incompatible(customer, static_cast<Node>(other))) visits_[row + other] |= added;
        }
        return true;
    }

  private:
    static constexpr std::size_t bits_in_memory = 64;

    // A walk that comes back to a place may take either direction.
    static double nearness(const RouteData& data, Node a, Node b) {
        return std::min(data.cost_between(a, b), data.cost_between(b, a));
    }

    std::size_t nodes_;
    std::vector<std::vector<Node>> members_;  // by node, in the order of their bits
    std::vector<Memory> bits_;                // by place and customer
    std::vector<Memory> visits_;              // the same, with what is incompatible
    std::vector<char> incompatible_;
    std::vector<char> has_incompatible_;  // by customer
    std::vector<Memory> plain_bits_;      // by place
};

}  // namespace tailgate::pricing
