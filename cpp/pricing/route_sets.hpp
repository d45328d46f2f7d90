// The cheapest order of every set of customers that was met.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "route_data.hpp"
#include "true_costs.hpp"

namespace tailgate::pricing {

class RouteSets {
  public:
    explicit RouteSets(const TrueCosts& costs, std::size_t nodes);

    // Keeps this order if it is the cheapest of its customers so far, of equally cheap ones the
    // first by customer numbers.
    void add(const Path& route);

    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    // By cost, then by customer numbers. Empties the collection.
    [[nodiscard]] std::vector<Path> take();

  private:
    struct Entry {
        Path order;
        Money cost = 0;
        std::int32_t next = -1;  // another set with the same key
    };
    [[nodiscard]] bool has_same_customers(const Path& a, const Path& b);

    const TrueCosts& costs_;
    std::vector<std::uint64_t> keys_;  // by node; the key of a set combines those of its customers
    std::vector<char> marks_;          // by node, all zero between calls
    std::vector<Entry> entries_;
    std::unordered_map<std::uint64_t, std::int32_t> first_;
};

}  // namespace tailgate::pricing
