// Skylines from which the rest is known not to fit.
#pragma once

#include <cstdint>
#include <vector>

#include "key_set.hpp"
#include "skyline.hpp"

namespace tailgate::packing {

class FailedStates {
  public:
    FailedStates(Length floor_width, Length floor_length, std::size_t max_bytes);

    // `remaining` says what remains to be loaded. A skyline and its mirror image are the same.
    [[nodiscard]] bool contains(std::int32_t remaining, const Skyline& skyline);
    // Was it new? When memory is used up a state is forgotten and counts as new.
    bool insert(std::int32_t remaining, const Skyline& skyline);

    [[nodiscard]] std::size_t bytes() const { return keys_.bytes(); }

  private:
    [[nodiscard]] KeySet::Key key_of(std::int32_t remaining, const Skyline& skyline);
    template <typename Write>
    void write_steps(const Skyline& skyline, Write write) const;

    Length floor_width_;
    bool in_bytes_;  // every coordinate fits into a byte
    KeySet keys_;
    std::vector<std::uint8_t> key_;
};

}  // namespace tailgate::packing
