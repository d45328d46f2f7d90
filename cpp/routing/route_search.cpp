#include "route_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "kind_change.hpp"
#include "leaving_out.hpp"
#include "order_improvement.hpp"

namespace tailgate::routing {

constexpr std::size_t most_unserved_tried = 8;  // in one iteration
// When nothing better is found, harder loading queries are worth an answer.
constexpr std::int64_t most_effort_growth = 32;

constexpr double cost_tolerance = 1e-9;

namespace {

FleetProblem checked(FleetProblem problem, std::size_t oracles) {
    problem.validate();
    if (oracles != problem.kinds.size())
        throw std::invalid_argument("there must be one oracle for every kind");
    return problem;
}

}  // namespace

RouteSearch::RouteSearch(FleetProblem problem, const std::vector<packing::LoadingOracle*>& oracles,
                         SearchOptions options)
    : options_(options),
      work_(checked(std::move(problem), oracles.size()), oracles, options),
      is_hopeless_(work_.problem.has_wrong_number_of_customers()),
      relaxed_start_(work_),
      ruin_(work_),
      recreate_(work_),
      schedule_(work_.problem.customers()),
      absences_(work_.problem.places(), 1) {}

void RouteSearch::run(const SearchLimits& limits) {
    if (is_hopeless_) return;
    run_started_ = Clock::now();
    Clock::time_point deadline = Clock::time_point::max();
    // Compared in seconds first: a far deadline would overflow the clock.
    constexpr double a_century = 3.2e9;
    if (limits.max_seconds >= 0 && limits.max_seconds < a_century) {
        deadline = run_started_ + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(limits.max_seconds));
    }
    const auto must_stop = [&] {
        return (deadline != Clock::time_point::max() && Clock::now() >= deadline) ||
               (limits.interrupted && limits.interrupted());
    };
    for (LoadingCheck& loading : work_.loading) loading.set_limits(deadline, must_stop);
    const std::int64_t last_iteration = limits.max_iterations < 0
                                            ? std::numeric_limits<std::int64_t>::max()
                                            : iterations_ + limits.max_iterations;
    while (iterations_ < last_iteration && !must_stop()) {
        if (is_started_) {
            iterate();
        } else {
            start(must_stop);
        }
        // Cut off, it begins the same step again next time.
        if (work_.was_cut_off() || !is_started_) break;
        ++iterations_;
    }
    seconds_before_run_ = seconds_in_run();
    run_started_ = Clock::time_point{};
}

double RouteSearch::seconds_in_run() const {
    if (run_started_ == Clock::time_point{}) return seconds_before_run_;
    return seconds_before_run_ + std::chrono::duration<double>(Clock::now() - run_started_).count();
}

SearchStatistics RouteSearch::statistics() const {
    return {iterations_,
            work_.checks(),
            work_.skipped(),
            work_.loading.front().max_nodes(),
            seconds_in_run(),
            improvements_};
}

// ---- Solutions from elsewhere ----

bool RouteSearch::offer(const std::vector<Route>& routes, bool is_proven, std::int64_t max_nodes,
                        std::function<bool()> interrupted) {
    work_.problem.check_solution(routes);
    std::vector<bool> is_served(work_.problem.places(), false);
    double cost = 0.0;
    for (const Route& route : routes) {
        cost += work_.kinds[route.kind].problem.cost(route.stops);
        for (const Place stop : route.stops) is_served[to_index(stop)] = true;
    }
    for (Place customer = 1; customer <= work_.problem.customers(); ++customer) {
        if (!is_served[to_index(customer)]) cost += work_.problem.leave_out_costs[to_index(customer)];
    }
    for (LoadingCheck& loading : work_.loading)
        loading.set_limits(Clock::time_point::max(), interrupted);
    bool can_load = true;
    for (const Route& route : routes) {
        LoadingCheck& loading = work_.loading[route.kind];
        if (is_proven) {
            loading.believe(route.stops);
        } else if (!loading.can_load_at_last(route.stops, max_nodes)) {
            if (work_.was_cut_off()) return false;
            can_load = false;
            continue;
        }
        work_.pool.offer(route.kind, route.stops, cost);
    }
    if (!can_load || !is_better_than_best(cost)) return false;
    go_on_from(routes);
    return true;
}

