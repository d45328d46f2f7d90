// Sequences that no route may contain, in this order but perhaps with others between: the paper's
// L-Trie.
//
// Any part of a loadable route is loadable, so a sequence that cannot be loaded rules out all that
// contain it. Under LIFO it may also be read backwards; without LIFO its order does not matter, nor
// does that of customers who do not fit in any order.
#pragma once

#include <cstdint>
#include <vector>

#include "route_data.hpp"

namespace tailgate::pricing {

// A path from the depot on, and where each of its customers is in it.
class Visits {
  public:
    explicit Visits(std::size_t nodes) : positions_(nodes, -1) {}

    void push(Node customer) {
        positions_[to_index(customer)] = static_cast<std::int32_t>(path_.size());
        path_.push_back(customer);
        marks_.push_back(marks_.back() | mark(customer));
    }
    void pop() {
        positions_[to_index(path_.back())] = -1;
        path_.pop_back();
        marks_.pop_back();
    }
    void clear() {
        while (!path_.empty()) pop();
    }
    [[nodiscard]] const Path& path() const { return path_; }
    [[nodiscard]] bool contains(Node customer) const { return position(customer) >= 0; }
    // Negative: not in the path.
    [[nodiscard]] std::int32_t position(Node customer) const {
        return positions_[to_index(customer)];
    }
    // The marks of the first customers. One whose mark is missing is not among them; beyond 64
    // customers several share a mark.
    using Marks = std::uint64_t;
    [[nodiscard]] Marks marks(std::int32_t count) const { return marks_[to_index(count)]; }
    [[nodiscard]] static std::uint32_t mark_index(Node customer) {
        return static_cast<std::uint32_t>(customer) % 64U;
    }
    [[nodiscard]] static Marks mark(Node customer) { return Marks{1} << mark_index(customer); }

  private:
    Path path_;
    std::vector<std::int32_t> positions_;
    std::vector<Marks> marks_{0};  // by length of the path
};

class ForbiddenSequences {
  public:
    ForbiddenSequences(std::size_t nodes, bool ordered);

    void add(const Path& sequence);
    // In any order.
    void add_set(const Path& customers);
    void clear();
    [[nodiscard]] std::size_t size() const { return size_; }

    // Does a path get a forbidden sequence by adding `last` to its end?
    [[nodiscard]] bool forbids(const Visits& before, Node last) const;

    [[nodiscard]] bool forbids(const Path& route) const;

  private:
    // Sequences are stored from their last customer to their first: what they forbid is found when
    // their last customer is added. Children of one trie node lie side by side, by their marks.
    // Where their place is full, which is when their number is a power of two, they move to a
    // larger one.
    class Trie {
      public:
        // `ordered`: what is looked for stands in the path in this order.
        Trie(std::size_t nodes, bool ordered) : ordered_(ordered), roots_(nodes) {}

        void insert(const Path& from_last_to_first);
        [[nodiscard]] bool forbids(const Visits& before, Node last) const;

      private:
        struct TrieNode {
            Node customer = 0;
            bool ends = false;
            std::int32_t children = 0;
            std::int32_t first_child = 0;
            Visits::Marks marks = 0;  // of the children's customers
        };
        [[nodiscard]] TrieNode& child(TrieNode& parent, Node customer);
        [[nodiscard]] bool matches(const TrieNode& node, std::int32_t before,
                                   const Visits& visits) const;
        template <typename Matches>
        [[nodiscard]] bool matches_here(const TrieNode& node, std::int32_t before,
                                        const Visits& visits, const Matches& matches) const;
        [[nodiscard]] bool matches_counting_in_hardware(const TrieNode& node, std::int32_t before,
                                                        const Visits& visits) const;

        bool ordered_;
        std::vector<TrieNode> roots_;  // by last customer
        std::vector<TrieNode> trie_;
    };

    bool ordered_;
    std::size_t nodes_;
    Trie sequences_;
    Trie sets_;
    std::size_t size_ = 0;
};

}  // namespace tailgate::pricing
