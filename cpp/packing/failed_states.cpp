#include "failed_states.hpp"

#include <cstring>

namespace tailgate::packing {

namespace {

constexpr std::size_t initial_slots = 256;

void append(std::vector<std::uint8_t>& key, std::uint32_t value) {
    while (value >= 0x80) {
        key.push_back(static_cast<std::uint8_t>(value | 0x80));
        value >>= 7;
    }
    key.push_back(static_cast<std::uint8_t>(value));
}

std::uint64_t hash_of(const std::vector<std::uint8_t>& key) {
    std::uint64_t hash = 0x9E3779B97F4A7C15ULL ^ key.size();
    std::size_t i = 0;
    for (; i + 8 <= key.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, key.data() + i, 8);
        hash = (hash ^ word) * 0xFF51AFD7ED558CCDULL;
        hash ^= hash >> 32;
    }
    std::uint64_t word = 0;
    if (i < key.size()) std::memcpy(&word, key.data() + i, key.size() - i);
    hash = (hash ^ word) * 0xC4CEB9FE1A85EC53ULL;
    return hash ^ (hash >> 29);
}

// Is the mirror image of the skyline smaller than the skyline itself?
bool mirror_is_smaller(const Skyline& skyline, Length width) {
    const std::size_t count = skyline.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t j = count - 1 - i;
        if (skyline[i].height != skyline[j].height) return skyline[j].height < skyline[i].height;
        const Length right = i + 1 < count ? skyline[i + 1].x : width;
        if (right != width - skyline[j].x) return width - skyline[j].x < right;
    }
    return false;
}

}  // namespace

FailedStates::FailedStates(Length floor_width, std::size_t max_bytes)
    : floor_width_(floor_width), max_bytes_(max_bytes), slots_(initial_slots) {}

void FailedStates::encode(std::int32_t level, const Skyline& skyline) {
    key_.clear();
    append(key_, static_cast<std::uint32_t>(level));
    if (mirror_is_smaller(skyline, floor_width_)) {
        for (std::size_t i = skyline.size(); i-- > 0;) {
            append(key_, static_cast<std::uint32_t>(skyline[i].height));
            append(key_, static_cast<std::uint32_t>(floor_width_ - skyline[i].x));
        }
    } else {
        for (std::size_t i = 0; i < skyline.size(); ++i) {
            append(key_, static_cast<std::uint32_t>(skyline[i].height));
            append(key_, static_cast<std::uint32_t>(i + 1 < skyline.size() ? skyline[i + 1].x : floor_width_));
        }
    }
    hash_ = hash_of(key_);
}

std::size_t FailedStates::find_slot() const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash_ & mask;; i = (i + 1) & mask) {
        const Slot& slot = slots_[i];
        if (slot.offset_and_length == 0) return i;
        if (slot.hash != hash_) continue;
        const std::size_t length = slot.offset_and_length & 0xFFFF;
        if (length == key_.size() &&
            std::memcmp(keys_.data() + (slot.offset_and_length >> 16), key_.data(), length) == 0) {
            return i;
        }
    }
}

bool FailedStates::contains(std::int32_t level, const Skyline& skyline) {
    encode(level, skyline);
    return slots_[find_slot()].offset_and_length != 0;
}

void FailedStates::insert(std::int32_t level, const Skyline& skyline) {
    encode(level, skyline);
    if (key_.size() > 0xFFFF) return;
    if (keys_.size() + key_.size() + slots_.size() * sizeof(Slot) > max_bytes_) return;
    if ((used_ + 1) * 2 > slots_.size()) grow();
    const std::size_t slot = find_slot();
    if (slots_[slot].offset_and_length != 0) return;
    slots_[slot] = {hash_, (static_cast<std::uint64_t>(keys_.size()) << 16) | key_.size()};
    keys_.insert(keys_.end(), key_.begin(), key_.end());
    ++used_;
}

void FailedStates::grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
        if (slot.offset_and_length == 0) continue;
        std::size_t i = slot.hash & mask;
        while (slots_[i].offset_and_length != 0) i = (i + 1) & mask;
        slots_[i] = slot;
    }
}

}  // namespace tailgate::packing