void RouteSearch::go_on_from(const std::vector<Route>& routes) {
    for (std::size_t tour = 0; tour < work_.tours.count(); ++tour) work_.tours.assign(tour, {});
    for (std::size_t kind = 0; kind < work_.kinds.size(); ++kind) {
        std::size_t tour = work_.tours.first_of(kind);
        for (const Route& route : routes) {
            if (route.kind == kind) work_.tours.assign(tour++, route.stops);
        }
    }
    work_.unserved.clear();
    for (Place customer = 1; customer <= work_.problem.customers(); ++customer) {
        if (work_.tours.tour_of(customer) == Tours::nowhere) work_.unserved.push_back(customer);
    }
    set_current(deficit(), cost_of_solution());
    if (!schedule_.has_scale()) set_scale();
    if (is_started_) {
        schedule_.begin_again(iterations_);
    } else {
        schedule_.begin_first(iterations_);
    }
    is_started_ = true;
    keep(current_deficit_, current_cost_);
    work_.tours.commit();
}

// ---- The beginning ----

void RouteSearch::start(const std::function<bool()>& must_stop) {
    if (!relaxed_start_.is_over()) run_relaxed(must_stop);
    if (!relaxed_start_.is_over()) return;
    repair(work_);
    work_.tours.commit();
    if (work_.was_cut_off()) return;
    std::ranges::fill(absences_, 1);
    is_started_ = true;
    set_current(deficit(), cost_of_solution());
    keep(current_deficit_, current_cost_);
    for (std::size_t tour = 0; tour < work_.tours.count(); ++tour) {
        work_.keep(work_.tours.kind_of(tour), work_.tours[tour].stops,
                   value_of(current_deficit_, current_cost_));
    }
    to_prove_ = relaxed_start_.routes_to_prove();
    schedule_.begin_first(iterations_);
}

void RouteSearch::run_relaxed(const std::function<bool()>& must_stop) {
    std::vector<std::int64_t> floor_areas = relaxed_start_.floor_areas();
    const auto exchange_floor_areas = [&] {
        for (std::size_t kind = 0; kind < work_.kinds.size(); ++kind)
            std::swap(work_.kinds[kind].problem.floor_area, floor_areas[kind]);
    };
    exchange_floor_areas();
    work_.is_relaxed = true;
    if (!relaxed_start_.has_begun()) {
        work_.unserved.resize(to_index(work_.problem.customers()));
        std::iota(work_.unserved.begin(), work_.unserved.end(), 1);
        recreate(infinity);
        set_current(deficit(), cost_of_solution());
        work_.tours.commit();
        set_scale();
        schedule_.begin_relaxed(relaxed_start_.length());
        relaxed_start_.count_step();
    }
    for (; !relaxed_start_.is_over() && !must_stop(); relaxed_start_.count_step()) iterate();
    work_.is_relaxed = false;
    exchange_floor_areas();
}

void RouteSearch::set_scale() {
    const double cost = work_.tours.cost();
    schedule_.set_scale(cost > 0.0 ? cost : current_cost_);
}

// ---- One iteration ----

void RouteSearch::iterate() {
    // One at a time, so that the search is not kept waiting.
    if (!work_.is_relaxed && !to_prove_.empty()) {
        work_.prove(to_prove_.back().kind, to_prove_.back().stops);
        if (work_.was_cut_off()) return;
        to_prove_.pop_back();
    }
    unserved_before_ = work_.unserved;
    defer_some();
    const double threshold = schedule_.draw_threshold(current_cost_, work_.random);
    ruin_.run();
    const bool is_given_up = !recreate(current_deficit_.missing == 0 ? threshold : infinity);
    work_.unserved.insert(work_.unserved.end(), deferred_.begin(), deferred_.end());
    if (is_given_up) {
        work_.tours.rollback();
        work_.unserved = unserved_before_;
        return cool();
    }
    const double cost = cost_of_solution();
    const Deficit new_deficit = deficit();
    if (!work_.was_cut_off()) {
        keep(new_deficit, cost);
        for (const Place customer : work_.unserved) ++absences_[to_index(customer)];
        absences_[0] += work_.tours.shortage();
    }
    if (!work_.was_cut_off() && is_accepted(new_deficit, cost, threshold)) {
        if (work_.is_relaxed) {
            for (const std::size_t tour : work_.tours.changed()) {
                relaxed_start_.keep(work_.tours.kind_of(tour), work_.tours[tour].stops,
                                    value_of(new_deficit, cost));
            }
        }
        set_current(deficit(), cost);
        work_.tours.commit();
    } else {
        work_.tours.rollback();
        work_.unserved = unserved_before_;
        set_current(deficit(), current_cost_);
    }
    cool();
}

