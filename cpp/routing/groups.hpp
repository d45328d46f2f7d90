// Customers who ride together, and those with whom a vehicle begins: they enter a tour in one step.
#pragma once

#include <vector>

#include "fleet_problem.hpp"

namespace tailgate::routing {

struct Group {
    std::vector<Place> head;     // in this order, at the beginning of a tour; mostly empty
    std::vector<Place> members;  // all of them, those of the head first
};

class Groups {
  public:
    explicit Groups(const FleetProblem& problem);

    [[nodiscard]] bool is_empty() const { return all_.empty(); }
    [[nodiscard]] std::size_t count() const { return all_.size(); }
    [[nodiscard]] const Group& operator[](std::size_t index) const { return all_[index]; }
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    [[nodiscard]] std::size_t of(Place customer) const {
        return all_.empty() ? none : group_of_[to_index(customer)];
    }

  private:
    std::vector<Group> all_;
    std::vector<std::size_t> group_of_;  // by place
};

}  // namespace tailgate::routing
