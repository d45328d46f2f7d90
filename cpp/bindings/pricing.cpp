// Pricing at the border between Python and the core: conversions only, no logic.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>

#include <chrono>
#include <optional>

#include "modules.hpp"
#include "pricing/pricer.hpp"

using namespace tailgate::pricing;

namespace tailgate::bindings {

namespace {

// What one call of the pricer found, in the caller's units.
struct PricingAnswer {
    std::vector<Path> routes;
    std::vector<double> reduced_costs;
    bool complete = false;
    double bound = 0.0;
};

Pricer* make_pricer(const Table& cost, const Table& duration, std::vector<std::int64_t> weight,
                    std::vector<std::int64_t> area, std::int64_t capacity, std::int64_t floor_area,
                    std::vector<double> ready, std::vector<double> due, std::vector<double> service,
                    double time_tolerance, double waiting_cost, double max_duration,
                    const Table& distance, double max_distance, std::int64_t max_stops, bool lifo,
                    bool single_customer_routes, double other_costs, std::vector<Path> groups,
                    bool walk_bounds, bool growing_neighbourhoods, bool resumed_search) {
    const Table& driving = duration.size() == 0 && !due.empty() ? cost : duration;
    RouteData data{.nodes = weight.size(),
                   .cost = numbers_of(cost),
                   .weight = std::move(weight),
                   .area = std::move(area),
                   .capacity = capacity,
                   .floor_area = floor_area,
                   .has_windows = !due.empty(),
                   .windows = {std::move(ready), std::move(due), std::move(service)},
                   .duration = numbers_of(driving),
                   .time_tolerance = time_tolerance,
                   .waiting_cost = waiting_cost,
                   .max_duration = max_duration,
                   .max_distance = max_distance,
                   .distance = numbers_of(distance),
                   .max_stops = max_stops,
                   .lifo = lifo,
                   .single_customer_routes = single_customer_routes,
                   .other_costs = other_costs,
                   .groups = std::move(groups)};
    return new Pricer(std::move(data), {walk_bounds, growing_neighbourhoods, resumed_search});
}

// Runs `work(stop)` without holding the interpreter. Negative max_seconds means no limit. Whether
// the result counts as complete is decided by the caller (`TimeLimit.completed`).
template <typename Work>
auto run_for(double max_seconds, const Work& work) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point started = Clock::now();
    decltype(work(Stop())) result{};
    run_watched([&](const Stop& must_stop) {
        result = work([&] {
            return must_stop() ||
                   (max_seconds >= 0 &&
                    std::chrono::duration<double>(Clock::now() - started).count() >= max_seconds);
        });
    });
    return result;
}

void set_duals(Pricer& pricer, std::vector<double> visits, double cost_factor,
               const std::vector<std::tuple<Node, Node, double>>& edges,
               const std::vector<std::tuple<std::array<Node, 3>, Path, double>>& rows) {
    Duals duals{std::move(visits), cost_factor, {}, {}};
    for (const auto& [a, b, dual] : edges) duals.edges.push_back({a, b, dual});
    for (const auto& [members, memory, penalty] : rows)
        duals.rows.emplace_back(SubsetRow{members, memory}, penalty);
    pricer.set_duals(duals);
}

std::pair<std::vector<Path>, bool> enumerate_sets(Pricer& pricer, double threshold,
                                                  std::size_t max_sets, std::int64_t max_paths,
                                                  double max_seconds) {
    RouteList list = run_for(max_seconds, [&](const Stop& stop) {
        return pricer.list_sets(threshold, max_sets, max_paths, stop);
    });
    return {std::move(list.routes), list.complete};
}

// An empty path: there is no order. Nothing: the time was over before that was known.
std::optional<Path> cheapest_order(Pricer& pricer, const Path& customers, double max_seconds) {
    Path order;
    const auto outcome = run_for(max_seconds, [&](const Stop& stop) {
        return pricer.cheapest_order(customers, stop, order);
    });
    if (outcome == OrderSearch::Outcome::stopped) return std::nullopt;
    return order;
}

PricingAnswer to_answer(const Pricer& pricer, Pricing pricing) {
    PricingAnswer answer;
    for (PricedRoute& route : pricing.routes) {
        answer.routes.push_back(std::move(route.customers));
        answer.reduced_costs.push_back(pricer.to_double(route.reduced_cost));
    }
    answer.complete = pricing.complete;
    answer.bound = pricer.to_double(pricing.bound);
    return answer;
}

PricingAnswer price(Pricer& pricer, double threshold, std::size_t max_routes, double max_seconds) {
    return to_answer(pricer, run_for(max_seconds, [&](const Stop& stop) {
                         return pricer.price(threshold, max_routes, stop);
                     }));
}

PricingAnswer price_more(Pricer& pricer, std::size_t max_routes, double max_seconds) {
    return to_answer(pricer, run_for(max_seconds, [&](const Stop& stop) {
                         return pricer.price_more(max_routes, stop);
                     }));
}

Statistics pricer_statistics(const Pricer& pricer) {
    const PricerStatistics& all = pricer.statistics();
    return {{"calls", static_cast<double>(all.calls)},
            {"labellings", static_cast<double>(all.labellings)},
            {"labels", static_cast<double>(all.labels)},
            {"paths", static_cast<double>(all.paths)},
            {"walk_seconds", all.walk_seconds},
            {"label_seconds", all.label_seconds},
            {"path_seconds", all.path_seconds}};
}

}  // namespace

