// The cheapest order of given customers, waiting included, that keeps all limits on time and
// distance and contains nothing forbidden.
#pragma once

#include <cstdint>
#include <vector>

#include "forbidden_sequences.hpp"
#include "route_data.hpp"
#include "timetable.hpp"
#include "true_costs.hpp"

namespace tailgate::pricing {

class OrderSearch {
  public:
    OrderSearch(const RouteData& data, const TrueCosts& costs, const ForbiddenSequences& forbidden,
                bool symmetric);

    enum class Outcome { found, none, stopped };
    // Of equally cheap orders the first by customer numbers. Looks at nothing but costs, times,
    // distances and forbidden sequences. At most 64 customers.
    Outcome run(const Path& customers, const Stop& stop, Path& order);

  private:
    // As sets of bits over the customers of the query.
    using Subset = std::uint64_t;

    void bound_ways_home();
    [[nodiscard]] Money way_home(std::size_t last, Subset left) const;
    bool extend(const Stop& stop, Subset left, Money cost, const Timing& timing);
    [[nodiscard]] bool is_worth(Money least) const;

    Timetable timetable_;
    const TrueCosts& costs_;
    const ForbiddenSequences& forbidden_;
    bool symmetric_;
    Path customers_;  // ascending
    // By customers left and last customer: the least cost of visiting those and going home.
    std::vector<Money> ways_home_;
    std::vector<Money> cheapest_leave_;  // by customer, where there are too many for the table
    Visits visits_;
    std::size_t first_ = 0;  // of the path, as a bit
    Path best_;
    Money best_cost_ = no_way;
    std::int64_t paths_ = 0;
};

}  // namespace tailgate::pricing
