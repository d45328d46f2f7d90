#include "failed_states.hpp"

#include <cstring>

namespace tailgate::packing {

namespace {

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
      in_bytes_(floor_width < 256 && floor_length < 256),
      keys_(max_bytes) {}

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

KeySet::Key FailedStates::key_of(std::int32_t remaining, const Skyline& skyline) {
    const std::size_t most = sizeof(remaining) + skyline.size() * 2 * sizeof(Length) + KeySet::word;
    if (key_.size() < most) key_.resize(most);
    std::uint8_t* end = key_.data();
    const auto write_length = [&end](Length value) {
        std::memcpy(end, &value, sizeof(value));
        end += sizeof(value);
    };
    write_length(remaining);
    if (in_bytes_) {
        write_steps(skyline, [&end](Length value) { *end++ = static_cast<std::uint8_t>(value); });
    } else {
        write_steps(skyline, write_length);
    }
    while (to_index(end - key_.data()) % KeySet::word != 0) *end++ = 0;
    return {key_.data(), end};
}

bool FailedStates::contains(std::int32_t remaining, const Skyline& skyline) {
    return !keys_.empty() && keys_.contains(key_of(remaining, skyline));
}

bool FailedStates::insert(std::int32_t remaining, const Skyline& skyline) {
    return keys_.insert(key_of(remaining, skyline));
}

}  // namespace tailgate::packing
