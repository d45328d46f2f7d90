// Random numbers that are the same with every compiler, unlike the distributions of <random>.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace tailgate::routing {

// SplitMix64 (Steele, Lea and Flood 2014).
class RandomStream {
  public:
    explicit RandomStream(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    // In [0, 1).
    double fraction() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
    // In 0 .. bound - 1.
    std::size_t below(std::size_t bound) {
        return static_cast<std::size_t>(fraction() * static_cast<double>(bound));
    }
    bool chance(double probability) { return fraction() < probability; }

    template <typename T>
    void shuffle(std::vector<T>& values) {
        for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
    }

  private:
    std::uint64_t state_;
};

}  // namespace tailgate::routing
