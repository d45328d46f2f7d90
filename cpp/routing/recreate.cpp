#include "recreate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tailgate::routing {

constexpr double blink_chance = 0.01;  // to overlook a position
constexpr std::size_t optimistic_attempts = 4;
constexpr double careful_chance = 0.1;
// With more loading checks per iteration than this, only promising routes are asked for.
constexpr double many_checks = 0.02;
constexpr std::size_t most_company =
    3;  // whom a customer who cannot be visited alone is tried with

namespace {

// By more than a sum may lose in another order.
bool exceeds(double sum, double limit) {
    return sum > limit + 1e-9 * limit;
}

}  // namespace

Recreate::Recreate(Workspace& work)
    : work_(work),
      has_more_than_arcs_(work.rules.has_closed_arcs || work.rules.has_waiting_cost ||
                          work.rules.has_max_duration || work.rules.has_max_distance),
      is_extended_(work.tours.count(), false) {
    // Rounding alone brings nobody nearer by a detour.
    if (has_more_than_arcs_ || !work.problem.durations.empty()) {
        std::vector<bool> needs_company(work.problem.places(), false);
        bool somebody = false;
        for (Place customer = 1; customer <= work.problem.customers; ++customer) {
            const bool needs = !work.keeps_limits({customer});
            needs_company[to_index(customer)] = needs;
            somebody |= needs;
        }
        if (somebody) needs_company_ = std::move(needs_company);
    }
    if (!work.rules.has_directed_costs) return;
    costs_to_.reserve(work.problem.costs.size());
    for (Place to = 0; to <= work.problem.customers; ++to) {
        for (Place from = 0; from <= work.problem.customers; ++from)
            costs_to_.push_back(work.problem.cost_between(from, to));
    }
}

bool Recreate::run(const Terms& terms) {
    terms_ = terms;
    order_unserved();
    const std::vector<Place> waiting = work_.unserved;
    const double ruined_cost = work_.tours.cost();
    const bool may_be_careful = terms.threshold == std::numeric_limits<double>::infinity() ||
                                work_.random.chance(careful_chance);
    for (std::size_t attempt = 0; attempt <= optimistic_attempts; ++attempt) {
        is_optimistic_ = attempt < optimistic_attempts;
        if (!is_optimistic_ && !may_be_careful) return false;
        budget_ = terms.threshold - ruined_cost;
        insert_all(waiting);
        if (is_over_budget_) return false;
        if (work_.loading.was_cut_off() || !is_optimistic_ || has_loadable_tours()) return true;
        for (const Place customer : waiting) work_.tours.take_out(customer);
    }
    return true;
}

void Recreate::insert_all(const std::vector<Place>& waiting) {
    is_over_budget_ = false;
    work_.unserved.clear();
    std::fill(is_extended_.begin(), is_extended_.end(), false);
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        if (is_over_budget_ || work_.loading.was_cut_off()) return;
        const Place customer = waiting[i];
        if (work_.tours.tour_of(customer) != Tours::nowhere) continue;  // in company
        if (insert(customer, waiting.size() - i)) continue;
        if (!insert_in_company(customer, waiting)) work_.unserved.push_back(customer);
    }
}

bool Recreate::has_loadable_tours() {
    if (terms_.is_relaxed) return true;
    return std::all_of(
        work_.tours.changed().begin(), work_.tours.changed().end(), [this](std::size_t tour) {
            // What is left of a loadable tour is loadable.
            return !is_extended_[tour] ||
                   work_.prove_filled(work_.tours[tour].stops, fill_of(work_.tours[tour].area));
        });
}

void Recreate::order_unserved() {
    work_.random.shuffle(work_.unserved);
    const auto sort_by = [this](auto value) {
        std::ranges::stable_sort(work_.unserved, {}, value);
    };
    const auto size = [this](Place customer) {
        const auto index = to_index(customer);
        return std::max(static_cast<double>(work_.problem.weights[index]) /
                            static_cast<double>(work_.problem.capacity),
                        static_cast<double>(work_.problem.areas[index]) /
                            static_cast<double>(work_.problem.floor_area));
    };
    const auto ready = [this](Place customer) {
        return work_.problem.ready_times[to_index(customer)];
    };
    const auto due = [this](Place customer) { return work_.problem.due_times[to_index(customer)]; };
    const std::size_t choice = work_.random.below(work_.rules.has_windows ? 14 : 11);
    if (choice < 4) return;
    if (choice < 8) return sort_by([&](Place customer) { return -size(customer); });
    if (choice < 10)
        return sort_by([&](Place customer) { return -work_.problem.nearness(0, customer); });
    if (choice == 10)
        return sort_by([&](Place customer) { return work_.problem.nearness(0, customer); });
    if (choice == 11) return sort_by(due);
    if (choice == 12) return sort_by([&](Place customer) { return -ready(customer); });
    sort_by([&](Place customer) { return due(customer) - ready(customer); });
}

