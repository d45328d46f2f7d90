#include "kind_change.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "order_improvement.hpp"

namespace tailgate::routing {

namespace {

constexpr double least_gain = 1e-9;  // of the cost of the tours
constexpr std::size_t nobody = static_cast<std::size_t>(-1);

struct Exchange {
    double gain;
    std::size_t other;
};

std::size_t free_tour_of(const Workspace& work, std::size_t kind) {
    for (std::size_t tour = work.tours.first_of(kind); tour < work.tours.end_of(kind); ++tour) {
        if (work.tours[tour].stops.empty()) return tour;
    }
    return nobody;
}

void exchange(Workspace& work, std::size_t tour, std::size_t other) {
    const std::vector<Place> stops = work.tours[tour].stops;
    const std::vector<Place> others = work.tours[other].stops;
    work.tours.assign(tour, {});
    work.tours.assign(other, stops);
    work.tours.assign(tour, others);
}

void make_possible(Workspace& work, std::size_t tour) {
    const std::vector<Place>& stops = work.tours[tour].stops;
    while (!stops.empty() && !work.kind_of(tour).may_take(stops))
        work.release(stops[work.random.below(stops.size())]);
    if (stops.empty() || work.is_relaxed || work.loading_of(tour).can_load(stops)) return;
    work.break_up(tour);
}

bool is_possible(Workspace& work, std::size_t tour, const std::vector<Place>& stops) {
    if (stops.empty()) return true;
    if (!work.kind_of(tour).may_take(stops)) return false;
    return work.is_relaxed || work.prove(work.tours.kind_of(tour), stops);
}

double cost_with(const Workspace& work, std::size_t tour, const std::vector<Place>& stops) {
    return stops.empty() ? 0.0 : work.kind_of(tour).problem.cost(stops);
}

// Best first.
std::vector<Exchange> exchanges_of(const Workspace& work, std::size_t tour) {
    std::vector<Exchange> found;
    const std::vector<Place>& stops = work.tours[tour].stops;
    const double cost = work.tours[tour].cost;
    std::vector<bool> has_seen_free(work.kinds.size(), false);
    for (std::size_t other = 0; other < work.tours.count(); ++other) {
        const std::size_t kind = work.tours.kind_of(other);
        const Tour& partner = work.tours[other];
        if (kind == work.tours.kind_of(tour) || work.locked_stops(other) > 0) continue;
        if (partner.stops.empty()) {
            if (has_seen_free[kind]) continue;
            has_seen_free[kind] = true;
        }
        const double gain = cost + partner.cost - cost_with(work, other, stops) -
                            cost_with(work, tour, partner.stops);
        if (gain > least_gain * std::max(1.0, cost + partner.cost)) found.push_back({gain, other});
    }
    std::ranges::stable_sort(found, std::greater{}, &Exchange::gain);
    return found;
}

bool find_exchange(Workspace& work, std::size_t tour) {
    for (const Exchange& candidate : exchanges_of(work, tour)) {
        if (work.was_cut_off()) return false;
        if (!is_possible(work, candidate.other, work.tours[tour].stops)) continue;
        if (!is_possible(work, tour, work.tours[candidate.other].stops)) continue;
        exchange(work, tour, candidate.other);
        if (work.is_relaxed) return true;
        improve_order(work, tour);
        improve_order(work, candidate.other);
        return true;
    }
    return false;
}

}  // namespace

void change_a_kind(Workspace& work) {
    const std::vector<std::size_t>& ruined = work.tours.changed();
    if (ruined.empty()) return;
    const std::size_t tour = ruined[work.random.below(ruined.size())];
    const std::size_t own_kind = work.tours.kind_of(tour);
    std::size_t kind = work.random.below(work.kinds.size() - 1);
    if (kind >= own_kind) ++kind;
    std::size_t other = free_tour_of(work, kind);
    if (other == nobody) {
        const std::size_t count = work.tours.end_of(kind) - work.tours.first_of(kind);
        if (count == 0) return;
        other = work.tours.first_of(kind) + work.random.below(count);
    }
    if (work.locked_stops(tour) > 0 || work.locked_stops(other) > 0) return;
    exchange(work, tour, other);
    make_possible(work, tour);
    make_possible(work, other);
}

void improve_kinds(Workspace& work) {
    const std::vector<std::size_t> changed = work.tours.changed();
    for (const std::size_t tour : changed) {
        while (!work.was_cut_off() && !work.tours[tour].stops.empty() &&
               work.locked_stops(tour) == 0 && find_exchange(work, tour)) {
        }
    }
}

}  // namespace tailgate::routing
