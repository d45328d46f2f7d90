#include "recreate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "group_insertion.hpp"

namespace tailgate::routing {

constexpr double blink_chance = 0.01;  // to overlook a position
constexpr std::size_t optimistic_attempts = 4;
constexpr double careful_chance = 0.1;
// With more loading checks per iteration than this, only promising routes are asked for.
constexpr double many_checks = 0.02;
// Leaving out is weighed at its cost, or at a multiple of it: who is too expensive alone may be
// worth the way together with others.
constexpr double exact_patience_chance = 0.3;
constexpr double least_patience = 0.5;
constexpr double most_patience = 8.0;
constexpr double overlook_kind_chance = 0.25;  // that no further vehicle of some kind leaves
constexpr std::size_t most_company =
    3;  // whom a customer who cannot be visited alone is tried with

namespace {

// By more than a sum may lose in another order.
bool exceeds(double sum, double limit) {
    return sum > limit + 1e-9 * limit;
}

}  // namespace

Recreate::KindCosts::KindCosts(const VehicleKind& kind)
    : has_more_than_arcs(kind.rules.has_closed_arcs || kind.rules.has_waiting_cost ||
                         kind.rules.has_max_duration || kind.rules.has_max_distance) {
    if (!kind.rules.has_directed_costs) return;
    const RoutingProblem& problem = kind.problem;
    costs_to.reserve(problem.costs.size());
    for (Place to = 0; to <= problem.customers; ++to) {
        for (Place from = 0; from <= problem.customers; ++from)
            costs_to.push_back(problem.cost_between(from, to));
    }
}

Recreate::Recreate(Workspace& work)
    : work_(work),
      is_extended_(work.tours.count(), false),
      is_group_tried_(work.groups.count(), false) {
    for (const VehicleKind& kind : work.kinds) kind_costs_.emplace_back(kind);
    for (Place place = 0; place <= work.problem.customers(); ++place)
        depot_nearness_.push_back(work.nearness(0, place));
    const std::vector<double>& costs = work.leave_out_costs;
    const auto optional = std::ranges::count_if(costs, [](double cost) { return cost < infinity; });
    std::vector<Place> everybody(to_index(work.problem.customers()));
    std::iota(everybody.begin(), everybody.end(), 1);
    if (optional > 0)
        mean_leave_out_cost_ = work.cost_of_leaving_out(everybody) / static_cast<double>(optional);
    find_needs_of_company();
}

void Recreate::find_needs_of_company() {
    std::vector<bool> needs_company(work_.problem.places(), false);
    bool somebody = false;
    for (Place customer = 1; customer <= work_.problem.customers(); ++customer) {
        bool may_come = false;
        bool may_come_alone = false;
        for (std::size_t index = 0; index < work_.kinds.size(); ++index) {
            const VehicleKind& kind = work_.kinds[index];
            if (!kind.problem.may_visit(customer)) continue;
            may_come = true;
            // Rounding alone brings nobody nearer by a detour.
            may_come_alone |=
                (!kind_costs_[index].has_more_than_arcs && kind.problem.durations.empty()) ||
                kind.keeps_limits({customer});
        }
        needs_company[to_index(customer)] = may_come && !may_come_alone;
        somebody |= may_come && !may_come_alone;
    }
    if (somebody) needs_company_ = std::move(needs_company);
}

bool Recreate::run(const Terms& terms) {
    terms_ = terms;
    order_unserved();
    draw_patience();
    overlooked_kind_ = work_.has_kinds() && work_.random.chance(overlook_kind_chance)
                           ? work_.random.below(work_.kinds.size())
                           : nobody;
    const std::vector<Place> waiting = work_.unserved;
    const double ruined_cost = work_.tours.cost() + terms.cost_elsewhere;
    const bool may_be_careful = terms.threshold == std::numeric_limits<double>::infinity() ||
                                work_.random.chance(careful_chance);
    for (std::size_t attempt = 0; attempt <= optimistic_attempts; ++attempt) {
        is_optimistic_ = attempt < optimistic_attempts;
        if (!is_optimistic_ && !may_be_careful) return false;
        budget_ = terms.threshold - ruined_cost;
        insert_all(waiting);
        if (is_over_budget_) return false;
        if (work_.was_cut_off() || !is_optimistic_ || has_loadable_tours()) return true;
        for (const Place customer : waiting) work_.tours.take_out(customer);
    }
    return true;
}

void Recreate::draw_patience() {
    if (work_.leave_out_costs.empty() || work_.random.chance(exact_patience_chance)) {
        patience_ = 1.0;
        extra_patience_ = 0.0;
        return;
    }
    patience_ = least_patience * std::pow(most_patience / least_patience, work_.random.fraction());
    extra_patience_ = mean_leave_out_cost_ * std::max(0.0, patience_ - 1.0);
}

void Recreate::insert_all(const std::vector<Place>& waiting) {
    is_over_budget_ = false;
    work_.unserved.clear();
    std::fill(is_extended_.begin(), is_extended_.end(), false);
    std::fill(is_group_tried_.begin(), is_group_tried_.end(), false);
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        if (is_over_budget_ || work_.was_cut_off()) return;
        const Place customer = waiting[i];
        if (work_.tours.tour_of(customer) != Tours::nowhere) continue;  // in company
        const std::size_t group = work_.groups.of(customer);
        if (group != Groups::none ? insert_group(group) : insert(customer, waiting.size() - i))
            continue;
        if (group != Groups::none || !insert_in_company(customer, waiting))
            leave_unserved(customer);
    }
}

