#include "groups.hpp"

#include <algorithm>
#include <utility>

namespace tailgate::routing {

Groups::Groups(const FleetProblem& problem) {
    std::vector<Group> made;
    std::vector<std::size_t> group_of(problem.places(), none);
    const auto join = [&](const std::vector<Place>& members, bool is_head) {
        const std::size_t own = made.size();
        made.emplace_back();
        if (is_head) made[own].head = members;
        for (const Place member : members) {
            const std::size_t other = group_of[to_index(member)];
            if (other == own) continue;
            if (other == none) {
                group_of[to_index(member)] = own;
                made[own].members.push_back(member);
                continue;
            }
            for (const Place moved : made[other].members) {
                group_of[to_index(moved)] = own;
                made[own].members.push_back(moved);
            }
            if (!made[other].head.empty()) made[own].head = made[other].head;
            made[other] = {};
        }
    };
    for (const auto& head : problem.first_stops) {
        if (!head.empty()) join(head, true);
    }
    for (const auto& group : problem.groups) join(group, false);
    for (Group& group : made) {
        if (group.members.size() < 2) continue;
        std::erase_if(group.members, [&](Place member) {
            return std::ranges::find(group.head, member) != group.head.end();
        });
        group.members.insert(group.members.begin(), group.head.begin(), group.head.end());
        if (group_of_.empty()) group_of_.assign(problem.places(), none);
        for (const Place member : group.members) group_of_[to_index(member)] = all_.size();
        all_.push_back(std::move(group));
    }
}

}  // namespace tailgate::routing
