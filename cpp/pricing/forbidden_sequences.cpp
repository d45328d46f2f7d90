#include "forbidden_sequences.hpp"

#include <algorithm>
#include <limits>

namespace tailgate::pricing {

ForbiddenSequences::ForbiddenSequences(std::size_t nodes, bool ordered)
    : ordered_(ordered), nodes_(nodes), roots_(nodes, -1) {}

void ForbiddenSequences::clear() {
    roots_.assign(nodes_, -1);
    trie_.clear();
    size_ = 0;
}

void ForbiddenSequences::add(const Path& sequence) {
    if (sequence.empty()) return;
    ++size_;
    if (ordered_) {
        insert(sequence);
        insert({sequence.rbegin(), sequence.rend()});
        return;
    }
    // Any of its customers may be the last to come.
    for (std::size_t last = 0; last < sequence.size(); ++last) {
        Path others = sequence;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(last));
        std::sort(others.begin(), others.end());
        others.insert(others.begin(), sequence[last]);
        insert(others);
    }
}

void ForbiddenSequences::insert(const Path& from_last_to_first) {
    std::int32_t* link = &roots_[static_cast<std::size_t>(from_last_to_first.front())];
    for (std::size_t i = 0; i < from_last_to_first.size(); ++i) {
        while (*link >= 0 &&
               trie_[static_cast<std::size_t>(*link)].customer != from_last_to_first[i])
            link = &trie_[static_cast<std::size_t>(*link)].sibling;
        if (*link < 0) {
            *link = static_cast<std::int32_t>(trie_.size());
            const std::int32_t created = *link;
            trie_.push_back(
                {from_last_to_first[i], false, -1, -1});  // may move what link points to
            TrieNode& node = trie_[static_cast<std::size_t>(created)];
            if (i + 1 == from_last_to_first.size()) node.ends = true;
            link = &node.child;
            continue;
        }
        TrieNode& node = trie_[static_cast<std::size_t>(*link)];
        if (i + 1 == from_last_to_first.size()) node.ends = true;
        link = &node.child;
    }
}

bool ForbiddenSequences::matches(std::int32_t trie_node, std::int32_t before,
                                 const std::vector<std::int32_t>& positions) const {
    const TrieNode& node = trie_[static_cast<std::size_t>(trie_node)];
    if (node.ends) return true;
    for (std::int32_t child = node.child; child >= 0;
         child = trie_[static_cast<std::size_t>(child)].sibling) {
        const Node customer = trie_[static_cast<std::size_t>(child)].customer;
        const std::int32_t position = positions[static_cast<std::size_t>(customer)];
        if (position < 0 || (ordered_ && position >= before)) continue;
        if (matches(child, position, positions)) return true;
    }
    return false;
}

bool ForbiddenSequences::forbids(const std::vector<std::int32_t>& positions, Node last) const {
    const std::int32_t root = roots_[static_cast<std::size_t>(last)];
    return root >= 0 && matches(root, std::numeric_limits<std::int32_t>::max(), positions);
}

bool ForbiddenSequences::forbids(const Path& route) const {
    std::vector<std::int32_t> positions(nodes_, -1);
    for (std::size_t i = 0; i < route.size(); ++i) {
        if (forbids(positions, route[i])) return true;
        positions[static_cast<std::size_t>(route[i])] = static_cast<std::int32_t>(i);
    }
    return false;
}

}  // namespace tailgate::pricing