void Recreate::leave_unserved(Place customer) {
    work_.unserved.push_back(customer);
    const double cost = leave_out_cost_of(customer);
    if (cost == infinity) return;
    budget_ -= cost;
    // No insertion was too expensive in itself: this one is just not worth its cost.
    is_over_budget_ = budget_ < 0.0;
}

bool Recreate::has_loadable_tours() {
    if (work_.is_relaxed) return true;
    return std::all_of(
        work_.tours.changed().begin(), work_.tours.changed().end(), [this](std::size_t tour) {
            // What is left of a loadable tour is loadable.
            return !is_extended_[tour] ||
                   work_.prove_filled(work_.tours.kind_of(tour), work_.tours[tour].stops,
                                      work_.tours[tour].area);
        });
}

void Recreate::order_unserved() {
    work_.random.shuffle(work_.unserved);
    const auto sort_by = [this](auto value) {
        std::ranges::stable_sort(work_.unserved, {}, value);
    };
    const RoutingProblem& any_kind = work_.kinds.front().problem;
    std::int64_t capacity = 0;
    std::int64_t floor_area = 0;
    for (const VehicleKind& kind : work_.kinds) {
        capacity = std::max(capacity, kind.problem.capacity);
        floor_area = std::max(floor_area, kind.problem.floor_area);
    }
    const auto size = [&](Place customer) {
        const auto index = to_index(customer);
        return std::max(
            static_cast<double>(any_kind.weights[index]) / static_cast<double>(capacity),
            static_cast<double>(any_kind.areas[index]) / static_cast<double>(floor_area));
    };
    const auto ready = [&](Place customer) { return any_kind.ready_times[to_index(customer)]; };
    const auto due = [&](Place customer) { return any_kind.due_times[to_index(customer)]; };
    const auto far = [this](Place customer) { return depot_nearness_[to_index(customer)]; };
    const std::size_t windows_end = work_.has_windows ? 14 : 11;
    const std::size_t choice =
        work_.random.below(windows_end + (work_.leave_out_costs.empty() ? 0 : 5));
    if (choice < 4) return;
    if (choice < 8) return sort_by([&](Place customer) { return -size(customer); });
    if (choice < 10) return sort_by([&](Place customer) { return -far(customer); });
    if (choice == 10) return sort_by(far);
    if (choice >= windows_end)
        return sort_by([&](Place customer) { return -leave_out_cost_of(customer); });
    if (choice == 11) return sort_by(due);
    if (choice == 12) return sort_by([&](Place customer) { return -ready(customer); });
    sort_by([&](Place customer) { return due(customer) - ready(customer); });
}

