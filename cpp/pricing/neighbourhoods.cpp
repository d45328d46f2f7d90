#include "neighbourhoods.hpp"

#include <algorithm>
#include <numeric>

namespace tailgate::pricing {

Neighbourhoods::Neighbourhoods(const RouteData& data, std::size_t size)
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
        std::sort(nearest.begin(), nearest.end(), [&](Node a, Node b) {
            const double to_a = a == place ? -1.0 : data.cost_between(place, a);
            const double to_b = b == place ? -1.0 : data.cost_between(place, b);
            return to_a != to_b ? to_a < to_b : a < b;
        });
        const std::size_t count = std::min({size, nearest.size(), bits_in_memory});
        for (std::size_t i = 0; i < count; ++i) add(place, nearest[i]);
    }
}

bool Neighbourhoods::add(Node place, Node customer) {
    auto& members = members_[static_cast<std::size_t>(place)];
    if (bit(place, customer) != 0 || members.size() == bits_in_memory) return false;
    const Memory added = Memory{1} << members.size();
    members.push_back(customer);
    const std::size_t row = static_cast<std::size_t>(place) * nodes_;
    bits_[row + static_cast<std::size_t>(customer)] = added;
    visits_[row + static_cast<std::size_t>(customer)] |= added;
    if (has_incompatible_[static_cast<std::size_t>(customer)] == 0)
        plain_bits_[static_cast<std::size_t>(place)] |= added;
    for (std::size_t other = 1; other < nodes_; ++other) {
        if (are_incompatible(customer, static_cast<Node>(other))) visits_[row + other] |= added;
    }
    return true;
}

void Neighbourhoods::set_incompatible(Node a, Node b) {
    const auto mark = [&](Node one, Node other) {
        incompatible_[static_cast<std::size_t>(one) * nodes_ + static_cast<std::size_t>(other)] = 1;
        has_incompatible_[static_cast<std::size_t>(one)] = 1;
        for (std::size_t place = 1; place < nodes_; ++place) {
            const std::size_t row = place * nodes_;
            visits_[row + static_cast<std::size_t>(one)] |=
                bits_[row + static_cast<std::size_t>(other)];
            plain_bits_[place] &= ~bits_[row + static_cast<std::size_t>(one)];
        }
    };
    mark(a, b);
    mark(b, a);
}

}  // namespace tailgate::pricing