bool Recreate::insert(Place customer, std::size_t waiting) {
    // When only just enough customers wait for the tours that are too short, those come first.
    const auto wanted = to_index(work_.tours.shortage());
    if (wanted > 0 && waiting <= wanted) {
        collect_insertions(customer, true, true);
        if (insert_cheapest({&customer, 1})) return true;
        if (is_over_budget_) return false;
    }
    // A new tour that nobody is left to complete would break the rules.
    const std::int32_t change = work_.tours.shortage_of(1) - work_.tours.shortage_of(0);
    const bool may_open = change <= 0 || waiting > wanted + to_index(change);
    collect_insertions(customer, false, may_open);
    return insert_cheapest({&customer, 1});
}

bool Recreate::insert_in_company(Place customer, const std::vector<Place>& waiting) {
    if (needs_company_.empty() || !needs_company_[to_index(customer)] || is_over_budget_)
        return false;
    company_.assign(1, customer);
    std::vector<Place> others;
    for (const Place other : waiting) {
        if (other != customer && work_.tours.tour_of(other) == Tours::nowhere)
            others.push_back(other);
    }
    work_.random.shuffle(others);
    others.resize(std::min(others.size(), most_company));
    for (const Place other : others) {
        if (work_.loading.was_cut_off()) return false;
        company_.insert(work_.random.chance(0.5) ? company_.begin() : company_.end(), other);
        collect_insertions_of(company_);
        if (!insert_cheapest(company_)) continue;
        std::erase_if(work_.unserved, [this](Place unserved) {
            return work_.tours.tour_of(unserved) != Tours::nowhere;
        });
        return true;
    }
    return false;
}

void Recreate::collect_insertions_of(std::span<const Place> customers) {
    insertions_.clear();
    has_insertions_over_budget_ = false;
    const RoutingProblem& problem = work_.problem;
    std::int64_t weight = 0;
    std::int64_t area = 0;
    for (const Place customer : customers) {
        weight += problem.weights[to_index(customer)];
        area += problem.areas[to_index(customer)];
    }
    bool has_seen_empty = false;
    for (std::size_t index = 0; index < work_.tours.count(); ++index) {
        const Tour& tour = work_.tours[index];
        if (tour.stops.empty() && std::exchange(has_seen_empty, true)) continue;
        if (tour.weight + weight > problem.capacity || tour.area + area > problem.floor_area)
            continue;
        for (std::size_t position = 0; position <= tour.stops.size(); ++position) {
            order_ = tour.stops;
            order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(position), customers.begin(),
                          customers.end());
            if (!work_.keeps_limits(order_)) continue;
            const double cost = problem.cost(order_) - tour.cost;
            if (cost <= budget_) insertions_.push_back({cost, index, position});
        }
    }
}

void Recreate::collect_insertions(Place customer, bool only_short_tours, bool may_open) {
    insertions_.clear();
    has_insertions_over_budget_ = false;
    const std::size_t row = to_index(customer) * work_.problem.places();
    const double* costs_from = work_.problem.costs.data() + row;
    const double* costs_to = costs_to_.empty() ? costs_from : costs_to_.data() + row;
    bool has_seen_empty = !may_open;
    for (std::size_t tour = 0; tour < work_.tours.count(); ++tour) {
        const std::vector<Place>& stops = work_.tours[tour].stops;
        if (stops.empty() && std::exchange(has_seen_empty, true)) continue;
        if (only_short_tours && work_.tours.shortage_of(stops.size()) == 0) continue;
        if (!work_.tours.has_room(tour, customer)) continue;
        if (clashes(customer, stops)) continue;
        // Before or after a single stop is the same tour, if the direction does not matter.
        const std::size_t positions =
            stops.size() == 1 && !work_.rules.is_directed ? 1 : stops.size() + 1;
        Place after = 0;
        for (std::size_t position = 0; position < positions; ++position) {
            const Place before = after;
            after = position < stops.size() ? stops[position] : Place{0};
            if (overlooks_next()) continue;
            if (work_.rules.has_windows && !work_.tours.could_be_in_time(tour, position, customer))
                continue;
            double cost = costs_to[to_index(before)] + costs_from[to_index(after)] -
                          work_.problem.cost_between(before, after);
            if (has_more_than_arcs_) {
                if (cost == infinity) continue;
                cost += cost_beyond_arcs(customer, tour, position, before, after);
                if (cost == infinity) continue;
            }
            if (cost > budget_) {
                has_insertions_over_budget_ = true;
            } else {
                insertions_.push_back({cost, tour, position});
            }
        }
    }
}

