// When a vehicle is where, how long it has been under way, and how far it has gone.
//
// Whoever leaves the depot later waits less, until some due time forbids it. So the least duration
// of a path follows from three numbers (Vidal, Crainic, Gendreau and Prins 2013): when it ends if
// the vehicle leaves as early as possible, how long it drives and serves, and how late it may
// leave. Its waiting never becomes less by going on.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "route_data.hpp"

namespace tailgate::pricing {

// Of a path from the depot on.
struct Timing {
    double start = 0.0;  // of service at the last stop, leaving the depot as early as possible
    double end = 0.0;    // of that service
    // These are kept only where waiting costs, or duration or distance is limited.
    double worked = 0.0;                  // driving and service
    double latest_departure = unlimited;  // from the depot, so that nothing so far is late
    double distance = 0.0;

    [[nodiscard]] double waiting() const { return std::max(0.0, end - worked - latest_departure); }
    [[nodiscard]] double duration() const { return std::max(worked, end - latest_departure); }
};

// What waiting so long costs in a fixed point, `rate` being the cost per unit of time.
inline Money waiting_money(double waiting, double rate) {
    return static_cast<Money>(std::floor(rate * waiting));
}

// What every route may take in total: of driving and service, or of distance.
struct ArcBudget {
    std::vector<double> arcs;   // by rows, each with the service where it begins
    std::vector<double> there;  // by node, the least that the way there from the depot takes
    double limit = unlimited;
};
inline constexpr std::size_t max_budgets = 2;
using Spent = std::array<double, max_budgets>;

// Those that the clock by itself does not keep: duration, and then distance.
[[nodiscard]] std::vector<ArcBudget> arc_budgets(const RouteData& data);

class Timetable {
  public:
    // The data must outlive it.
    explicit Timetable(const RouteData& data);

    // Is there a clock or a limit on distance? If not, there is nothing to ask.
    [[nodiscard]] bool is_needed() const { return data_.has_windows || has_limits_; }
    // Does more than the end of a path matter to what follows?
    [[nodiscard]] bool has_limits() const { return has_limits_; }

    [[nodiscard]] Timing at_depot() const;
    // Goes on to a customer, or to the depot. False if that is too late, or if every way home from
    // there makes the route too long.
    [[nodiscard]] bool advance(Timing& timing, Node from, Node to) const {
        const std::size_t arc = data_.arc(from, to);
        if (data_.has_windows) {
            const auto node = to_index(to);
            const double arrival = timing.end + data_.duration[arc];
            if (arrival > latest_[node]) return false;
            timing.start = std::max(arrival, data_.windows.ready[node]);
            timing.end = timing.start + data_.windows.service[node];
        }
        return !has_limits_ || keeps_limits(timing, arc, to);
    }
    // What a path has spent of the budgets up to the service at its last stop, which is `at`.
    [[nodiscard]] Spent spent(const Timing& timing, Node at) const;
    // From the depot to the depot.
    [[nodiscard]] bool allows(const Path& route) const;
    // Of a route that is allowed.
    [[nodiscard]] double waiting(const Path& route) const;

    // Of two paths over the same customers to the same last one: does the first keep all limits if
    // the second does, whatever follows?
    [[nodiscard]] bool is_no_tighter(const Timing& first, const Timing& second) const;
    // By how much the first is then cheaper at least, negative if it may be more expensive. The
    // costs include the waiting so far; `rate` is in their fixed point.
    [[nodiscard]] static Money advantage(Money first_cost, const Timing& first, Money second_cost,
                                         const Timing& second, double rate);

  private:
    [[nodiscard]] bool keeps_limits(Timing& timing, std::size_t arc, Node to) const;
    [[nodiscard]] bool follow(const Path& route, Timing& timing) const;

    const RouteData& data_;
    bool has_limits_;
    double earliest_ = 0.0;       // departure from the depot
    std::vector<double> latest_;  // arrival, by node
    double max_duration_;
    double max_distance_;
    // By node, the least that the way home takes, with the service on it.
    std::vector<double> duration_home_;
    std::vector<double> distance_home_;
};

// By node, the least sum of arcs from there to the depot or, with `from_depot`, from the depot to
// there, and of visits between (Dijkstra 1959).
[[nodiscard]] std::vector<double> shortest_ways(std::size_t nodes, const std::vector<double>& arcs,
                                                const std::vector<double>& visits, bool from_depot);

}  // namespace tailgate::pricing
