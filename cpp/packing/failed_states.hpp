// Skylines from which the rest is known not to fit, kept in full, so that a hit is a proof.
#pragma once

#include <cstdint>
#include <vector>

#include "skyline.hpp"

namespace tailgate::packing {

class FailedStates {
  public:
    FailedStates(Length floor_width, Length floor_length, std::size_t max_bytes);

    // `level` says what remains to be loaded. A skyline and its mirror image are the same.
    [[nodiscard]] bool contains(std::int32_t level, const Skyline& skyline);
    // Was it new? When memory is used up a state is forgotten and counts as new.
    bool insert(std::int32_t level, const Skyline& skyline);

    [[nodiscard]] std::size_t bytes() const {
        return slots_.capacity() * sizeof(Slot) + keys_.capacity();
    }

  private:
    void write_key(std::int32_t level, const Skyline& skyline);
    template <typename Write>
    void write_steps(const Skyline& skyline, Write write) const;
    [[nodiscard]] std::size_t find_slot() const;
    void grow();

    struct Slot {
        std::uint64_t hash = 0;
        std::uint64_t place = 0;  // offset and length of the key in keys_; 0: empty
    };

    Length floor_width_;
    std::size_t max_bytes_;
    bool in_bytes_;  // every coordinate fits into a byte
    std::vector<Slot> slots_;
    std::vector<std::uint8_t> keys_;
    std::size_t used_ = 0;
    std::vector<std::uint8_t> key_;
    std::size_t key_size_ = 0;
    std::uint64_t hash_ = 0;
};

}  // namespace tailgate::packing
