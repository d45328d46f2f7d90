// The exact search: load stop after stop, dropping each item onto the skyline at a chosen x.
//
// Complete under LIFO: whatever stands between an item and the cab was loaded before it, so every
// layout can be rebuilt by dropping its items in the order of loading and, within a stop, of y.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "problem.hpp"

namespace tailgate::packing {

// Says when to stop; asked from inside the search.
struct Budget {
    std::int64_t max_nodes = 0;
    std::function<bool()> expired;  // asked every few nodes; may be empty
};

class DropSearch {
  public:
    // Floors must be at most `max_floor` on either side (see rescale.hpp).
    static constexpr Length max_floor = 1 << 14;

    explicit DropSearch(const Problem& problem, std::size_t memo_bytes);
    ~DropSearch();
    DropSearch(DropSearch&&) noexcept;
    DropSearch& operator=(DropSearch&&) noexcept;

    // Goes on from where the last call stopped: states that failed are remembered.
    Verdict run(const Budget& budget);

    [[nodiscard]] std::int64_t nodes() const;  // in all calls
    [[nodiscard]] Layout layout() const;       // after a feasible verdict

  private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace tailgate::packing
