// Verdicts by route, found again in nanoseconds and without building the route for the oracle.
#pragma once

#include <cstdint>
#include <utility>
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

    // Null if the route is not known. Valid until the next store.
    [[nodiscard]] Entry* find(const RouteKey& key) {
        Entry& entry = entries_[slot_of(key)];
        return entry.is_used ? &entry : nullptr;
    }
    void store(const RouteKey& key, packing::Verdict verdict) {
        if (2 * used_ >= entries_.size()) {
            if (entries_.size() < most_slots) {
                rebuild(2 * entries_.size(), true);
            } else {
                entries_.assign(entries_.size(), Entry{});
                used_ = 0;
            }
        }
        Entry& entry = entries_[slot_of(key)];
        if (!entry.is_used) ++used_;
        entry = {key, verdict, false, true, 0};
    }
    // After a change of effort: what was too hard may be asked again.
    void forget_unknown() { rebuild(entries_.size(), false); }

  private:
    static constexpr std::size_t first_slots = std::size_t{1} << 12;
    // 48 MB; the oracle has its own cache.
    static constexpr std::size_t most_slots = std::size_t{1} << 21;

    [[nodiscard]] std::size_t slot_of(const RouteKey& key) const {
        std::size_t slot = RouteKeyHash{}(key) & (entries_.size() - 1);
        while (entries_[slot].is_used && !(entries_[slot].key == key))
            slot = (slot + 1) & (entries_.size() - 1);
        return slot;
    }
    void rebuild(std::size_t slots, bool keep_unknown) {
        const std::vector<Entry> old = std::exchange(entries_, std::vector<Entry>(slots));
        used_ = 0;
        for (const Entry& entry : old) {
            if (!entry.is_used) continue;
            if (!keep_unknown && entry.verdict == packing::Verdict::unknown) continue;
            entries_[slot_of(entry.key)] = entry;
            ++used_;
        }
    }

    // Open addressing; the size is a power of two.
    std::vector<Entry> entries_ = std::vector<Entry>(first_slots);
    std::size_t used_ = 0;
};

}  // namespace tailgate::routing
