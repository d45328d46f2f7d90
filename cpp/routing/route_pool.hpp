// Distinct proven routes, the best kept when there are too many.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "fleet_problem.hpp"
#include "route_key.hpp"

namespace tailgate::routing {

class RoutePool {
  public:
    RoutePool(std::size_t max_routes, Likeness likeness)
        : max_routes_(max_routes), likeness_(likeness) {}

    // `value`: of the best solution the route is part of; lower is better.
    void offer(std::size_t kind, std::span<const Place> stops, double value) {
        const auto [entry, is_new] =
            index_.try_emplace(key_of(stops, likeness_, kind), members_.size());
        if (!is_new) {
            Member& known = members_[entry->second];
            known.value = std::min(known.value, value);
            return;
        }
        members_.push_back({{kind, {stops.begin(), stops.end()}}, value, arrivals_++});
        // Sorting out is paid only once for many offers.
        if (members_.size() >= 2 * max_routes_ + 1) drop_worst();
    }
    // Best first.
    [[nodiscard]] std::vector<Route> routes() const {
        std::vector<const Member*> order;
        for (const Member& member : members_) order.push_back(&member);
        std::ranges::sort(order,
                          [](const Member* a, const Member* b) { return is_better(*a, *b); });
        order.resize(std::min(order.size(), max_routes_));
        std::vector<Route> result;
        for (const Member* member : order) result.push_back(member->route);
        return result;
    }

  private:
    struct Member {
        Route route;
        double value = 0.0;
        std::uint64_t arrival = 0;
    };
    static bool is_better(const Member& a, const Member& b) {
        return a.value != b.value ? a.value < b.value : a.arrival < b.arrival;
    }
    void drop_worst() {
        std::ranges::sort(members_, is_better);
        members_.resize(std::min(members_.size(), max_routes_));
        index_.clear();
        for (std::size_t i = 0; i < members_.size(); ++i) {
            const Route& route = members_[i].route;
            index_.emplace(key_of(route.stops, likeness_, route.kind), i);
        }
    }

    std::size_t max_routes_;
    Likeness likeness_;
    std::vector<Member> members_;
    std::unordered_map<RouteKey, std::size_t, RouteKeyHash> index_;
    std::uint64_t arrivals_ = 0;
};

}  // namespace tailgate::routing
