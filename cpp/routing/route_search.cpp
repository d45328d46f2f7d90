#include "route_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "order_improvement.hpp"

namespace tailgate::routing {

constexpr std::size_t most_unserved_tried = 8;  // in one iteration
// When nothing better is found, harder loading queries are worth an answer.
constexpr std::int64_t most_effort_growth = 32;

constexpr double cost_tolerance = 1e-9;

namespace {

bool has_wrong_number_of_customers(const RoutingProblem& problem) {
    const std::int64_t least_routes = problem.whole_fleet ? problem.vehicles : 1;
    if (least_routes * problem.min_stops > problem.customers) return true;
    if (problem.max_stops == 0) return false;
    return problem.min_stops > problem.max_stops ||
           std::int64_t{problem.vehicles} * problem.max_stops < problem.customers;
}

}  // namespace

RouteSearch::RouteSearch(RoutingProblem problem, packing::LoadingOracle& oracle,
                         SearchOptions options)
    : options_(options),
      work_((problem.validate(), std::move(problem)), oracle, options),
      is_hopeless_(has_wrong_number_of_customers(work_.problem)),
      relaxed_start_(work_),
      ruin_(work_),
      recreate_(work_),
      schedule_(work_.problem.customers),
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
    work_.loading.set_limits(deadline, must_stop);
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
        if (work_.loading.was_cut_off() || !is_started_) break;
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
            work_.loading.checks(),
            work_.loading.skipped(),
            work_.loading.max_nodes(),
            seconds_in_run(),
            improvements_};
}

// ---- Solutions from elsewhere ----

bool RouteSearch::offer(const std::vector<std::vector<Place>>& routes, bool is_proven,
                        std::int64_t max_nodes, std::function<bool()> interrupted) {
    work_.problem.check_solution(routes);
    double cost = 0.0;
    for (const auto& route : routes) cost += work_.problem.cost(route);
    work_.loading.set_limits(Clock::time_point::max(), std::move(interrupted));
    bool can_load = true;
    for (const auto& route : routes) {
        if (is_proven) {
            work_.loading.believe(route);
        } else if (!work_.loading.can_load_at_last(route, max_nodes)) {
            if (work_.loading.was_cut_off()) return false;
            can_load = false;
            continue;
        }
        work_.pool.offer(route, cost);
    }
    if (!can_load || !is_better_than_best(cost)) return false;
    go_on_from(routes);
    return true;
}

void RouteSearch::go_on_from(const std::vector<std::vector<Place>>& routes) {
    for (std::size_t tour = 0; tour < work_.tours.count(); ++tour)
        work_.tours.remove(tour, 0, work_.tours[tour].stops.size());
    for (std::size_t tour = 0; tour < routes.size(); ++tour) {
        for (const Place stop : routes[tour])
            work_.tours.insert(tour, work_.tours[tour].stops.size(), stop);
    }
    work_.unserved.clear();
    set_current(deficit(), work_.tours.cost());
    if (!schedule_.has_scale()) schedule_.set_scale(current_cost_);
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
    if (work_.loading.was_cut_off()) return;
    std::ranges::fill(absences_, 1);
    is_started_ = true;
    set_current(deficit(), work_.tours.cost());
    keep(current_deficit_, current_cost_);
    for (std::size_t tour = 0; tour < work_.tours.count(); ++tour)
        work_.keep(work_.tours[tour].stops, value_of(current_deficit_, current_cost_));
    to_prove_ = relaxed_start_.routes_to_prove();
    schedule_.begin_first(iterations_);
}

