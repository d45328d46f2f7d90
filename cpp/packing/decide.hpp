// One loading question, from scratch: bounds, dives in both directions, exact search.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "problem.hpp"

namespace tailgate::packing {

enum class Stage : std::uint8_t {
    trivial,
    cache,
    heredity,
    bounds,
    dive,
    beam,
    core,
    search,
    limit
};
inline constexpr std::size_t stage_count = 9;
[[nodiscard]] std::string_view stage_name(Stage stage);

struct Effort {
    std::int64_t max_nodes = -1;                      // negative: no limit
    double max_seconds = -1.0;                        // negative: no limit
    std::size_t memo_bytes = std::size_t{256} << 20;  // for failed states, both directions together
    std::function<bool()> interrupted;  // asked now and then; true gives up with `unknown`
};

struct Decision {
    Verdict verdict = Verdict::unknown;
    Stage stage = Stage::limit;
    std::int64_t nodes = 0;
    Layout layout;  // in the order of Problem::stops; empty unless feasible
};

[[nodiscard]] Decision decide(const Problem& problem, const Effort& effort);

}  // namespace tailgate::packing
