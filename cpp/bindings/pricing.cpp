// Pricing at the border between Python and the core: conversions only, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "modules.hpp"
#include "pricing/pricer.hpp"
#include "signal_watch.hpp"

namespace nb = nanobind;
using namespace nb::literals;
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

Pricer* make_pricer(std::vector<double> cost, std::vector<std::int64_t> weight,
                    std::vector<std::int64_t> area, std::int64_t capacity, std::int64_t floor_area,
                    std::vector<double> ready, std::vector<double> due, std::vector<double> service,
                    bool lifo, bool single_customer_routes, bool walk_bounds,
                    bool growing_neighbourhoods) {
    RouteData data;
    data.nodes = weight.size();
    data.cost = std::move(cost);
    data.weight = std::move(weight);
    data.area = std::move(area);
    data.capacity = capacity;
    data.floor_area = floor_area;
    data.has_windows = !due.empty();
    data.windows = {std::move(ready), std::move(due), std::move(service)};
    data.lifo = lifo;
    data.single_customer_routes = single_customer_routes;
    return new Pricer(std::move(data), {walk_bounds, growing_neighbourhoods});
}

// Runs `work(stop)` without holding the interpreter. Negative max_seconds means no limit.
template <typename Work>
auto run_for(double max_seconds, const Work& work) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point started = Clock::now();
    SignalWatch watch;
    const Stop stop = [&] {
        return watch() ||
               (max_seconds >= 0 &&
                std::chrono::duration<double>(Clock::now() - started).count() >= max_seconds);
    };
    auto result = [&] {
        const nb::gil_scoped_release release;
        return work(stop);
    }();
    if (watch.interrupted()) throw nb::python_error();
    return result;
}

void set_prices(Pricer& pricer, std::vector<double> visits, double cost_factor,
                const std::vector<std::tuple<Node, Node, double>>& edges,
                const std::vector<std::tuple<std::array<Node, 3>, Path, double>>& rows) {
    Prices prices{std::move(visits), cost_factor, {}, {}};
    for (const auto& [a, b, price] : edges) prices.edges.push_back({a, b, price});
    for (const auto& [members, memory, penalty] : rows)
        prices.rows.emplace_back(SubsetRow{members, memory}, penalty);
    pricer.set_prices(prices);
}

std::pair<std::vector<Path>, bool> list_sets(Pricer& pricer, double threshold, std::size_t max_sets,
                                             std::int64_t max_paths, double max_seconds) {
    RouteList list = run_for(max_seconds, [&](const Stop& stop) {
        return pricer.list_sets(threshold, max_sets, max_paths, stop);
    });
    return {std::move(list.routes), list.complete};
}

std::vector<std::pair<Node, Node>> find_unused_edges(Pricer& pricer, double threshold,
                                                     std::int64_t max_labels, double max_seconds) {
    return run_for(max_seconds, [&](const Stop& stop) {
        return pricer.find_unused_edges(threshold, max_labels, stop);
    });
}

// An empty path: there is no order. Nothing: the time was over before that was known.
std::optional<Path> cheapest_order(Pricer& pricer, const Path& customers, double max_seconds) {
    Path order;
    const OrderSearch::Outcome outcome = run_for(max_seconds, [&](const Stop& stop) {
        return pricer.cheapest_order(customers, stop, order);
    });
    if (outcome == OrderSearch::Outcome::stopped) return std::nullopt;
    return order;
}

PricingAnswer price(Pricer& pricer, double threshold, std::size_t max_routes, double max_seconds) {
    Pricing pricing = run_for(
        max_seconds, [&](const Stop& stop) { return pricer.price(threshold, max_routes, stop); });
    PricingAnswer answer;
    for (PricedRoute& route : pricing.routes) {
        answer.routes.push_back(std::move(route.customers));
        answer.reduced_costs.push_back(pricer.to_double(route.reduced_cost));
    }
    answer.complete = pricing.complete;
    answer.bound = pricer.to_double(pricing.bound);
    return answer;
}

std::map<std::string, double> pricer_statistics(const Pricer& pricer) {
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
        .def(nb::new_(&make_pricer), "cost"_a, "weight"_a, "area"_a, "capacity"_a, "floor_area"_a,
             "ready"_a, "due"_a, "service"_a, "lifo"_a, "single_customer_routes"_a,
             "walk_bounds"_a = true, "growing_neighbourhoods"_a = true,
             "Lists by node, the depot first; cost is a matrix by rows; due is empty without time "
             "windows. The last two are ways of saving work that can be left out.")
        .def("forbid", &Pricer::forbid, "sequence"_a,
             "No route may contain this sequence: its loading is proven infeasible.")
        .def("set_aside", &Pricer::set_aside, "sequence"_a,
             "Pass over routes with this sequence until release_all.")
        .def("passes_over", &Pricer::passes_over, "route"_a,
             "Is this route ruled out, or passed over, by what is known now?")
        .def("release_all", &Pricer::release_all)
        .def_prop_ro("set_aside_count", &Pricer::set_aside_count)
        .def("set_forbidden_edges", &Pricer::set_forbidden_edges, "edges"_a,
             "No route goes directly from one to the other, either way; replaces those before.")
        .def("set_prices", &set_prices, "visits"_a, "cost_factor"_a, "edges"_a, "rows"_a,
             "By customer; with a cost factor of 0 routes are free. Edges are (place, place, "
             "price), "
             "subset rows (members, memory, penalty).")
        .def("rounded_dual", &Pricer::rounded_dual, "dual"_a, "As the pricer understands it.")
        .def("price", &price, "threshold"_a, "max_routes"_a, "max_seconds"_a,
             "The cheapest routes below the threshold. Negative max_seconds means no limit.")
        .def(
            "cheapest_walks",
            [](Pricer& pricer) {
                Pricer::Walks found = pricer.cheapest_walks();
                return std::pair(std::move(found.walks), pricer.to_double(found.bound));
            },
            "For every last customer a cheap walk, and a bound below which no route is.")
        .def("list_sets", &list_sets, "threshold"_a, "max_sets"_a, "max_paths"_a, "max_seconds"_a,
             "For every set of customers with a route below the threshold the cheapest of them; "
             "and whether they are all.")
        .def("find_unused_edges", &find_unused_edges, "threshold"_a, "max_labels"_a,
             "max_seconds"_a, "Edges that no route below the threshold uses; none if it took long.")
        .def("cheapest_order", &cheapest_order, "customers"_a, "max_seconds"_a,
             "The cheapest order that is not forbidden, empty if there is none; None if the time "
             "was over before that was known.")
        .def(
            "row_coefficients",
            [](const Pricer& pricer, const std::array<Node, 3>& members, const Path& memory,
               const std::vector<Path>& routes) {
                return pricer.row_coefficients({members, memory}, routes);
            },
            "members"_a, "memory"_a, "routes"_a, "How often each route counts in the subset row.")
        .def("statistics", &pricer_statistics);
}

}  // namespace tailgate::bindings
