// Sequences that no route may contain, in this order but perhaps with others between: the paper's
// L-Trie.
//
// Loading is hereditary, so a sequence that cannot be loaded rules out all that contain it. Under
// LIFO it may also be read backwards; without LIFO its order does not matter.
#pragma once

#include <cstdint>
#include <vector>

#include "route_data.hpp"

namespace tailgate::pricing {

class ForbiddenSequences {
  public:
    ForbiddenSequences(std::size_t nodes, bool ordered);

    void add(const Path& sequence);
    void clear();
    [[nodiscard]] std::size_t size() const { return size_; }

    // Does a path get a forbidden sequence by adding `last` to its end? `positions` gives the place
    // of every customer in the path before, -1 for those outside.
    [[nodiscard]] bool forbids(const std::vector<std::int32_t>& positions, Node last) const;

    [[nodiscard]] bool forbids(const Path& route) const;

  private:
    // Sequences are stored from their last customer to their first: what they forbid is found when
    // their last customer is added. Children of one trie node are linked to each other.
    struct TrieNode {
        Node customer = 0;
        bool ends = false;
        std::int32_t child = -1;
        std::int32_t sibling = -1;
    };
    void insert(const Path& from_last_to_first);
    [[nodiscard]] bool matches(std::int32_t trie_node, std::int32_t before,
                               const std::vector<std::int32_t>& positions) const;

    bool ordered_;
    std::size_t nodes_;
    std::vector<std::int32_t> roots_;  // by last customer
    std::vector<TrieNode> trie_;
    std::size_t size_ = 0;
};

}  // namespace tailgate::pricing
