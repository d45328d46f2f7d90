#include "route_pool.hpp"

#include <algorithm>

namespace tailgate::routing {

void RoutePool::offer(std::span<const Place> route, double value) {
    const auto [entry, is_new] = index_.try_emplace(key_of(route, likeness_), members_.size());
    if (!is_new) {
        Member& known = members_[entry->second];
        known.value = std::min(known.value, value);
        return;
    }
    members_.push_back({{route.begin(), route.end()}, value, arrivals_++});
    // Sorting out is paid only once for many offers.
    if (members_.size() >= 2 * max_routes_ + 1) drop_worst();
}

bool RoutePool::is_better(const Member& a, const Member& b) {
    return a.value != b.value ? a.value < b.value : a.arrival < b.arrival;
}

void RoutePool::drop_worst() {
    std::sort(members_.begin(), members_.end(), is_better);
    members_.resize(std::min(members_.size(), max_routes_));
    index_.clear();
    for (std::size_t i = 0; i < members_.size(); ++i)
        index_.emplace(key_of(members_[i].route, likeness_), i);
}

std::vector<std::vector<Place>> RoutePool::routes() const {
    std::vector<const Member*> order;
    for (const Member& member : members_) order.push_back(&member);
    std::sort(order.begin(), order.end(),
              [](const Member* a, const Member* b) { return is_better(*a, *b); });
    order.resize(size());
    std::vector<std::vector<Place>> result;
    for (const Member* member : order) result.push_back(member->route);
    return result;
}

std::size_t RoutePool::size() const {
    return std::min(members_.size(), max_routes_);
}

}  // namespace tailgate::routing
