// Short names for routes: 128 bits, so that two different routes never share one in practice.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "routing_problem.hpp"

namespace tailgate::routing {

struct RouteKey {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    friend bool operator==(const RouteKey&, const RouteKey&) = default;
};

struct RouteKeyHash {
    std::size_t operator()(const RouteKey& key) const {
        return static_cast<std::size_t>(key.first ^ (key.second * 0x9E3779B97F4A7C15ULL));
    }
};

// What two routes must share to get the same key.
enum class Likeness : std::uint8_t { order, order_or_reverse, members };

inline std::uint64_t scrambled(std::uint64_t value) {
    value = (value ^ (value >> 32)) * 0xD6E8FEB86659FD93ULL;
    value = (value ^ (value >> 32)) * 0xD6E8FEB86659FD93ULL;
    return value ^ (value >> 32);
}

inline RouteKey key_of(std::span<const Place> route, Likeness likeness) {
    std::uint64_t forward = route.size();
    std::uint64_t backward = route.size();
    if (likeness == Likeness::members) {
        for (const Place stop : route) {
            const auto number = static_cast<std::uint64_t>(stop);
            forward += scrambled(number + 0x9E3779B97F4A7C15ULL);
            backward += scrambled(number + 0xC2B2AE3D27D4EB4FULL);
        }
        return {forward, backward};
    }
    for (std::size_t i = 0; i < route.size(); ++i) {
        const auto ahead = static_cast<std::uint64_t>(route[i]);
        const auto behind = static_cast<std::uint64_t>(route[route.size() - 1 - i]);
        forward = scrambled(forward * 0x9E3779B97F4A7C15ULL + ahead);
        backward = scrambled(backward * 0x9E3779B97F4A7C15ULL + behind);
    }
    if (likeness == Likeness::order_or_reverse && backward < forward) std::swap(forward, backward);
    return {forward, backward};
}

// The same stops by another kind of vehicle are another route.
inline RouteKey key_of(std::span<const Place> route, Likeness likeness, std::size_t kind) {
    RouteKey key = key_of(route, likeness);
    if (kind > 0) key.first = scrambled(key.first + static_cast<std::uint64_t>(kind));
    return key;
}

}  // namespace tailgate::routing