bool Recreate::insert_group(std::size_t group) {
    if (is_group_tried_[group]) return false;
    is_group_tried_[group] = true;
    double leave_out_cost = 0.0;
    for (const Place member : work_.groups[group].members)
        leave_out_cost += leave_out_cost_of(member);
    const std::vector<Place>& members = work_.groups[group].members;
    for (const GroupInsertion& insertion :
         insertions_of(work_, work_.groups[group], most_cost_of(leave_out_cost))) {
        if (work_.was_cut_off()) return false;
        if (!is_loadable(insertion.tour, insertion.stops, members)) continue;
        work_.tours.assign(insertion.tour, insertion.stops);
        is_extended_[insertion.tour] = true;
        budget_ -= insertion.cost;
        return true;
    }
    return false;
}

bool Recreate::insert(Place customer, std::size_t waiting) {
    // When only just enough customers wait for the tours that are too short, those come first.
    const auto wanted = to_index(work_.tours.shortage());
    most_cost_ = budget_;
    if (wanted > 0 && waiting <= wanted) {
        collect_insertions(customer, true, true);
        if (insert_cheapest({&customer, 1})) return true;
        if (is_over_budget_) return false;
    }
    // A new tour that nobody is left to complete would break the rules.
    const std::int32_t change = work_.tours.shortage_of(1) - work_.tours.shortage_of(0);
    const bool may_open = change <= 0 || waiting > wanted + to_index(change);
    most_cost_ = most_cost_of(leave_out_cost_of(customer));
    collect_insertions(customer, false, may_open);
    return insert_cheapest({&customer, 1});
}

