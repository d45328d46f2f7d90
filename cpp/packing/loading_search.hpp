// One loading query: can these items be loaded? The search can be suspended at a limit and resumed.
#pragma once

#include <memory>

#include "decision.hpp"
#include "effort_meter.hpp"
#include "problem.hpp"

namespace tailgate::packing {

class LoadingSearch {
  public:
    explicit LoadingSearch(Problem problem);
    ~LoadingSearch();
    LoadingSearch(LoadingSearch&&) noexcept;
    LoadingSearch& operator=(LoadingSearch&&) noexcept;

    // Goes on within the limits; nodes are those of this call. `memo_bytes` counts at the first.
    [[nodiscard]] Decision run(const Effort& effort);
    // Of all calls so far.
    [[nodiscard]] std::int64_t nodes() const;
    // What it keeps to go on with, about.
    [[nodiscard]] std::size_t bytes() const;

  private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

// From scratch, and done with.
[[nodiscard]] Decision decide(const Problem& problem, const Effort& effort);

}  // namespace tailgate::packing
