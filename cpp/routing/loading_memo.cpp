#include "loading_memo.hpp"

#include <utility>

namespace tailgate::routing {

namespace {

constexpr std::size_t first_slots = std::size_t{1} << 12;
constexpr std::size_t most_slots = std::size_t{1} << 21;  // 48 MB; the oracle has its own cache

}  // namespace

LoadingMemo::LoadingMemo() : entries_(first_slots) {}

std::size_t LoadingMemo::slot_of(const RouteKey& key) const {
    std::size_t slot = RouteKeyHash{}(key) & (entries_.size() - 1);
    while (entries_[slot].is_used && !(entries_[slot].key == key))
        slot = (slot + 1) & (entries_.size() - 1);
    return slot;
}

LoadingMemo::Entry* LoadingMemo::find(const RouteKey& key) {
    Entry& entry = entries_[slot_of(key)];
    return entry.is_used ? &entry : nullptr;
}

void LoadingMemo::store(const RouteKey& key, packing::Verdict verdict) {
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

void LoadingMemo::forget_unknown() {
    rebuild(entries_.size(), false);
}

void LoadingMemo::rebuild(std::size_t slots, bool keep_unknown) {
    const std::vector<Entry> old = std::exchange(entries_, std::vector<Entry>(slots));
    used_ = 0;
    for (const Entry& entry : old) {
        if (!entry.is_used) continue;
        if (!keep_unknown && entry.verdict == packing::Verdict::unknown) continue;
        entries_[slot_of(entry.key)] = entry;
        ++used_;
    }
}

}  // namespace tailgate::routing