void bind_pricing(nb::module_& module) {
    nb::class_<PricingAnswer>(module, "PricingAnswer", "What one call of the pricer found.")
        .def_ro("routes", &PricingAnswer::routes, "Customers 1..n in visiting order.")
        .def_ro("reduced_costs", &PricingAnswer::reduced_costs,
                "Of the routes, ascending, without the dual of the fleet.")
        .def_ro("complete", &PricingAnswer::complete,
                "False: it was stopped, and no routes does not mean that there are none.")
        .def_ro("bound", &PricingAnswer::bound, "No route that is not forbidden costs less.");

    nb::class_<Pricer>(module, "Pricer",
                       "Finds routes of negative reduced cost. Not to be shared between threads.")
        .def(nb::new_(&make_pricer), "cost"_a, "duration"_a, "weight"_a, "area"_a, "capacity"_a,
             "floor_area"_a, "ready"_a, "due"_a, "service"_a, "time_tolerance"_a, "waiting_cost"_a,
             "max_duration"_a, "distance"_a, "max_distance"_a, "max_stops"_a, "lifo"_a,
             "single_customer_routes"_a, "other_costs"_a, "groups"_a, "walk_bounds"_a = true,
             "growing_neighbourhoods"_a = true, "resumed_search"_a = true,
             "Lists by node, the depot first; cost, duration and distance are matrices by rows, "
             "infinite where there is no road. Without a clock due is empty; with an empty "
             "duration the travel time is the cost. Limits are infinite where there are none, and "
             "0 for max_stops; distance may be empty where it has no limit. Duals may be as large "
             "as other_costs allow. Of the customers of a group a route visits all or none. The "
             "last three are ways of saving work that can be left out.")
        .def("forbid", &Pricer::forbid, "sequence"_a, "in_any_order"_a = false,
             "No route may contain this sequence, or its customers in any order: the loading is "
             "proven infeasible.")
        .def("defer", &Pricer::defer, "sequence"_a,
             "Skip routes with this sequence until release_all.")
        .def("skips", &Pricer::skips, "route"_a,
             "Is this route ruled out, or deferred, by what is known now?")
        .def("release_all", &Pricer::release_all)
        .def_prop_ro("deferred_count", &Pricer::deferred_count)
        .def("set_forbidden_edges", &Pricer::set_forbidden_edges, "edges"_a,
             "No route goes directly from one to the other, either way; replaces those before.")
        .def("set_duals", &set_duals, "visits"_a, "cost_factor"_a, "edges"_a, "rows"_a,
             "By customer; with a cost factor of 0 routes are free. Edges are (place, place, "
             "price), subset rows (members, memory, penalty).")
        .def("rounded_dual", &Pricer::rounded_dual, "dual"_a, "As the pricer understands it.")
        .def("price", &price, "threshold"_a, "max_routes"_a, "max_seconds"_a,
             "The cheapest routes below the threshold. Negative max_seconds means no limit.")
        .def("price_more", &price_more, "max_routes"_a, "max_seconds"_a,
             "The next ones, under the same duals: none that was returned since price. No routes "
             "does not mean that there are no others.")
        .def(
            "cheapest_walks",
            [](Pricer& pricer) {
                Pricer::Walks found = pricer.cheapest_walks();
                return std::pair(std::move(found.walks), pricer.to_double(found.bound));
            },
            "For every last customer a cheap walk, and a bound below which no route is.")
        .def("enumerate_sets", &enumerate_sets, "threshold"_a, "max_sets"_a, "max_paths"_a,
             "max_seconds"_a,
             "For every set of customers with a route below the threshold the cheapest of them; "
             "and whether they are all.")
        .def("cheapest_order", &cheapest_order, "customers"_a, "max_seconds"_a,
             "The cheapest order that is not forbidden, empty if there is none; None if the time "
             "was over before that was known.")
        .def("statistics", &pricer_statistics);
}

}  // namespace tailgate::bindings
