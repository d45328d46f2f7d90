#include "forbidden_sequences.hpp"

#include <algorithm>
#include <bit>

namespace tailgate::pricing {

namespace {

// To count bits takes one instruction where the processor has it, and a dozen anywhere else. The
// program is made for all processors of the family: it asks which one it is on.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__POPCNT__)
#define TAILGATE_ASKS_FOR_POPCNT 1
#define TAILGATE_WITH_POPCNT __attribute__((target("popcnt")))
#define TAILGATE_INLINE __attribute__((always_inline)) inline
const bool has_popcnt = [] {
    __builtin_cpu_init();
    return __builtin_cpu_supports("popcnt") != 0;
}();
#else
#define TAILGATE_INLINE inline
#endif

bool is_before(Node a, Node b) {
    return Visits::mark_index(a) != Visits::mark_index(b)
               ? Visits::mark_index(a) < Visits::mark_index(b)
               : a < b;
}

}  // namespace

ForbiddenSequences::ForbiddenSequences(std::size_t nodes, bool ordered)
    : ordered_(ordered), nodes_(nodes), sequences_(nodes, true), sets_(nodes, false) {}

void ForbiddenSequences::clear() {
    sequences_ = Trie(nodes_, true);
    sets_ = Trie(nodes_, false);
    size_ = 0;
}

void ForbiddenSequences::add(const Path& sequence) {
    if (!ordered_) {
        add_set(sequence);
        return;
    }
    if (sequence.empty()) return;
    ++size_;
    sequences_.insert(sequence);
    sequences_.insert({sequence.rbegin(), sequence.rend()});
}

void ForbiddenSequences::add_set(const Path& customers) {
    if (customers.empty()) return;
    ++size_;
    // Any of them may be the last to come.
    for (std::size_t last = 0; last < customers.size(); ++last) {
        Path others = customers;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(last));
        std::sort(others.begin(), others.end());
        others.insert(others.begin(), customers[last]);
        sets_.insert(others);
    }
}

// The reference holds until the next call.
ForbiddenSequences::Trie::TrieNode& ForbiddenSequences::Trie::child(TrieNode& parent,
                                                                    Node customer) {
    const auto count = to_index(parent.children);
    auto first = to_index(parent.first_child);
    std::size_t place = 0;
    for (; place < count && is_before(trie_[first + place].customer, customer); ++place) {
    }
    if (place < count && trie_[first + place].customer == customer) return trie_[first + place];
    ++parent.children;
    parent.marks |= Visits::mark(customer);
    if ((count & (count - 1)) == 0) {
        const std::size_t larger = trie_.size();
        parent.first_child = static_cast<std::int32_t>(larger);
        // The parent may move with the others: it is not touched from here on.
        trie_.resize(larger + std::max<std::size_t>(1, 2 * count));
        for (std::size_t i = 0; i < count; ++i) trie_[larger + i] = trie_[first + i];
        first = larger;
    }
    for (std::size_t i = count; i > place; --i) trie_[first + i] = trie_[first + i - 1];
    trie_[first + place] = {};
    trie_[first + place].customer = customer;
    return trie_[first + place];
}

void ForbiddenSequences::Trie::insert(const Path& from_last_to_first) {
    TrieNode* node = &roots_[to_index(from_last_to_first.front())];
    for (std::size_t i = 1; i < from_last_to_first.size(); ++i)
        node = &child(*node, from_last_to_first[i]);
    node->ends = true;
}

// Does the path, or its part up to the place `before`, contain what leads on from this node to an
// end? `matches` answers it for the children.
template <typename Matches>
TAILGATE_INLINE bool ForbiddenSequences::Trie::matches_here(const TrieNode& node,
                                                            std::int32_t before,
                                                            const Visits& visits,
                                                            const Matches& matches) const {
    if (node.ends) return true;
    Visits::Marks common = node.marks & visits.marks(before);
    if (common == 0) return false;
    const TrieNode* children = trie_.data() + node.first_child;
    const bool one_for_each_mark = node.children == std::popcount(node.marks);
    for (std::int32_t i = 0;; ++i) {
        // One child for each mark: no need to look at the others.
        if (one_for_each_mark) {
            if (common == 0) return false;
            i = std::popcount(node.marks & ((common & -common) - 1));
            common &= common - 1;
        } else if (i == node.children) {
            return false;
        }
        const TrieNode& child = children[i];
        const std::int32_t position = visits.position(child.customer);
        if (position >= 0 && position < before && matches(child, ordered_ ? position : before))
            return true;
    }
}

bool ForbiddenSequences::Trie::matches(const TrieNode& node, std::int32_t before,
                                       const Visits& visits) const {
    return matches_here(node, before, visits, [&](const TrieNode& child, std::int32_t position) {
        return matches(child, position, visits);
    });
}

#ifdef TAILGATE_ASKS_FOR_POPCNT
TAILGATE_WITH_POPCNT bool ForbiddenSequences::Trie::matches_counting_in_hardware(
    const TrieNode& node, std::int32_t before, const Visits& visits) const {
    return matches_here(node, before, visits, [&](const TrieNode& child, std::int32_t position) {
        return matches_counting_in_hardware(child, position, visits);
    });
}
#endif

bool ForbiddenSequences::Trie::forbids(const Visits& before, Node last) const {
    const TrieNode& root = roots_[to_index(last)];
    const auto count = static_cast<std::int32_t>(before.path().size());
#ifdef TAILGATE_ASKS_FOR_POPCNT
    if (has_popcnt) return matches_counting_in_hardware(root, count, before);
#endif
    return matches(root, count, before);
}

bool ForbiddenSequences::forbids(const Visits& before, Node last) const {
    return (ordered_ && sequences_.forbids(before, last)) || sets_.forbids(before, last);
}

bool ForbiddenSequences::forbids(const Path& route) const {
    Visits visits(nodes_);
    for (const Node customer : route) {
        if (forbids(visits, customer)) return true;
        visits.push(customer);
    }
    return false;
}

}  // namespace tailgate::pricing