bool Recreate::insert_in_company(Place customer, const std::vector<Place>& waiting) {
    if (needs_company_.empty() || !needs_company_[to_index(customer)] || is_over_budget_)
        return false;
    company_.assign(1, customer);
    std::vector<Place> others;
    for (const Place other : waiting) {
        if (other != customer && work_.tours.tour_of(other) == Tours::nowhere &&
            work_.groups.of(other) == Groups::none)
            others.push_back(other);
    }
    work_.random.shuffle(others);
    others.resize(std::min(others.size(), most_company));
    for (const Place other : others) {
        if (work_.was_cut_off()) return false;
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

bool Recreate::may_share(std::span<const Place> customers, std::size_t kind) const {
    for (std::size_t i = 0; i < customers.size(); ++i) {
        if (!work_.kinds[kind].problem.may_visit(customers[i])) return false;
        for (std::size_t j = 0; j < i && !work_.problem.apart.empty(); ++j) {
            if (work_.loading[kind].are_known_to_clash(customers[i], customers[j])) return false;
        }
    }
    return true;
}

void Recreate::collect_insertions_of(std::span<const Place> customers) {
    insertions_.clear();
    has_insertions_over_budget_ = false;
    for (std::size_t kind = 0; kind < work_.kinds.size(); ++kind) {
        if (!may_share(customers, kind)) continue;
        bool has_seen_empty = false;
        for (std::size_t index = work_.tours.first_of(kind); index < work_.tours.end_of(kind);
             ++index) {
            if (work_.tours[index].stops.empty() && std::exchange(has_seen_empty, true)) continue;
            collect_insertions_of_into(customers, index);
        }
    }
}

void Recreate::collect_insertions_of_into(std::span<const Place> customers, std::size_t index) {
    const VehicleKind& kind = work_.kind_of(index);
    const Tour& tour = work_.tours[index];
    std::int64_t weight = tour.weight;
    std::int64_t area = tour.area;
    for (const Place customer : customers) {
        weight += kind.problem.weights[to_index(customer)];
        area += kind.problem.areas[to_index(customer)];
    }
    if (weight > kind.problem.capacity || area > kind.problem.floor_area) return;
    for (std::size_t position = 0; position <= tour.stops.size(); ++position) {
        order_ = tour.stops;
        order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(position), customers.begin(),
                      customers.end());
        if (!kind.keeps_limits(order_)) continue;
        const double cost = kind.problem.cost(order_) - tour.cost;
        if (cost <= budget_) insertions_.push_back({cost, index, position});
    }
}

void Recreate::collect_insertions(Place customer, bool only_short_tours, bool may_open) {
    insertions_.clear();
    has_insertions_over_budget_ = false;
    for (std::size_t kind = 0; kind < work_.kinds.size(); ++kind) {
        const RoutingProblem& problem = work_.kinds[kind].problem;
        if (!problem.may_visit(customer)) continue;
        const LoadingCheck& loading = work_.loading[kind];
        const std::int64_t most_weight = problem.capacity - problem.weights[to_index(customer)];
        const std::int64_t most_area = problem.floor_area - problem.areas[to_index(customer)];
        const std::size_t most_stops = work_.kinds[kind].most_stops;
        // Of several empty tours of one kind the first is enough.
        bool has_seen_empty = !may_open || kind == overlooked_kind_;
        for (std::size_t index = work_.tours.first_of(kind); index < work_.tours.end_of(kind);
             ++index) {
            const Tour& tour = work_.tours[index];
            if (tour.stops.empty() && std::exchange(has_seen_empty, true)) continue;
            if (only_short_tours && work_.tours.shortage_of(tour.stops.size()) == 0) continue;
            if (tour.weight > most_weight || tour.area > most_area ||
                tour.stops.size() >= most_stops)
                continue;
            if (!has_clash(loading, customer, tour.stops))
                collect_insertions_into(kind, index, customer);
        }
    }
}

void Recreate::collect_insertions_into(std::size_t kind_index, std::size_t tour, Place customer) {
    const std::vector<Place>& stops = work_.tours[tour].stops;
    const VehicleKind& kind = work_.kinds[kind_index];
    const KindCosts& more = kind_costs_[kind_index];
    const std::size_t places = kind.places;
    const double* costs = kind.problem.costs.data();
    const double* costs_from = costs + to_index(customer) * places;
    const double* costs_to =
        more.costs_to.empty() ? costs_from : more.costs_to.data() + to_index(customer) * places;
    const bool has_windows = kind.rules.has_windows;
    const bool has_more_than_arcs = more.has_more_than_arcs;
    const double most_cost = most_cost_;
    // Before or after a single stop is the same tour, if the direction does not matter.
    const std::size_t positions =
        stops.size() == 1 && !kind.rules.is_directed ? 1 : stops.size() + 1;
    const auto count = static_cast<std::int64_t>(positions);
    const bool may_overlook = positions_to_blink_ < count;
    if (!may_overlook) positions_to_blink_ -= count;
    std::size_t after = 0;
    for (std::size_t position = 0; position < positions; ++position) {
        const std::size_t before = after;
        after = position < stops.size() ? to_index(stops[position]) : 0;
        if (may_overlook && overlooks_next()) continue;
        if (has_windows && !work_.tours.could_be_in_time(kind, tour, position, customer)) continue;
        double cost = costs_to[before] + costs_from[after] - costs[before * places + after];
        if (has_more_than_arcs) {
            if (cost == infinity) continue;
            cost += cost_beyond_arcs(customer, tour, position, static_cast<Place>(before),
                                     static_cast<Place>(after));
            if (cost == infinity) continue;
        }
        if (cost > most_cost) {
            has_insertions_over_budget_ = true;
        } else {
            insertions_.push_back({cost, tour, position});
        }
    }
}

double Recreate::cost_beyond_arcs(Place customer, std::size_t index, std::size_t position,
                                  Place before, Place after) const {
    const VehicleKind& kind = work_.kind_of(index);
    const RoutingProblem& problem = kind.problem;
    const Tour& tour = work_.tours[index];
    if (kind.rules.has_max_distance) {
        const double distance = tour.distance + problem.distance_between(before, customer) +
                                problem.distance_between(customer, after) -
                                problem.distance_between(before, after);
        if (exceeds(distance, problem.max_distance)) return infinity;
    }
    if (!kind.rules.has_waiting_cost && !kind.rules.has_max_duration) return 0.0;
    const TimeSegment time = work_.tours.time_with(index, position, customer);
    if (exceeds(time.duration(), problem.longest_duration())) return infinity;
    return problem.waiting_cost * (time.waiting - tour.waiting);
}

bool Recreate::insert_cheapest(std::span<const Place> customers) {
    const auto is_more_expensive = [](const Insertion& a, const Insertion& b) {
        if (a.cost != b.cost) return a.cost > b.cost;
        return a.tour != b.tour ? a.tour > b.tour : a.position > b.position;
    };
    // Mostly the cheapest will do: the others are put in order only where it does not.
    bool is_heap = false;
    while (!insertions_.empty() && !work_.was_cut_off()) {
        if (is_heap) {
            std::ranges::pop_heap(insertions_, is_more_expensive);
        } else {
            std::swap(*std::ranges::max_element(insertions_, is_more_expensive),
                      insertions_.back());
        }
        const Insertion cheapest = insertions_.back();
        insertions_.pop_back();
        if (is_possible(customers, cheapest)) {
            for (std::size_t i = 0; i < customers.size(); ++i)
                work_.tours.insert(cheapest.tour, cheapest.position + i, customers[i]);
            is_extended_[cheapest.tour] = true;
            budget_ -= cheapest.cost;
            return true;
        }
        if (!is_heap) std::ranges::make_heap(insertions_, is_more_expensive);
        is_heap = true;
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
    const LoadingCheck& loading = work_.loading_of(insertion.tour);
    const std::vector<Place>& stops = work_.tours[insertion.tour].stops;
    // For one customer the tours were chosen by that; what was learnt since then is of checks.
    if ((!is_optimistic_ || customers.size() > 1) &&
        std::any_of(customers.begin(), customers.end(),
                    [&](Place customer) { return has_clash(loading, customer, stops); }))
        return false;
    const VehicleKind& kind = work_.kind_of(insertion.tour);
    if (work_.is_relaxed && !kind.rules.has_limits) return true;
    order_ = stops;
    order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(insertion.position),
                  customers.begin(), customers.end());
    return kind.keeps_limits(order_) && is_loadable(insertion.tour, order_, customers);
}

bool Recreate::is_loadable(std::size_t tour, const std::vector<Place>& stops,
                           std::span<const Place> newcomers) {
    if (work_.is_relaxed) return true;
    const VehicleKind& kind = work_.kind_of(tour);
    LoadingCheck& loading = work_.loading_of(tour);
    std::int64_t area = work_.tours[tour].area;
    for (const Place customer : newcomers) area += kind.problem.areas[to_index(customer)];
    const bool is_selective =
        static_cast<double>(work_.checks()) > many_checks * static_cast<double>(terms_.iterations);
    if (!(is_selective ? loading.might_load_filled(stops, kind.fill_of(area), work_.random)
                       : loading.might_load(stops, work_.random)))
        return false;
    if (is_optimistic_ || work_.prove_filled(work_.tours.kind_of(tour), stops, area)) return true;
    for (const Place customer : newcomers) loading.learn_clashes(customer, work_.tours[tour].stops);
    return false;
}

}  // namespace tailgate::routing
