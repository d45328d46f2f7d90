// The cheapest order of every set of customers that was met.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <unordered_map>
#include <vector>

#include "route_data.hpp"
#include "true_costs.hpp"

namespace tailgate::pricing {

class RouteSets {
  public:
    RouteSets(const TrueCosts& costs, std::size_t nodes)
        : costs_(costs), keys_(nodes), marks_(nodes, 0) {
        std::mt19937_64 random(1);
        for (std::uint64_t& key : keys_) key = random();
    }

    // Keeps this order if it is the cheapest of its customers so far, of equally cheap ones the
    // first by customer numbers.
    void add(const Path& route) {
        std::uint64_t key = 0;
        for (const Node customer : route) key ^= keys_[to_index(customer)];
        const auto [found, is_new] =
            first_.try_emplace(key, static_cast<std::int32_t>(entries_.size()));
        const Money cost = costs_.of(route);
        if (!is_new) {
            for (std::int32_t at = found->second; at >= 0;) {
                Entry& entry = entries_[to_index(at)];
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

    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    // By cost, then by customer numbers. Empties the collection.
    [[nodiscard]] std::vector<Path> take() {
        std::ranges::sort(entries_, [](const Entry& a, const Entry& b) {
            return a.cost != b.cost ? a.cost < b.cost : a.order < b.order;
        });
        std::vector<Path> routes;
        routes.reserve(entries_.size());
        for (Entry& entry : entries_) routes.push_back(std::move(entry.order));
        entries_.clear();
        first_.clear();
        return routes;
    }

  private:
    struct Entry {
        Path order;
        Money cost = 0;
        std::int32_t next = -1;  // another set with the same key
    };
    [[nodiscard]] bool has_same_customers(const Path& a, const Path& b) {
        if (a.size() != b.size()) return false;
        for (const Node customer : a) marks_[to_index(customer)] = 1;
        const bool same =
            std::ranges::all_of(b, [&](Node customer) { return marks_[to_index(customer)] != 0; });
        for (const Node customer : a) marks_[to_index(customer)] = 0;
        return same;
    }

    const TrueCosts& costs_;
    std::vector<std::uint64_t> keys_;  // by node; the key of a set combines those of its customers
    std::vector<char> marks_;          // by node, all zero between calls
    std::vector<Entry> entries_;
    std::unordered_map<std::uint64_t, std::int32_t> first_;
};

}  // namespace tailgate::pricing
