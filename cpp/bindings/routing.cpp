// Routing at the border between Python and the core: conversions only, no logic.
#include <span>

#include "modules.hpp"
#include "network/route_predictor.hpp"
#include "packing/oracle.hpp"
#include "routing/route_search.hpp"

namespace tailgate::bindings {

namespace {

using KindRoute = std::pair<std::size_t, std::vector<routing::Place>>;

std::vector<KindRoute> as_pairs(const std::vector<routing::Route>& routes) {
    std::vector<KindRoute> pairs;
    for (const routing::Route& route : routes) pairs.emplace_back(route.kind, route.stops);
    return pairs;
}

routing::RoutingProblem* make_kind(const Table& costs, std::vector<std::int64_t> weights,
                                   std::vector<std::int64_t> areas, std::int64_t capacity,
                                   std::int64_t floor_area, std::int32_t vehicles, bool whole_fleet,
                                   std::int32_t min_stops, std::vector<double> ready_times,
                                   std::vector<double> due_times, std::vector<double> service_times,
                                   const Table& durations, double time_tolerance,
                                   double waiting_cost, double max_duration, const Table& distances,
                                   double max_distance, std::int32_t max_stops,
                                   std::vector<bool> accepts) {
    return new routing::RoutingProblem{.customers = static_cast<routing::Place>(weights.size()) - 1,
                                       .costs = numbers_of(costs),
                                       .durations = numbers_of(durations),
                                       .distances = numbers_of(distances),
                                       .weights = std::move(weights),
                                       .areas = std::move(areas),
                                       .accepts = std::move(accepts),
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
}

routing::RouteSearch* make_search(const std::vector<packing::LoadingOracle*>& oracles,
                                  const std::vector<routing::RoutingProblem*>& kinds, bool lifo,
                                  std::uint64_t seed, std::int64_t max_nodes, std::size_t max_pool,
                                  std::vector<double> leave_out_costs,
                                  std::vector<std::pair<routing::Place, routing::Place>> apart,
                                  std::vector<std::vector<routing::Place>> groups,
                                  std::vector<std::vector<routing::Place>> first_stops) {
    routing::FleetProblem problem;
    for (const routing::RoutingProblem* kind : kinds) problem.kinds.push_back(*kind);
    problem.leave_out_costs = std::move(leave_out_costs);
    problem.apart = std::move(apart);
    problem.groups = std::move(groups);
    problem.first_stops = std::move(first_stops);
    return new routing::RouteSearch(std::move(problem), oracles, {seed, lifo, max_nodes, max_pool});
}

void run(routing::RouteSearch& search, std::int64_t max_iterations, double max_seconds) {
    run_watched(
        [&](const auto& must_stop) { search.run({max_iterations, max_seconds, must_stop}); });
}

bool offer(routing::RouteSearch& search, std::vector<KindRoute> pairs, bool is_proven,
           std::int64_t max_nodes) {
    std::vector<routing::Route> routes;
    for (auto& [kind, stops] : pairs) routes.push_back({kind, std::move(stops)});
    bool is_taken = false;
    run_watched([&](const auto& must_stop) {
        is_taken = search.offer(routes, is_proven, max_nodes, must_stop);
    });
    return is_taken;
}

nb::object routes(const routing::RouteSearch& search) {
    return search.best() ? nb::cast(as_pairs(search.best()->routes)) : nb::none();
}

nb::object left_out(const routing::RouteSearch& search) {
    return search.best() ? nb::cast(search.best()->left_out) : nb::none();
}

std::vector<KindRoute> pool(const routing::RouteSearch& search) {
    return as_pairs(search.pool());
}

// The search has a copy of its own: the predictor may serve another thread at the same time.
void set_doubts(routing::RouteSearch& search, std::size_t kind,
                const network::RoutePredictor& predictor, float least_logit) {
    auto own = std::make_shared<network::RoutePredictor>(predictor);
    search.set_doubts(kind, [own, least_logit, route = network::Route()](
                                std::span<const routing::Place> stops) mutable {
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
    nb::class_<routing::RoutingProblem>(module, "RoutingProblem",
                                        "An instance as one kind of vehicle sees it.")
        .def(nb::new_(&make_kind), "costs"_a, "weights"_a, "areas"_a, "capacity"_a, "floor_area"_a,
             "vehicles"_a, "whole_fleet"_a, "min_stops"_a, "ready_times"_a, "due_times"_a,
             "service_times"_a, "durations"_a, "time_tolerance"_a, "waiting_cost"_a,
             "max_duration"_a, "distances"_a, "max_distance"_a, "max_stops"_a, "accepts"_a,
             "Lists have one entry per place, the depot first; costs, durations (empty: the same "
             "as the costs) and distances (empty without a limit) are tables by rows, with an "
             "infinite cost where there is no way. No stops at most means no limit, and nobody "
             "in `accepts` that all may be visited.");
    nb::class_<routing::RouteSearch>(module, "RouteSearch",
                                     "Looks for good solutions whose routes are proven loadable.")
        .def(nb::new_(&make_search), "oracles"_a, "kinds"_a, "lifo"_a, "seed"_a, "max_nodes"_a,
             "max_pool"_a, "leave_out_costs"_a = std::vector<double>(),
             "apart"_a = std::vector<std::pair<routing::Place, routing::Place>>(),
             "groups"_a = std::vector<std::vector<routing::Place>>(),
             "first_stops"_a = std::vector<std::vector<routing::Place>>(),
             nb::keep_alive<0, 2>(),  // the oracles; 1 is the class
             "Oracles, kinds and first stops by kind; leave-out costs by place, infinite for who "
             "must be served, and empty if all must.")
        .def("run", &run, "max_iterations"_a, "max_seconds"_a, "Negative limits mean none.")
        .def("offer", &offer, "routes"_a, "is_proven"_a, "max_nodes"_a,
             "True if this is the new best; ValueError if it breaks a rule other than loading.")
        .def("set_doubts", &set_doubts, "kind"_a, "predictor"_a, "least_logit"_a,
             "Pass over most of the routes with a smaller logit.")
        .def("routes", &routes, nb::sig("def routes(self) -> list[tuple[int, list[int]]] | None"))
        .def("left_out", &left_out, nb::sig("def left_out(self) -> list[int] | None"))
        .def("pool", &pool)
        .def("statistics", &search_statistics)
        .def("improvements", &improvements, "Tuples of seconds, iteration and cost.");
}

}  // namespace tailgate::bindings
