// The ruin step of slack induction by string removals (Christiaens and Vanden Berghe 2020,
// section 5): strings of stops leave neighbouring tours.
#pragma once

#include <vector>

#include "workspace.hpp"

namespace tailgate::routing {

class Ruin {
  public:
    // The workspace must outlive this.
    explicit Ruin(Workspace& work);

    // Whom it removes is unserved.
    void run();

  private:
    [[nodiscard]] bool is_locked(Place customer, std::size_t tour, std::size_t locked) const;
    // None of the first `locked` stops.
    void remove_string(std::size_t tour, Place around, std::size_t count, std::size_t locked);

    Workspace& work_;
    std::vector<std::vector<Place>> neighbours_;  // of every place, nearest first
    std::vector<bool> is_ruined_;                 // of every tour; kept only to save allocations
};

}  // namespace tailgate::routing
