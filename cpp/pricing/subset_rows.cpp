#include "subset_rows.hpp"

#include <algorithm>

namespace tailgate::pricing {

SubsetRows::SubsetRows(std::size_t nodes) : nodes_(nodes) {}

void SubsetRows::set(const std::vector<std::pair<SubsetRow, Money>>& rows) {
    std::vector<const std::pair<SubsetRow, Money>*> order;
    for (const auto& row : rows) {
        if (row.second > 0) order.push_back(&row);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return a->second > b->second; });
    words_ = (order.size() + bits_in_word - 1) / bits_in_word;
    penalties_.assign(words_ * bits_in_word, 0);
    members_.assign(words_ * nodes_, 0);
    memory_.assign(words_ * nodes_, 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto& [row, penalty] = *order[i];
        const std::size_t word = i / bits_in_word;
        const Word bit = Word{1} << (i % bits_in_word);
        penalties_[i] = penalty;
        for (const Node place : row.memory) memory_[to_index(place) * words_ + word] |= bit;
        for (const Node member : row.members) {
            members_[to_index(member) * words_ + word] |= bit;
            memory_[to_index(member) * words_ + word] |= bit;
        }
    }
}

Money SubsetRows::visit(Node customer, Word* state) const {
    const std::size_t row = to_index(customer) * words_;
    Money paid = 0;
    for (std::size_t word = 0; word < words_; ++word) {
        const Word carried = state[word] & memory_[row + word];
        const Word member = members_[row + word];
        paid += sum_of(word, carried & member, no_way);
        state[word] = carried ^ member;
    }
    return paid;
}

bool SubsetRows::carry(const Word* state, Node place, Word* kept) const {
    const std::size_t row = to_index(place) * words_;
    Word any = 0;
    for (std::size_t word = 0; word < words_; ++word) {
        kept[word] = state[word] & memory_[row + word];
        any |= kept[word];
    }
    return any != 0;
}

Money SubsetRows::cost(const Path& walk) const {
    std::vector<Word> state(words_, 0);
    Money cost = 0;
    for (const Node customer : walk) cost += visit(customer, state.data());
    return cost;
}

}  // namespace tailgate::pricing
