#include "key_set.hpp"

#include <algorithm>
#include <cstring>

namespace tailgate::packing {

namespace {

constexpr std::size_t initial_slots = 64;
constexpr unsigned length_bits = 20;  // of Slot::place
constexpr std::uint64_t length_mask = (std::uint64_t{1} << length_bits) - 1;

std::uint64_t hash_of(KeySet::Key key) {
    std::uint64_t hash = 0x9E3779B97F4A7C15ULL ^ key.size();
    for (std::size_t i = 0; i < key.size(); i += KeySet::word) {
        std::uint64_t part = 0;
        std::memcpy(&part, key.data() + i, KeySet::word);
        hash = (hash ^ part) * 0xFF51AFD7ED558CCDULL;
        hash ^= hash >> 32;
    }
    return hash;
}

}  // namespace

std::size_t KeySet::find_slot(Key key, std::uint64_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
        const Slot& slot = slots_[i];
        if (slot.place == 0) return i;
        if (slot.hash != hash || (slot.place & length_mask) != key.size()) continue;
        if (std::equal(key.begin(), key.end(), keys_.begin() + (slot.place >> length_bits)))
            return i;
    }
}

bool KeySet::contains(Key key) const {
    return used_ > 0 && slots_[find_slot(key, hash_of(key))].place != 0;
}

bool KeySet::insert(Key key) {
    const std::uint64_t hash = hash_of(key);
    if (slots_.empty()) slots_.resize(initial_slots);
    std::size_t slot = find_slot(key, hash);
    if (slots_[slot].place != 0) return false;
    const bool must_grow = (used_ + 1) * 2 > slots_.size();
    const std::size_t slot_bytes = slots_.size() * sizeof(Slot) * (must_grow ? 3 : 1);
    is_full_ = keys_.size() + key.size() + slot_bytes > max_bytes_ || key.size() > length_mask;
    if (is_full_) return true;
    if (must_grow) {
        grow();
        slot = find_slot(key, hash);
    }
    slots_[slot] = {hash, (static_cast<std::uint64_t>(keys_.size()) << length_bits) | key.size()};
    keys_.insert(keys_.end(), key.begin(), key.end());
    ++used_;
    return true;
}

void KeySet::grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
        if (slot.place == 0) continue;
        std::size_t i = slot.hash & mask;
        while (slots_[i].place != 0) i = (i + 1) & mask;
        slots_[i] = slot;
    }
}

}  // namespace tailgate::packing
