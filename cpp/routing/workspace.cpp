#include "workspace.hpp"

#include <algorithm>

namespace tailgate::routing {

namespace {

std::vector<VehicleKind> kinds_of(FleetProblem& problem) {
    std::vector<VehicleKind> kinds;
    for (RoutingProblem& kind : problem.kinds) kinds.emplace_back(kind);
    return kinds;
}

// Who rides together is left out together: one who must be served takes all the others along.
std::vector<double> leave_out_costs_of(const FleetProblem& problem, const Groups& groups) {
    std::vector<double> costs = problem.leave_out_costs;
    if (std::ranges::none_of(costs, [](double cost) { return cost < infinity; })) return {};
    for (std::size_t i = 0; i < groups.count(); ++i) {
        const std::vector<Place>& members = groups[i].members;
        const bool must_be_served = std::ranges::any_of(
            members, [&](Place member) { return costs[to_index(member)] == infinity; });
        if (!must_be_served) continue;
        for (const Place member : members) costs[to_index(member)] = infinity;
    }
    return costs;
}

std::vector<LoadingCheck> checks_of(const FleetProblem& problem,
                                    const std::vector<packing::LoadingOracle*>& oracles,
                                    const SearchOptions& options) {
    std::vector<LoadingCheck> checks;
    for (packing::LoadingOracle* oracle : oracles) {
        checks.emplace_back(*oracle, problem.customers(), options.lifo, options.max_nodes);
        for (const auto& [first, second] : problem.apart) checks.back().keep_apart(first, second);
    }
    return checks;
}

Likeness likeness_of(const std::vector<VehicleKind>& kinds) {
    const bool is_directed =
        std::ranges::any_of(kinds, [](const auto& kind) { return kind.rules.is_directed; });
    return is_directed ? Likeness::order : Likeness::order_or_reverse;
}

}  // namespace

Workspace::Workspace(FleetProblem checked_problem,
                     const std::vector<packing::LoadingOracle*>& oracles,
                     const SearchOptions& options)
    : problem(std::move(checked_problem)),
      kinds(kinds_of(problem)),
      groups(problem),
      leave_out_costs(leave_out_costs_of(problem, groups)),
      has_windows(
          std::ranges::any_of(kinds, [](const auto& kind) { return kind.rules.has_windows; })),
      likeness(likeness_of(kinds)),
      loading(checks_of(problem, oracles, options)),
      random(options.seed),
      pool(options.max_pool, likeness),
      tours(kinds) {}

double Workspace::nearness(Place a, Place b) const {
    double nearest = infinity;
    for (const VehicleKind& kind : kinds)
        nearest = std::min(nearest, kind.problem.nearness(a, b));
    return nearest;
}

bool Workspace::was_cut_off() const {
    return std::ranges::any_of(loading, [](const auto& check) { return check.was_cut_off(); });
}

std::int64_t Workspace::checks() const {
    std::int64_t total = 0;
    for (const LoadingCheck& check : loading) total += check.checks();
    return total;
}

std::int64_t Workspace::skipped() const {
    std::int64_t total = 0;
    for (const LoadingCheck& check : loading) total += check.skipped();
    return total;
}

void Workspace::break_up(std::size_t tour) {
    const std::vector<Place>& stops = tours[tour].stops;
    unserved.insert(unserved.end(), stops.begin(), stops.end());
    tours.remove(tour, 0, stops.size());
}

void Workspace::release(Place customer) {
    const std::size_t first = unserved.size();
    tours.take_out(customer);
    unserved.push_back(customer);
    release_groups_of(first);
}

void Workspace::release_groups_of(std::size_t first_unserved) {
    if (groups.is_empty()) return;
    for (std::size_t i = first_unserved, end = unserved.size(); i < end; ++i) {
        const std::size_t group = groups.of(unserved[i]);
        if (group == Groups::none) continue;
        for (const Place member : groups[group].members) {
            if (tours.tour_of(member) == Tours::nowhere) continue;
            tours.take_out(member);
            unserved.push_back(member);
        }
    }
}

std::size_t Workspace::locked_stops(std::size_t tour) const {
    if (problem.first_stops.empty() || tours[tour].stops.empty()) return 0;
    return problem.first_stops[tours.kind_of(tour)].size();
}

double Workspace::cost_of_leaving_out(const std::vector<Place>& customers) const {
    if (leave_out_costs.empty()) return 0.0;
    double total = 0.0;
    for (const Place customer : customers) {
        const double cost = leave_out_costs[to_index(customer)];
        if (cost < infinity) total += cost;
    }
    return total;
}

}  // namespace tailgate::routing
