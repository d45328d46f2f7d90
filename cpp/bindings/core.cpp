// The border between Python and the core: conversions only, no logic.
#include "modules.hpp"
#include "network/route_predictor.hpp"
#include "packing/oracle.hpp"

namespace tailgate::bindings {

namespace {

// Width, length, and whether it may be turned.
using Item = std::tuple<packing::Length, packing::Length, bool>;
// x, y, and whether it is turned.
using Place = std::tuple<packing::Length, packing::Length, bool>;

std::string verdict_name(packing::Verdict verdict) {
    constexpr const char* names[] = {"feasible", "infeasible", "unknown"};
    return names[static_cast<std::size_t>(verdict)];
}

// Triples by customer or stop under another name.
template <typename To, typename From>
std::vector<std::vector<To>> converted(const std::vector<std::vector<From>>& groups) {
    std::vector<std::vector<To>> result;
    for (const auto& group : groups) {
        auto& own = result.emplace_back();
        for (const auto& [first, second, third] : group) own.push_back({first, second, third});
    }
    return result;
}

packing::LoadingOracle* make_oracle(packing::Length width, packing::Length length,
                                    const std::vector<std::vector<Item>>& customers, bool lifo,
                                    std::size_t cache_bytes, bool use_cache) {
    std::vector<std::vector<packing::Rectangle>> sizes;
    packing::LoadingOracle::MayTurn may_turn;
    for (const auto& items : customers) {
        auto& own_sizes = sizes.emplace_back();
        auto& own_turns = may_turn.emplace_back();
        for (const auto& [item_width, item_length, turns] : items) {
            own_sizes.push_back({item_width, item_length});
            own_turns.push_back(turns);
        }
    }
    return new packing::LoadingOracle(width, length, sizes, {lifo, cache_bytes, use_cache},
                                      may_turn);
}

std::vector<std::vector<Place>> pushed_together(const packing::LoadingOracle& oracle,
                                                const packing::Sequence& route,
                                                const std::vector<std::vector<Place>>& positions) {
    return converted<Place>(oracle.pushed_together(route, converted<packing::Position>(positions)));
}

packing::Answer check(packing::LoadingOracle& oracle, const std::vector<std::int32_t>& route,
                      std::int64_t max_nodes, double max_seconds) {
    packing::Effort effort;
    effort.max_nodes = max_nodes;
    effort.max_seconds = max_seconds;
    packing::Answer answer;
    run_watched([&](const auto& must_stop) {
        effort.interrupted = must_stop;
        answer = oracle.check(route, effort);
    });
    return answer;
}

// The oracle has a copy of its own: the predictor may serve another thread at the same time.
void set_guess(packing::LoadingOracle& oracle, const network::RoutePredictor& predictor,
               float least_logit) {
    auto own = std::make_shared<network::RoutePredictor>(predictor);
    oracle.set_guess(
        [own, least_logit, route = network::Route()](const packing::Sequence& sequence) mutable {
            route = sequence;
            for (std::int32_t& customer : route) ++customer;  // the oracle counts from 0
            return own->logit(route) >= least_logit;
        });
}

Statistics oracle_statistics(const packing::LoadingOracle& oracle) {
    const packing::Statistics all = oracle.statistics();
    Statistics result{{"queries", static_cast<double>(all.queries)},
                      {"feasible", static_cast<double>(all.feasible)},
                      {"infeasible", static_cast<double>(all.infeasible)},
                      {"unknown", static_cast<double>(all.unknown)},
                      {"decided_feasible", static_cast<double>(all.decided_feasible)},
                      {"decided_infeasible", static_cast<double>(all.decided_infeasible)},
                      {"decided_unknown", static_cast<double>(all.decided_unknown)},
                      {"nodes", static_cast<double>(all.nodes)},
                      {"seconds", all.seconds},
                      {"cache_bytes", static_cast<double>(oracle.cache_bytes())}};
    for (std::size_t stage = 0; stage < packing::stage_count; ++stage) {
        const auto name = packing::stage_name(static_cast<packing::Stage>(stage));
        result["decided_by_" + std::string(name)] = static_cast<double>(all.by_stage[stage]);
    }
    return result;
}

// Route, verdict, stage, nodes, seconds, limit on nodes.
using RecordedQuery = std::tuple<std::vector<std::int32_t>, std::string, std::string, std::int64_t,
                                 double, std::int64_t>;

std::vector<RecordedQuery> take_queries(packing::LoadingOracle& oracle) {
    std::vector<RecordedQuery> taken;
    for (packing::Query& query : oracle.take_queries()) {
        taken.emplace_back(std::move(query.route), verdict_name(query.verdict),
                           packing::stage_name(query.stage), query.nodes, query.seconds,
                           query.max_nodes);
    }
    return taken;
}

}  // namespace

NB_MODULE(_core, module) {
    module.doc() = "The compiled core of Tailgate.";

    nb::class_<packing::Answer>(module, "Answer", "What the oracle says of one route.")
        .def_prop_ro("verdict",
                     [](const packing::Answer& answer) { return verdict_name(answer.verdict); })
        .def_prop_ro("decided_by",
                     [](const packing::Answer& answer) {
                         return std::string(packing::stage_name(answer.stage));
                     })
        .def_ro("nodes", &packing::Answer::nodes)
        .def_ro("seconds", &packing::Answer::seconds)
        .def_ro("core", &packing::Answer::core,
                "Part of an infeasible route, perhaps backwards, that is infeasible by itself.")
        .def_ro("in_any_order", &packing::Answer::in_any_order,
                "Is the core infeasible in any order of its customers?")
        .def_prop_ro(
            "positions",
            [](const packing::Answer& answer) { return converted<Place>(answer.layout); },
            "One list of (x, y, turned) per stop, in visiting order; empty unless feasible.");

    nb::class_<packing::LoadingOracle>(
        module, "LoadingOracle",
        "Decides whether routes can be loaded. Safe to share between threads.")
        .def(nb::new_(&make_oracle), "width"_a, "length"_a, "customers"_a, "lifo"_a,
             "cache_bytes"_a, "use_cache"_a,
             "Customers are lists of (width, length, may turn); routes name them by index.")
        .def("check", &check, "route"_a, "max_nodes"_a, "max_seconds"_a,
             "Negative limits mean none.")
        .def(
            "recall",
            [](packing::LoadingOracle& oracle, const std::vector<std::int32_t>& route) {
                return oracle.recall(route);
            },
            "route"_a, nb::call_guard<nb::gil_scoped_release>(),
            "What is known already; unknown if nothing is.")
        .def("pushed_together", &pushed_together, "route"_a, "positions"_a,
             "The same plan without gaps towards the cab and the left wall.")
        // All wait for a running check, which may want the interpreter: let go of it.
        .def("statistics", &oracle_statistics, nb::call_guard<nb::gil_scoped_release>())
        .def("set_guess", &set_guess, "predictor"_a, "least_logit"_a,
             "Try nothing with at least this logit as an infeasible core of an expensive proof.")
        .def("clear", &packing::LoadingOracle::clear, nb::call_guard<nb::gil_scoped_release>())
        .def("record_queries", &packing::LoadingOracle::record_queries, "on"_a,
             nb::call_guard<nb::gil_scoped_release>(),
             "While on, every query is kept, whoever asks it, until it is taken.")
        .def("take_queries", &take_queries, nb::call_guard<nb::gil_scoped_release>(),
             "Recorded (route, verdict, decided_by, nodes, seconds, max_nodes), oldest first; a "
             "negative max_nodes means no limit.");

    bind_network(module);
    module.def("set_cancel_event", &set_cancel_event, "event"_a.none(),
               "seconds_between_looks"_a = 0.05,
               "A threading.Event that ends what this thread asks of the core; None for none.");
    bind_pricing(module);
    bind_routing(module);

    module.def(
        "build_info",
        [] {
            return std::map<std::string, std::string>{{"compiler", TAILGATE_COMPILER},
                                                      {"flags", TAILGATE_FLAGS},
                                                      {"build_type", TAILGATE_BUILD_TYPE}};
        },
        "How this extension was compiled.");
}

}  // namespace tailgate::bindings
