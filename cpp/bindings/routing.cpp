// Routing at the border between Python and the core: conversions only, no logic.
#include <span>

#include "modules.hpp"
#include "network/route_predictor.hpp"
#include "packing/oracle.hpp"
#include "routing/route_search.hpp"

namespace tailgate::bindings {

namespace {

routing::RouteSearch* make_search(packing::LoadingOracle& oracle, std::vector<double> costs,
                                  std::vector<std::int64_t> weights,
                                  std::vector<std::int64_t> areas, std::int64_t capacity,
                                  std::int64_t floor_area, std::int32_t vehicles, bool whole_fleet,
                                  std::int32_t min_stops, std::vector<double> ready_times,
                                  std::vector<double> due_times, std::vector<double> service_times,
                                  bool lifo, std::uint64_t seed, std::int64_t max_nodes,
                                  std::size_t max_pool, std::vector<double> durations,
                                  double time_tolerance, double waiting_cost, double max_duration,
                                  std::vector<double> distances, double max_distance,
                                  std::int32_t max_stops) {
    routing::RoutingProblem problem{.customers = static_cast<routing::Place>(weights.size()) - 1,
                                    .costs = std::move(costs),
                                    .durations = std::move(durations),
                                    .distances = std::move(distances),
                                    .weights = std::move(weights),
                                    .areas = std::move(areas),
                                    .capacity = capacity,
                                    .floor_area = floor_area,
                                    .vehicles = vehicles,
                                    .whole_fleet = whole_fleet,
                                    .min_stops = min_stops,
                                    .max_stops = max_stops,
                                    .ready_times = std::move(ready_times),
                                    .due_times = std::move(due_times),
                                    .service_times = std::move(service_times),
                                    .time_tolerance = time_tolerance,
                                    .waiting_cost = waiting_cost,
                                    .max_duration = max_duration,
                                    .max_distance = max_distance};
    return new routing::RouteSearch(std::move(problem), oracle, {seed, lifo, max_nodes, max_pool});
}

void run(routing::RouteSearch& search, std::int64_t max_iterations, double max_seconds) {
    run_watched(
        [&](const auto& must_stop) { search.run({max_iterations, max_seconds, must_stop}); });
}

bool offer(routing::RouteSearch& search, const std::vector<std::vector<routing::Place>>& routes,
           bool is_proven, std::int64_t max_nodes) {
    bool is_taken = false;
    run_watched([&](const auto& must_stop) {
        is_taken = search.offer(routes, is_proven, max_nodes, must_stop);
    });
    return is_taken;
}

nb::object routes(const routing::RouteSearch& search) {
    return search.best() ? nb::cast(search.best()->routes) : nb::none();
}

// The search has a copy of its own: the predictor may serve another thread at the same time.
void set_doubts(routing::RouteSearch& search, const network::RoutePredictor& predictor,
                float least_logit) {
    auto own = std::make_shared<network::RoutePredictor>(predictor);
    search.set_doubts([own, least_logit,
                       route = network::Route()](std::span<const routing::Place> stops) mutable {
        route.assign(stops.begin(), stops.end());
        return own->logit(route) < least_logit;
    });
}

Statistics search_statistics(const routing::RouteSearch& search) {
    const routing::SearchStatistics all = search.statistics();
    return {{"iterations", static_cast<double>(all.iterations)},
            {"checks", static_cast<double>(all.checks)},
            {"passed_over", static_cast<double>(all.skipped)},
            {"max_nodes", static_cast<double>(all.max_nodes)},
            {"seconds", all.seconds}};
}

std::vector<std::tuple<double, std::int64_t, double>> improvements(
    const routing::RouteSearch& search) {
    std::vector<std::tuple<double, std::int64_t, double>> result;
    for (const routing::Improvement& step : search.statistics().improvements)
        result.emplace_back(step.seconds, step.iteration, step.cost);
    return result;
}

}  // namespace

void bind_routing(nb::module_& module) {
    nb::class_<routing::RouteSearch>(module, "RouteSearch",
                                     "Looks for good solutions whose routes are proven loadable.")
        .def(nb::new_(&make_search), "oracle"_a, "costs"_a, "weights"_a, "areas"_a, "capacity"_a,
             "floor_area"_a, "vehicles"_a, "whole_fleet"_a, "min_stops"_a, "ready_times"_a,
             "due_times"_a, "service_times"_a, "lifo"_a, "seed"_a, "max_nodes"_a, "max_pool"_a,
             "durations"_a = std::vector<double>(), "time_tolerance"_a = 1e-9,
             "waiting_cost"_a = 0.0, "max_duration"_a = routing::infinity,
             "distances"_a = std::vector<double>(), "max_distance"_a = routing::infinity,
             "max_stops"_a = 0, nb::keep_alive<0, 2>(),  // the oracle; 1 is the class
             "Lists have one entry per place, the depot first; costs, durations (empty: the same "
             "as the costs) and distances (empty without a limit) are row by row, with an "
             "infinite cost where there is no way. No stops at most means no limit.")
        .def("run", &run, "max_iterations"_a, "max_seconds"_a, "Negative limits mean none.")
        .def("offer", &offer, "routes"_a, "is_proven"_a, "max_nodes"_a,
             "True if this is the new best; ValueError if it breaks a rule other than loading.")
        .def("set_doubts", &set_doubts, "predictor"_a, "least_logit"_a,
             "Pass over most of the routes with a smaller logit.")
        .def("routes", &routes, nb::sig("def routes(self) -> list[list[int]] | None"))
        .def("pool", &routing::RouteSearch::pool)
        .def("statistics", &search_statistics)
        .def("improvements", &improvements, "Tuples of seconds, iteration and cost.");
}

}  // namespace tailgate::bindings