// To try all of many without success takes too long.
void RouteSearch::defer_some() {
    work_.random.shuffle(work_.unserved);
    const std::size_t tried = std::min(work_.unserved.size(), most_unserved_tried);
    deferred_.assign(work_.unserved.begin() + static_cast<std::ptrdiff_t>(tried),
                     work_.unserved.end());
    work_.unserved.resize(tried);
    if (work_.groups.is_empty()) return;
    // Who rides together is tried together.
    for (std::size_t i = 0; i < tried; ++i) {
        const std::size_t group = work_.groups.of(work_.unserved[i]);
        if (group == Groups::none) continue;
        std::erase_if(deferred_, [&](Place customer) {
            if (work_.groups.of(customer) != group) return false;
            work_.unserved.push_back(customer);
            return true;
        });
    }
}

bool RouteSearch::recreate(double threshold) {
    if (!recreate_.run({threshold, iterations_, work_.cost_of_leaving_out(deferred_)}))
        return false;
    improve_changed();
    return true;
}

void RouteSearch::improve_changed() {
    if (work_.was_cut_off()) return;
    const std::vector<std::size_t> changed = work_.tours.changed();
    if (!work_.is_relaxed) {
        for (const std::size_t tour : changed) improve_order(work_, tour);
    }
    if (work_.has_kinds()) improve_kinds(work_);
    if (work_.leave_out_costs.empty()) return;
    for (const std::size_t tour : std::vector<std::size_t>(work_.tours.changed()))
        leave_out_expensive(work_, tour);
}

void RouteSearch::cool() {
    schedule_.cool();
    if (work_.is_relaxed || !schedule_.is_over(iterations_)) return;
    if (!schedule_.has_improved()) {
        for (LoadingCheck& loading : work_.loading) {
            loading.set_max_nodes(
                std::min(2 * loading.max_nodes(), most_effort_growth * options_.max_nodes));
        }
    }
    schedule_.begin_next(iterations_);
}

// ---- What a solution is worth ----

RouteSearch::Deficit RouteSearch::deficit() const {
    Deficit result;
    result.missing = work_.tours.shortage();
    result.absences = work_.tours.shortage() * absences_[0];
    for (const Place customer : work_.unserved) {
        if (work_.is_optional(customer)) continue;
        ++result.missing;
        result.absences += absences_[to_index(customer)];
    }
    return result;
}

void RouteSearch::set_current(const Deficit& deficit, double cost) {
    current_deficit_ = deficit;
    current_cost_ = cost;
    work_.value = value_of(deficit, cost);
}

bool RouteSearch::is_accepted(const Deficit& deficit, double cost, double threshold) const {
    // Who has often been missing should be served, even if others must wait instead.
    if (deficit.absences < current_deficit_.absences) return true;
    if (deficit.missing > current_deficit_.missing) return false;
    return cost < threshold;
}

double RouteSearch::value_of(const Deficit& deficit, double cost) {
    // A missing customer weighs more than any way to it.
    return cost * (1.0 + static_cast<double>(deficit.missing));
}

bool RouteSearch::is_better_than_best(double cost) const {
    if (!best_) return true;
    return cost <= best_->cost - cost_tolerance * std::max(1.0, std::abs(best_->cost));
}

void RouteSearch::keep(const Deficit& deficit, double cost) {
    if (work_.is_relaxed) return;
    const double value = value_of(deficit, cost);
    for (const std::size_t tour : work_.tours.changed())
        work_.keep(work_.tours.kind_of(tour), work_.tours[tour].stops, value);
    if (deficit.missing > 0 || !is_better_than_best(cost)) return;
    schedule_.note_improvement();
    best_ = Solution{cost, {}, work_.unserved};
    std::ranges::sort(best_->left_out);
    for (std::size_t tour = 0; tour < work_.tours.count(); ++tour) {
        if (work_.tours[tour].stops.empty()) continue;
        best_->routes.push_back({work_.tours.kind_of(tour), work_.tours[tour].stops});
        work_.pool.offer(work_.tours.kind_of(tour), work_.tours[tour].stops, cost);
    }
    improvements_.push_back({seconds_in_run(), iterations_, cost});
}

}  // namespace tailgate::routing
