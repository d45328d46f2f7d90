// Skylines from which the rest is known not to fit, in full, so that a hit is a proof.
#pragma once

#include <cstdint>
#include <vector>

#include "skyline.hpp"

namespace tailgate::packing {

class FailedStates {
  public:
    FailedStates(Length floor_width, std::size_t max_bytes);

    [[nodiscard]] bool contains(std::int32_t level, const Skyline& skyline);
    void insert(std::int32_t level, const Skyline& skyline);  // forgets silently when full

  private:
    // Writes the key of the state or of its mirror image, whichever is smaller.
    void encode(std::int32_t level, const Skyline& skyline);
    [[nodiscard]] std::size_t find_slot() const;
    void grow();

    struct Slot {
        std::uint64_t hash = 0;
        std::uint64_t offset_and_length = 0;  // 0: empty
    };

    Length floor_width_;
    std::size_t max_bytes_;
    std::vector<Slot> slots_;
    std::vector<std::uint8_t> keys_;
    std::size_t used_ = 0;
    std::vector<std::uint8_t> key_;
    std::uint64_t hash_ = 0;
};

}  // namespace tailgate::packing
