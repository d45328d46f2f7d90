// The answer to one loading query, and the stage that gave it.
#pragma once

#include <cstdint>
#include <string_view>

#include "problem.hpp"

namespace tailgate::packing {

enum class Stage : std::uint8_t {
    trivial,
    cache,
    heredity,  // a part of a loadable route, or a route with an infeasible part
    bounds,
    dive,
    beam,
    core,  // the largest items alone do not fit
    search,
    limit,
    memory,    // the searches cannot go on within their memory
    any_order  // the same items do not fit in any order of loading
};
inline constexpr std::size_t stage_count = 11;

// As recorded queries and statistics have it.
[[nodiscard]] constexpr std::string_view stage_name(Stage stage) {
    constexpr std::string_view names[stage_count] = {"trivial", "cache",  "heredity", "bounds",
                                                     "dive",    "beam",   "core",     "search",
                                                     "limit",   "memory", "any_order"};
    return names[static_cast<std::size_t>(stage)];
}

struct Decision {
    Verdict verdict = Verdict::unknown;
    Stage stage = Stage::limit;
    std::int64_t nodes = 0;
    Layout layout;  // in the order of Problem::stops; empty unless feasible
};

}  // namespace tailgate::packing