void RouteSearch::run_relaxed(const std::function<bool()>& must_stop) {
    const std::int64_t floor_area =
        std::exchange(work_.problem.floor_area, relaxed_start_.floor_area());
    is_relaxed_ = true;
    if (!relaxed_start_.has_begun()) {
        work_.unserved.resize(to_index(work_.problem.customers));
        std::iota(work_.unserved.begin(), work_.unserved.end(), 1);
        recreate(infinity);
        set_current(deficit(), work_.tours.cost());
        work_.tours.commit();
        schedule_.set_scale(current_cost_);
        schedule_.begin_relaxed(relaxed_start_.length());
        relaxed_start_.count_step();
    }
    for (; !relaxed_start_.is_over() && !must_stop(); relaxed_start_.count_step()) iterate();
    is_relaxed_ = false;
    work_.problem.floor_area = floor_area;
}

// ---- One iteration ----

void RouteSearch::iterate() {
    // One at a time, so that the search is not kept waiting.
    if (!is_relaxed_ && !to_prove_.empty()) {
        work_.prove(to_prove_.back());
        if (work_.loading.was_cut_off()) return;
        to_prove_.pop_back();
    }
    unserved_before_ = work_.unserved;
    // To try all of many without success takes too long: some are deferred.
    work_.random.shuffle(work_.unserved);
    deferred_.assign(work_.unserved.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                  work_.unserved.size(), most_unserved_tried)),
                     work_.unserved.end());
    work_.unserved.resize(work_.unserved.size() - deferred_.size());
    const double threshold = schedule_.draw_threshold(current_cost_, work_.random);
    ruin_.run();
    const bool is_given_up = !recreate(current_deficit_.missing == 0 ? threshold : infinity);
    work_.unserved.insert(work_.unserved.end(), deferred_.begin(), deferred_.end());
    if (is_given_up) {
        work_.tours.rollback();
        work_.unserved = unserved_before_;
        return cool();
    }
    const double cost = work_.tours.cost();
    const Deficit new_deficit = deficit();
    if (!work_.loading.was_cut_off()) {
        keep(new_deficit, cost);
        for (const Place customer : work_.unserved) ++absences_[to_index(customer)];
        absences_[0] += work_.tours.shortage();
    }
    if (!work_.loading.was_cut_off() && is_accepted(new_deficit, cost, threshold)) {
        if (is_relaxed_) {
            for (const std::size_t tour : work_.tours.changed())
                relaxed_start_.keep(work_.tours[tour].stops, value_of(new_deficit, cost));
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

bool RouteSearch::recreate(double threshold) {
    if (!recreate_.run({threshold, iterations_, is_relaxed_})) return false;
    if (is_relaxed_ || work_.loading.was_cut_off()) return true;
    for (const std::size_t tour : std::vector<std::size_t>(work_.tours.changed()))
        improve_order(work_, tour);
    return true;
}

void RouteSearch::cool() {
    schedule_.cool();
    if (is_relaxed_ || !schedule_.is_over(iterations_)) return;
    if (!schedule_.has_improved()) {
        work_.loading.set_max_nodes(
            std::min(2 * work_.loading.max_nodes(), most_effort_growth * options_.max_nodes));
    }
    schedule_.begin_next(iterations_);
}

// ---- What a solution is worth ----

RouteSearch::Deficit RouteSearch::deficit() const {
    Deficit result;
    result.missing = static_cast<std::int64_t>(work_.unserved.size()) + work_.tours.shortage();
    result.absences = work_.tours.shortage() * absences_[0];
    for (const Place customer : work_.unserved) result.absences += absences_[to_index(customer)];
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
    if (is_relaxed_) return;
    const double value = value_of(deficit, cost);
    for (const std::size_t tour : work_.tours.changed()) work_.keep(work_.tours[tour].stops, value);
    if (deficit.missing > 0 || !is_better_than_best(cost)) return;
    schedule_.note_improvement();
    best_ = Solution{cost, {}};
    for (std::size_t tour = 0; tour < work_.tours.count(); ++tour) {
        if (work_.tours[tour].stops.empty()) continue;
        best_->routes.push_back(work_.tours[tour].stops);
        work_.pool.offer(work_.tours[tour].stops, cost);
    }
    improvements_.push_back({seconds_in_run(), iterations_, cost});
}

}  // namespace tailgate::routing
