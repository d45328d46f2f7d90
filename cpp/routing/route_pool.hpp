// Distinct proven routes, the best kept when there are too many.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "route_key.hpp"

namespace tailgate::routing {

class RoutePool {
  public:
    RoutePool(std::size_t max_routes, Likeness likeness)
        : max_routes_(max_routes), likeness_(likeness) {}

    // `value`: of the best solution the route is part of; lower is better.
    void offer(std::span<const Place> route, double value);
    // Best first.
    [[nodiscard]] std::vector<std::vector<Place>> routes() const;
    [[nodiscard]] std::size_t size() const;

  private:
    struct Member {
        std::vector<Place> route;
        double value = 0.0;
        std::uint64_t arrival = 0;
    };
    static bool is_better(const Member& a, const Member& b);
    void drop_worst();

    std::size_t max_routes_;
    Likeness likeness_;
    std::vector<Member> members_;
    std::unordered_map<RouteKey, std::size_t, RouteKeyHash> index_;
    std::uint64_t arrivals_ = 0;
};

}  // namespace tailgate::routing
