// Looks for good solutions by slack induction by string removals (Christiaens and Vanden Berghe
// 2020): ruin neighbouring strings of stops, recreate greedily, accept by simulated annealing.
// Every tour is proven to be loadable before it is taken. Tours choose among the kinds of vehicles,
// and orders may be left out at their cost.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "annealing_schedule.hpp"
#include "recreate.hpp"
#include "relaxed_start.hpp"
#include "ruin.hpp"
#include "workspace.hpp"

namespace tailgate::routing {

struct SearchLimits {
    std::int64_t max_iterations = -1;  // negative: no limit
    double max_seconds = -1.0;         // negative: no limit
    std::function<bool()> interrupted;
};

struct Improvement {
    double seconds = 0.0;  // spent in `run` so far
    std::int64_t iteration = 0;
    double cost = 0.0;
};

struct SearchStatistics {
    std::int64_t iterations = 0;
    std::int64_t checks = 0;
    std::int64_t skipped = 0;    // routes that were not asked for, because they were doubted
    std::int64_t max_nodes = 0;  // raised when nothing better is found
    double seconds = 0.0;
    std::vector<Improvement> improvements;
};

class RouteSearch {
  public:
    // One oracle for every kind of vehicle, which must outlive the search.
    RouteSearch(FleetProblem problem, const std::vector<packing::LoadingOracle*>& oracles,
                SearchOptions options);
    RouteSearch(const RouteSearch&) = delete;
    RouteSearch& operator=(const RouteSearch&) = delete;

    // From now on skip most of the routes of this kind that this guess doubts. Whatever it says,
    // every route that is kept is proven.
    void set_doubts(std::size_t kind, LoadingCheck::Doubts doubts) {
        work_.loading.at(kind).set_doubts(std::move(doubts), options_.seed);
    }

    // Goes on where the last call stopped.
    void run(const SearchLimits& limits);

    // Takes a solution that was found elsewhere and, if it is the best so far, goes on from there.
    // Unless `is_proven`, each of its routes must first be proven within `max_nodes`; those that
    // are go into the pool in any case. True if it was taken. Throws std::invalid_argument if it
    // breaks a rule other than loading.
    bool offer(const std::vector<Route>& routes, bool is_proven, std::int64_t max_nodes,
               std::function<bool()> interrupted);

    struct Solution {
        double cost = 0.0;  // with what it leaves out
        std::vector<Route> routes;
        std::vector<Place> left_out;
    };
    // The best that serves everybody who must be served, by all the rules.
    [[nodiscard]] const std::optional<Solution>& best() const { return best_; }
    // Proven routes of good solutions, whether these were complete or not; best first.
    [[nodiscard]] std::vector<Route> pool() const { return work_.pool.routes(); }
    [[nodiscard]] SearchStatistics statistics() const;

  private:
    using Clock = LoadingCheck::Clock;
    // How far a solution is from serving everybody who must be served.
    struct Deficit {
        std::int64_t missing = 0;   // customers and stops of short tours
        std::int64_t absences = 0;  // the same, each weighed by how often it was missing
    };

    void go_on_from(const std::vector<Route>& routes);
    void start(const std::function<bool()>& must_stop);
    void run_relaxed(const std::function<bool()>& must_stop);
    void set_scale();
    void iterate();
    void defer_some();
    bool recreate(double threshold);
    void improve_changed();
    void cool();
    [[nodiscard]] double cost_of_solution() const {
        return work_.tours.cost() + work_.cost_of_leaving_out(work_.unserved);
    }
    [[nodiscard]] Deficit deficit() const;
    void set_current(const Deficit& deficit, double cost);
    [[nodiscard]] bool is_accepted(const Deficit& deficit, double cost, double threshold) const;
    [[nodiscard]] static double value_of(const Deficit& deficit, double cost);
    [[nodiscard]] bool is_better_than_best(double cost) const;
    void keep(const Deficit& deficit, double cost);
    [[nodiscard]] double seconds_in_run() const;

    SearchOptions options_;
    Workspace work_;
    bool is_hopeless_;  // no solution has the stops that the fleet wants
    RelaxedStart relaxed_start_;
    Ruin ruin_;
    Recreate recreate_;
    AnnealingSchedule schedule_;

    bool is_started_ = false;
    std::vector<Route> to_prove_;  // the best routes of the relaxed start, last first
    std::vector<Place> unserved_before_;
    std::vector<Place> deferred_;         // unserved and not tried in this iteration
    std::vector<std::int64_t> absences_;  // of every place; the depot's count stands for stops of
                                          // short tours
    std::optional<Solution> best_;
    double current_cost_ = 0.0;
    Deficit current_deficit_;

    std::int64_t iterations_ = 0;
    double seconds_before_run_ = 0.0;
    Clock::time_point run_started_;
    std::vector<Improvement> improvements_;
};

}  // namespace tailgate::routing
