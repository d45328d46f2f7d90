#include "failed_states.hpp"

#include <cstring>

namespace tailgate::packing {

namespace {

constexpr std::size_t initial_slots = 64;
constexpr unsigned length_bits = 20;  // of Slot::place
constexpr std::uint64_t length_mask = (std::uint64_t{1} << length_bits) - 1;
constexpr std::size_t word = sizeof(std::uint64_t);

// Keys are padded with zeros to whole words.
std::uint64_t hash_of(const std::uint8_t* key, std::size_t size) {
    std::uint64_t hash = 0x9E3779B97F4A7C15ULL ^ size;
    for (std::size_t i = 0; i < size; i += word) {
        std::uint64_t part = 0;
        std::memcpy(&part, key + i, word);
        hash = (hash ^ part) * 0xFF51AFD7ED558CCDULL;
        hash ^= hash >> 32;
    }
    return hash;
}

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

FailedStates::FailedStates(Length floor_width, Length floor_length, std::size_t max_bytes)
    : floor_width_(floor_width),
      max_bytes_(max_bytes),
      in_bytes_(floor_width < 256 && floor_length < 256) {}

template <typename Write>
void FailedStates::write_steps(const Skyline& skyline, Write write) const {
    const std::size_t count = skyline.size();
    if (mirror_is_smaller(skyline, floor_width_)) {
        for (std::size_t i = count; i-- > 0;) {
            write(skyline[i].height);
            write(floor_width_ - skyline[i].x);
        }
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            write(skyline[i].height);
            write(i + 1 < count ? skyline[i + 1].x : floor_width_);
        }
    }
}

void FailedStates::write_key(std::int32_t level, const Skyline& skyline) {
    const std::size_t most = sizeof(level) + skyline.size() * 2 * sizeof(Length) + word;
    if (key_.size() < most) key_.resize(most);
    std::uint8_t* end = key_.data();
    const auto write_length = [&end](Length value) {
        std::memcpy(end, &value, sizeof(value));
        end += sizeof(value);
    };
    write_length(level);
    if (in_bytes_) {
        write_steps(skyline, [&end](Length value) { *end++ = static_cast<std::uint8_t>(value); });
    } else {
        write_steps(skyline, write_length);
    }
    while (static_cast<std::size_t>(end - key_.data()) % word != 0) *end++ = 0;
    key_size_ = static_cast<std::size_t>(end - key_.data());
    hash_ = hash_of(key_.data(), key_size_);
}

std::size_t FailedStates::find_slot() const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash_ & mask;; i = (i + 1) & mask) {
        const Slot& slot = slots_[i];
        if (slot.place == 0) return i;
        if (slot.hash != hash_ || (slot.place & length_mask) != key_size_) continue;
        if (std::memcmp(keys_.data() + (slot.place >> length_bits), key_.data(), key_size_) == 0)
            return i;
    }
}

bool FailedStates::contains(std::int32_t level, const Skyline& skyline) {
    if (used_ == 0) return false;
    write_key(level, skyline);
    return slots_[find_slot()].place != 0;
}

bool FailedStates::insert(std::int32_t level, const Skyline& skyline) {
    write_key(level, skyline);
    if (slots_.empty()) slots_.resize(initial_slots);
    std::size_t slot = find_slot();
    if (slots_[slot].place != 0) return false;
    const bool must_grow = (used_ + 1) * 2 > slots_.size();
    const std::size_t slot_bytes = slots_.size() * sizeof(Slot) * (must_grow ? 3 : 1);
    if (keys_.size() + key_size_ + slot_bytes > max_bytes_ || key_size_ > length_mask) return true;
    if (must_grow) {
        grow();
        slot = find_slot();
    }
    slots_[slot] = {hash_, (static_cast<std::uint64_t>(keys_.size()) << length_bits) | key_size_};
    keys_.insert(keys_.end(), key_.data(), key_.data() + key_size_);
    ++used_;
    return true;
}

void FailedStates::grow() {
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
