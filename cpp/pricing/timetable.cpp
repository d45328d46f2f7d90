#include "timetable.hpp"

namespace tailgate::pricing {

namespace {

// Products of floats are rounded, and waiting is charged in whole units: where two waiting times
// differ, the difference of what they cost is known up to less than this.
constexpr Money rounding = 2;

}  // namespace

Timetable::Timetable(const RouteData& data)
    : data_(data),
      has_limits_(data.waiting_cost > 0.0 || data.max_duration < unlimited ||
                  data.max_distance < unlimited),
      max_duration_(data.latest_arrival(data.max_duration)),
      max_distance_(data.max_distance) {
    if (data.has_windows) {
        earliest_ = data.windows.ready[0];
        for (const double due : data.windows.due) latest_.push_back(data.latest_arrival(due));
    }
    if (max_duration_ < unlimited)
        duration_home_ = shortest_ways(data.nodes, data.duration, data.windows.service, false);
    if (max_distance_ < unlimited) {
        const std::vector<double> nothing(data.nodes, 0.0);
        distance_home_ = shortest_ways(data.nodes, data.distance, nothing, false);
    }
}

std::vector<ArcBudget> arc_budgets(const RouteData& data) {
    std::vector<ArcBudget> budgets;
    const auto add = [&](const std::vector<double>& arcs, const std::vector<double>& visits,
                         double limit) {
        ArcBudget budget{arcs, shortest_ways(data.nodes, arcs, visits, true), limit};
        for (std::size_t from = 0; from < data.nodes; ++from) {
            for (std::size_t to = 0; to < data.nodes; ++to)
                budget.arcs[from * data.nodes + to] += visits[from];
        }
        budgets.push_back(std::move(budget));
    };
    if (data.max_duration < unlimited)
        add(data.duration, data.windows.service, data.latest_arrival(data.max_duration));
    if (data.max_distance < unlimited)
        add(data.distance, std::vector<double>(data.nodes, 0.0), data.max_distance);
    return budgets;
}

Timing Timetable::at_depot() const {
    Timing timing;
    timing.start = timing.end = earliest_;
    return timing;
}

bool Timetable::keeps_limits(Timing& timing, std::size_t arc, Node to) const {
    const auto node = to_index(to);
    if (data_.has_windows) {
        timing.worked += data_.duration[arc];
        // Who arrives a little late by the grace for floats has left as early as possible.
        const double latest = std::max(data_.windows.due[node] - timing.worked, earliest_);
        timing.latest_departure = std::min(timing.latest_departure, latest);
        timing.worked += data_.windows.service[node];
        if (max_duration_ < unlimited && timing.duration() + duration_home_[node] > max_duration_)
            return false;
    }
    if (max_distance_ == unlimited) return true;
    timing.distance += data_.distance[arc];
    return timing.distance + distance_home_[node] <= max_distance_;
}

Spent Timetable::spent(const Timing& timing, Node at) const {
    Spent spent{};
    std::size_t budget = 0;
    if (max_duration_ < unlimited)
        spent[budget++] = timing.duration() - data_.windows.service[to_index(at)];
    if (max_distance_ < unlimited) spent[budget] = timing.distance;
    return spent;
}

bool Timetable::follow(const Path& route, Timing& timing) const {
    Node at = 0;
    for (const Node customer : route) {
        if (!advance(timing, at, customer)) return false;
        at = customer;
    }
    return advance(timing, at, 0);
}

bool Timetable::allows(const Path& route) const {
    Timing timing = at_depot();
    return !is_needed() || follow(route, timing);
}

double Timetable::waiting(const Path& route) const {
    Timing timing = at_depot();
    return has_limits_ && follow(route, timing) ? timing.waiting() : 0.0;
}

bool Timetable::is_no_tighter(const Timing& first, const Timing& second) const {
    if (data_.has_windows && first.end > second.end) return false;
    if (max_duration_ < unlimited &&
        (first.duration() > second.duration() || first.latest_departure < second.latest_departure))
        return false;
    return max_distance_ == unlimited || first.distance <= second.distance;
}

// A vehicle that leaves the last stop at some time has been under way for the least duration or
// since the latest departure, whichever is longer. The cost is as long as the first or as the
// second rules, and the one is the better path if it is so in both cases.
Money Timetable::advantage(Money first_cost, const Timing& first, Money second_cost,
                           const Timing& second, double rate) {
    if (rate == 0.0) return second_cost - first_cost;
    const double waited = first.waiting();
    const double second_waited = second.waiting();
    const Money so_far = second_cost - first_cost - (waited == second_waited ? 0 : rounding);
    if (std::isinf(first.latest_departure)) return so_far;
    if (std::isinf(second.latest_departure)) return -no_way;
    const double later =
        second.worked + second.latest_departure - first.worked - first.latest_departure;
    Money from_departure = second_cost - waiting_money(second_waited, rate) -
                           (first_cost - waiting_money(waited, rate));
    if (later != 0.0) from_departure -= static_cast<Money>(std::ceil(rate * later)) + rounding;
    return std::min(so_far, from_departure);
}

std::vector<double> shortest_ways(std::size_t nodes, const std::vector<double>& arcs,
                                  const std::vector<double>& visits, bool from_depot) {
    std::vector<double> ways(nodes, unlimited);
    std::vector<char> done(nodes, 0);
    ways[0] = 0.0;
    for (std::size_t round = 0; round < nodes; ++round) {
        std::size_t nearest = nodes;
        for (std::size_t node = 0; node < nodes; ++node) {
            if (done[node] == 0 && (nearest == nodes || ways[node] < ways[nearest])) nearest = node;
        }
        done[nearest] = 1;
        const double so_far = ways[nearest] + (nearest == 0 ? 0.0 : visits[nearest]);
        for (std::size_t node = 1; node < nodes; ++node) {
            const double arc = arcs[from_depot ? nearest * nodes + node : node * nodes + nearest];
            ways[node] = std::min(ways[node], so_far + arc);
        }
    }
    return ways;
}

}  // namespace tailgate::pricing
