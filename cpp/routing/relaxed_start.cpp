#include "relaxed_start.hpp"

#include <algorithm>
#include <numeric>

namespace tailgate::routing {

namespace {

constexpr std::int64_t iterations_per_customer = 30;
constexpr double least_floor_share = 0.85;
constexpr double fill_margin = 1.1;  // of the fill when all vehicles carry the same
constexpr std::size_t routes_per_customer = 6;

std::vector<std::int64_t> relaxed_floor_areas(const Workspace& work) {
    const std::vector<std::int64_t>& areas = work.kinds.front().problem.areas;
    const std::int64_t all_areas = std::accumulate(areas.begin(), areas.end(), std::int64_t{0});
    const auto tour_count = static_cast<double>(work.tours.count());
    double all_floors = 0.0;
    for (std::size_t tour = 0; tour < work.tours.count(); ++tour)
        all_floors += static_cast<double>(work.kind_of(tour).problem.floor_area);
    const double fill =
        static_cast<double>(all_areas) / (all_floors / tour_count) / tour_count;
    const double share =
        tour_count > 0.0 ? std::min(1.0, std::max(least_floor_share, fill_margin * fill)) : 1.0;
    std::vector<std::int64_t> floor_areas;
    for (const VehicleKind& kind : work.kinds) {
        floor_areas.push_back(
            static_cast<std::int64_t>(share * static_cast<double>(kind.problem.floor_area)));
    }
    return floor_areas;
}

}  // namespace

RelaxedStart::RelaxedStart(const Workspace& work)
    : length_(iterations_per_customer * work.problem.customers()),
      floor_areas_(relaxed_floor_areas(work)),
      routes_(routes_per_customer * work.problem.places(), work.likeness) {}

std::vector<Route> RelaxedStart::routes_to_prove() const {
    std::vector<Route> routes = routes_.routes();
    std::ranges::reverse(routes);
    return routes;
}

void repair(Workspace& work) {
    for (std::size_t tour = 0; tour < work.tours.count(); ++tour) {
        const std::vector<Place>& stops = work.tours[tour].stops;
        while (!stops.empty() && !work.loading_of(tour).can_load(stops)) {
            if (work.was_cut_off()) return;
            work.release(stops[work.random.below(stops.size())]);
            work.break_up_if_over_limit(tour);
        }
    }
}

}  // namespace tailgate::routing
