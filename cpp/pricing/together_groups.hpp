// Customers who ride on the same truck: a route visits all of a group, or none.
//
// Labels know nothing of groups, so that their bounds are those of a relaxation; paths keep them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <vector>

#include "forbidden_sequences.hpp"
#include "route_data.hpp"

namespace tailgate::pricing {

class TogetherGroups {
  public:
    TogetherGroups(std::size_t nodes, const std::vector<Path>& groups)
        : groups_(groups), of_customer_(nodes, -1) {
        for (std::size_t group = 0; group < groups_.size(); ++group) {
            for (const Node customer : groups_[group])
                of_customer_[to_index(customer)] = static_cast<std::int32_t>(group);
        }
    }

    [[nodiscard]] bool empty() const { return groups_.empty(); }

    // Does a route without repetitions visit all or none of each group?
    [[nodiscard]] bool are_whole(const Path& route) const {
        std::vector<std::size_t> visits(groups_.size(), 0);
        for (const Node customer : route) {
            const std::int32_t group = of_customer_[to_index(customer)];
            if (group >= 0) ++visits[to_index(group)];
        }
        for (std::size_t group = 0; group < groups_.size(); ++group) {
            if (visits[group] != 0 && visits[group] != groups_[group].size()) return false;
        }
        return true;
    }

    // Whom a path must still visit, for the sake of those it has visited.
    [[nodiscard]] Path missing(const Visits& visits) const {
        Path customers;
        for (const Path& group : groups_) {
            const auto is_visited = [&](Node customer) { return visits.contains(customer); };
            if (std::ranges::none_of(group, is_visited)) continue;
            std::ranges::copy_if(group, std::back_inserter(customers), std::not_fn(is_visited));
        }
        return customers;
    }

  private:
    std::vector<Path> groups_;
    std::vector<std::int32_t> of_customer_;  // -1: in none
};

}  // namespace tailgate::pricing
