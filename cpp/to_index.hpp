// Numbers that name something as places in a container.
#pragma once

#include <concepts>
#include <cstddef>

namespace tailgate {

// Not negative.
constexpr std::size_t to_index(std::integral auto number) {
    return static_cast<std::size_t>(number);
}

}  // namespace tailgate