double Recreate::cost_beyond_arcs(Place customer, std::size_t index, std::size_t position,
                                  Place before, Place after) const {
    const RoutingProblem& problem = work_.problem;
    const Tour& tour = work_.tours[index];
    if (work_.rules.has_max_distance) {
        const double distance = tour.distance + problem.distance_between(before, customer) +
                                problem.distance_between(customer, after) -
                                problem.distance_between(before, after);
        if (exceeds(distance, problem.max_distance)) return infinity;
    }
    if (!work_.rules.has_waiting_cost && !work_.rules.has_max_duration) return 0.0;
    const TimeSegment time = work_.tours.time_with(index, position, customer);
    if (exceeds(time.duration(), problem.longest_duration())) return infinity;
    return problem.waiting_cost * (time.waiting - tour.waiting);
}

bool Recreate::insert_cheapest(std::span<const Place> customers) {
    const auto is_more_expensive = [](const Insertion& a, const Insertion& b) {
        if (a.cost != b.cost) return a.cost > b.cost;
        return a.tour != b.tour ? a.tour > b.tour : a.position > b.position;
    };
    std::make_heap(insertions_.begin(), insertions_.end(), is_more_expensive);
    while (!insertions_.empty() && !work_.loading.was_cut_off()) {
        std::pop_heap(insertions_.begin(), insertions_.end(), is_more_expensive);
        const Insertion cheapest = insertions_.back();
        insertions_.pop_back();
        if (!is_possible(customers, cheapest)) continue;
        for (std::size_t i = 0; i < customers.size(); ++i)
            work_.tours.insert(cheapest.tour, cheapest.position + i, customers[i]);
        is_extended_[cheapest.tour] = true;
        budget_ -= cheapest.cost;
        return true;
    }
    is_over_budget_ = has_insertions_over_budget_;
    return false;
}

bool Recreate::overlooks_next() {
    // How many are seen until one is overlooked is drawn at once, not for each of them.
    if (positions_to_blink_ < 0) {
        positions_to_blink_ = static_cast<std::int64_t>(std::log(1.0 - work_.random.fraction()) /
                                                        std::log(1.0 - blink_chance));
    }
    return positions_to_blink_-- == 0;
}

bool Recreate::is_possible(std::span<const Place> customers, const Insertion& insertion) {
    const std::vector<Place>& stops = work_.tours[insertion.tour].stops;
    if (std::any_of(customers.begin(), customers.end(),
                    [&](Place customer) { return clashes(customer, stops); }))
        return false;
    if (terms_.is_relaxed && !work_.rules.has_limits) return true;
    order_ = stops;
    order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(insertion.position),
                  customers.begin(), customers.end());
    if (!work_.keeps_limits(order_)) return false;
    if (terms_.is_relaxed) return true;
    std::int64_t area = work_.tours[insertion.tour].area;
    for (const Place customer : customers) area += work_.problem.areas[to_index(customer)];
    const double fill = fill_of(area);
    const bool is_selective = static_cast<double>(work_.loading.checks()) >
                              many_checks * static_cast<double>(terms_.iterations);
    if (!(is_selective ? work_.loading.might_load_filled(order_, fill, work_.random)
                       : work_.loading.might_load(order_, work_.random)))
        return false;
    if (is_optimistic_ || work_.prove_filled(order_, fill)) return true;
    for (const Place customer : customers) work_.loading.learn_clashes(customer, stops);
    return false;
}

}  // namespace tailgate::routing
