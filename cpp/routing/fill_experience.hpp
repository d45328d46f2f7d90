// How often routes could be loaded so far, by how much of the floor their items cover.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace tailgate::routing {

class FillExperience {
  public:
    // `fill`: area of the items as a share of the floor, 0 to 1.
    void learn(double fill, bool can_be_loaded) {
        Bin& bin = bins_[index_of(fill)];
        bin.asked += 1.0;
        if (can_be_loaded) bin.loaded += 1.0;
        // Older answers fade: effort and the routes that are asked for change.
        if (bin.asked < memory_length) return;
        bin.asked *= 0.5;
        bin.loaded *= 0.5;
    }
    // Share that could be loaded; one until something else is known.
    [[nodiscard]] double success_rate(double fill) const {
        const Bin& bin = bins_[index_of(fill)];
        return (bin.loaded + 1.0) / (bin.asked + 1.0);
    }

  private:
    struct Bin {
        double asked = 0.0;
        double loaded = 0.0;
    };
    static constexpr std::size_t bin_count = 40;
    static constexpr double memory_length = 200.0;
    static std::size_t index_of(double fill) {
        const double bin = fill * static_cast<double>(bin_count);
        return static_cast<std::size_t>(std::clamp(bin, 0.0, static_cast<double>(bin_count - 1)));
    }

    std::array<Bin, bin_count> bins_{};
};

}  // namespace tailgate::routing
