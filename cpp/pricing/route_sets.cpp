#include "route_sets.hpp"

#include <algorithm>
#include <random>

namespace tailgate::pricing {

RouteSets::RouteSets(const TrueCosts& costs, std::size_t nodes)
    : costs_(costs), keys_(nodes), marks_(nodes, 0) {
    std::mt19937_64 random(1);
    for (std::uint64_t& key : keys_) key = random();
}

bool RouteSets::has_same_customers(const Path& a, const Path& b) {
    if (a.size() != b.size()) return false;
    for (const Node customer : a) marks_[static_cast<std::size_t>(customer)] = 1;
    const bool same = std::all_of(b.begin(), b.end(), [&](Node customer) {
        return marks_[static_cast<std::size_t>(customer)] != 0;
    });
    for (const Node customer : a) marks_[static_cast<std::size_t>(customer)] = 0;
    return same;
}

void RouteSets::add(const Path& route) {
    std::uint64_t key = 0;
    for (const Node customer : route) key ^= keys_[static_cast<std::size_t>(customer)];
    const auto [found, is_new] =
        first_.try_emplace(key, static_cast<std::int32_t>(entries_.size()));
    const Money cost = costs_.of(route);
    if (!is_new) {
        for (std::int32_t at = found->second; at >= 0;) {
            Entry& entry = entries_[static_cast<std::size_t>(at)];
            if (has_same_customers(entry.order, route)) {
                if (cost < entry.cost || (cost == entry.cost && route < entry.order)) {
                    entry.order = route;
                    entry.cost = cost;
                }
                return;
            }
            at = entry.next;
        }
    }
    const std::int32_t next = is_new ? -1 : found->second;
    found->second = static_cast<std::int32_t>(entries_.size());
    entries_.push_back({route, cost, next});
}

std::vector<Path> RouteSets::take() {
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
        return a.cost != b.cost ? a.cost < b.cost : a.order < b.order;
    });
    std::vector<Path> routes;
    routes.reserve(entries_.size());
    for (Entry& entry : entries_) routes.push_back(std::move(entry.order));
    entries_.clear();
    first_.clear();
    return routes;
}

}  // namespace tailgate::pricing
