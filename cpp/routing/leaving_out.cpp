#include "leaving_out.hpp"

#include <algorithm>

namespace tailgate::routing {

namespace {

constexpr double least_benefit = 1e-9;  // of the cost of the tour

bool leave_out_one(Workspace& work, std::size_t index) {
    const Tour& tour = work.tours[index];
    const VehicleKind& kind = work.kind_of(index);
    double best_benefit = least_benefit * std::max(1.0, tour.cost);
    Place best = 0;
    std::vector<Place> rest;
    for (const Place customer : tour.stops) {
        if (!work.is_optional(customer)) continue;
        const std::size_t group = work.groups.of(customer);
        rest.clear();
        double benefit = tour.cost;
        for (const Place stop : tour.stops) {
            if (stop == customer || (group != Groups::none && work.groups.of(stop) == group)) {
                benefit -= work.leave_out_costs[to_index(stop)];
            } else {
                rest.push_back(stop);
            }
        }
        if (work.tours.shortage_of(rest.size()) > work.tours.shortage_of(tour.stops.size()))
            continue;
        if (!rest.empty()) benefit -= kind.problem.cost(rest);
        if (benefit <= best_benefit || !kind.keeps_limits(rest)) continue;
        best_benefit = benefit;
        best = customer;
    }
    if (best != 0) work.release(best);
    return best != 0;
}

}  // namespace

void leave_out_expensive(Workspace& work, std::size_t tour) {
    while (leave_out_one(work, tour)) {
    }
}

}  // namespace tailgate::routing
