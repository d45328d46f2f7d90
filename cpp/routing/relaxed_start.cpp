#include "relaxed_start.hpp"

#include <algorithm>
#include <numeric>

namespace tailgate::routing {

namespace {

constexpr std::int64_t iterations_per_customer = 30;
constexpr double least_floor_share = 0.85;
constexpr double fill_margin = 1.1;  // of the fill when all vehicles carry the same
constexpr std::size_t routes_per_customer = 6;

std::int64_t relaxed_floor_area(const RoutingProblem& problem, std::size_t tour_count) {
    const std::int64_t all_areas =
        std::accumulate(problem.areas.begin(), problem.areas.end(), std::int64_t{0});
    const double fill = static_cast<double>(all_areas) / static_cast<double>(problem.floor_area) /
                        static_cast<double>(tour_count);
    return static_cast<std::int64_t>(
        std::min(1.0, std::max(least_floor_share, fill_margin * fill)) *
        static_cast<double>(problem.floor_area));
}

}  // namespace

RelaxedStart::RelaxedStart(const Workspace& work)
    : length_(iterations_per_customer * work.problem.customers),
      floor_area_(relaxed_floor_area(work.problem, work.tours.count())),
      routes_(routes_per_customer * work.problem.places(), work.likeness) {}

std::vector<std::vector<Place>> RelaxedStart::routes_to_prove() const {
    std::vector<std::vector<Place>> routes = routes_.routes();
    std::ranges::reverse(routes);
    return routes;
}

void repair(Workspace& work) {
    for (std::size_t tour = 0; tour < work.tours.count(); ++tour) {
        const std::vector<Place>& stops = work.tours[tour].stops;
        while (!stops.empty() && !work.loading.can_load(stops)) {
            if (work.loading.was_cut_off()) return;
            const Place customer = stops[work.random.below(stops.size())];
            work.tours.take_out(customer);
            work.unserved.push_back(customer);
            work.break_up_if_over_limit(tour);
        }
    }
}

}  // namespace tailgate::routing
