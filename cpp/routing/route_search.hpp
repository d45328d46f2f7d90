// Looks for good solutions by slack induction by string removals (Christiaens and Vanden Berghe
// 2020): ruin neighbouring strings of stops, recreate greedily, accept by simulated annealing.
// Every tour is proven to be loadable before it is taken.
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
    // The oracle must outlive the search.
    RouteSearch(RoutingProblem problem, packing::LoadingOracle& oracle, SearchOptions options);
    RouteSearch(const RouteSearch&) = delete;
    RouteSearch& operator=(const RouteSearch&) = delete;

    // From now on skip most of the routes that this guess doubts. Whatever it says, every route
    // that is kept is proven.
    void set_doubts(LoadingCheck::Doubts doubts) {
        work_.loading.set_doubts(std::move(doubts), options_.seed);
    }

    // Goes on where the last call stopped.
    void run(const SearchLimits& limits);

    // Takes a solution that was found elsewhere and, if it is the best so far, goes on from there.
    // Unless `is_proven`, each of its routes must first be proven within `max_nodes`; those that
    // are go into the pool in any case. True if it was taken. Throws std::invalid_argument if it
    // breaks a rule other than loading.
    bool offer(const std::vector<std::vector<Place>>& routes, bool is_proven,
               std::int64_t max_nodes, std::function<bool()> interrupted);

    struct Solution {
        double cost = 0.0;
        std::vector<std::vector<Place>> routes;
    };
    // The best that serves everybody by all the rules.
    [[nodiscard]] const std::optional<Solution>& best() const { return best_; }
    // Proven routes of good solutions, whether these were complete or not; best first.
    [[nodiscard]] std::vector<std::vector<Place>> pool() const { return work_.pool.routes(); }
    [[nodiscard]] SearchStatistics statistics() const;

  private:
    using Clock = LoadingCheck::Clock;
    // How far a solution is from serving everybody.
    struct Deficit {
        std::int64_t missing = 0;   // customers and stops of short tours
        std::int64_t absences = 0;  // the same, each weighed by how often it was missing
    };

    void go_on_from(const std::vector<std::vector<Place>>& routes);
    void start(const std::function<bool()>& must_stop);
    void run_relaxed(const std::function<bool()>& must_stop);
    void iterate();
    bool recreate(double threshold);
    void cool();
    [[nodiscard]] Deficit deficit() const;
    void set_current(const Deficit& deficit, double cost);
    [[nodiscard]] bool is_accepted(const Deficit& deficit, double cost, double threshold) const;
    [[nodiscard]] static double value_of(const Deficit& deficit, double cost);
    [[nodiscard]] bool is_better_than_best(double cost) const;
    void keep(const Deficit& deficit, double cost);
    [[nodiscard]] double seconds_in_run() const;

    SearchOptions options_;
    Workspace work_;
    bool is_hopeless_;  // the fleet wants more stops, or fewer, than there are customers
    RelaxedStart relaxed_start_;
    Ruin ruin_;
    Recreate recreate_;
    AnnealingSchedule schedule_;

    bool is_started_ = false;
    bool is_relaxed_ = false;                   // takes everything for loadable
    std::vector<std::vector<Place>> to_prove_;  // the best routes of the relaxed start, last first
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
