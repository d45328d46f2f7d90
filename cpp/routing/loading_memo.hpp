// Verdicts by route, found again in nanoseconds and without building the route for the oracle.
#pragma once

#include <cstdint>
#include <vector>

#include "packing/problem.hpp"
#include "route_key.hpp"

namespace tailgate::routing {

class LoadingMemo {
  public:
    struct Entry {
        RouteKey key;
        packing::Verdict verdict = packing::Verdict::unknown;
        bool is_polished = false;  // no cheaper order of these stops is one step away
        bool is_used = false;
        std::uint8_t refusals = 0;  // of a set of customers: orders that were refused
    };

    LoadingMemo();

    // Null if the route is not known. Valid until the next store.
    [[nodiscard]] Entry* find(const RouteKey& key);
    void store(const RouteKey& key, packing::Verdict verdict);
    // After a change of effort: what was too hard may be asked again.
    void forget_unknown();

  private:
    [[nodiscard]] std::size_t slot_of(const RouteKey& key) const;
    void rebuild(std::size_t slots, bool keep_unknown);

    std::vector<Entry> entries_;  // open addressing; the size is a power of two
    std::size_t used_ = 0;
};

}  // namespace tailgate::routing
