// Looks for good solutions by slack induction by string removals (Christiaens and Vanden Berghe
// 2020): ruin neighbouring strings of stops, put them back greedily, accept by annealing. Every
// tour is proven to be loadable before it is taken.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "loading_check.hpp"
#include "packing/oracle.hpp"
#include "random_stream.hpp"
#include "route_pool.hpp"
#include "routing_problem.hpp"
#include "tours.hpp"

namespace tailgate::routing {

struct SearchOptions {
    std::uint64_t seed = 0;
    bool lifo = true;              // as in the oracle
    std::int64_t max_nodes = 100;  // of one loading check
    std::size_t max_pool = 20000;
};

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
    std::int64_t passed_over = 0;  // routes that were not asked for, because they were doubted
    std::int64_t max_nodes = 0;    // raised when nothing better is found
    double seconds = 0.0;
    std::vector<Improvement> improvements;
};

class RouteSearch {
  public:
    // The oracle must outlive the search.
    RouteSearch(RoutingProblem problem, packing::LoadingOracle& oracle, SearchOptions options);

    // From now on pass over most of the routes that this guess doubts. Whatever it says, every
    // route that is kept is proven.
    void set_doubts(LoadingCheck::Doubts doubts) {
        loading_.set_doubts(std::move(doubts), options_.seed);
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
    [[nodiscard]] std::vector<std::vector<Place>> pool() const { return pool_.routes(); }
    [[nodiscard]] SearchStatistics statistics() const;

  private:
    using Clock = LoadingCheck::Clock;
    struct Insertion {
        double cost = 0.0;
        std::size_t tour = 0;
        std::size_t position = 0;
    };
    // How far a solution is from serving everybody.
    struct Deficit {
        std::int64_t missing = 0;   // customers and stops of short tours
        std::int64_t absences = 0;  // the same, each weighed by how often it was missing
    };

    void check_rules(const std::vector<std::vector<Place>>& routes) const;
    void go_on_from(const std::vector<std::vector<Place>>& routes);
    void start(const std::function<bool()>& must_stop);
    void dream(const std::function<bool()>& must_stop);
    void wake_up();
    void iterate();
    void ruin();
    void remove_string(std::size_t tour, Place around, std::size_t count);
    void recreate(double threshold);
    void insert_all(const std::vector<Place>& waiting);
    bool has_loadable_tours();
    void take_out(Place customer);
    void order_unserved();
    bool insert_cheaply(Place customer, std::size_t waiting);
    void collect_insertions(Place customer, bool only_short_tours, bool may_open);
    bool insert_cheapest(Place customer);
    bool is_possible(Place customer, const Insertion& insertion);
    [[nodiscard]] bool overlooks_next();
    [[nodiscard]] double fill_of(std::int64_t area) const;
    [[nodiscard]] bool is_better_than_best(double cost) const;
    void polish(std::size_t tour);
    bool find_cheaper_order(std::size_t tour);
    [[nodiscard]] Deficit deficit() const;
    [[nodiscard]] bool is_accepted(const Deficit& deficit, double cost, double threshold) const;
    [[nodiscard]] static double value_of(const Deficit& deficit, double cost);
    void add_to_pool(const std::vector<Place>& stops, double value);
    bool prove(const std::vector<Place>& stops);
    bool prove_filled(const std::vector<Place>& stops, double fill);
    void keep(const Deficit& deficit, double cost);
    void cool();
    void begin_cycle(double warmth, std::int64_t length);
    [[nodiscard]] double seconds_in_run() const;

    RoutingProblem problem_;
    SearchOptions options_;
    bool has_windows_;
    bool is_hopeless_;  // more stops are wanted than there are customers
    LoadingCheck loading_;
    RandomStream random_;
    RoutePool pool_;
    RoutePool dreamt_;  // not proven
    Tours tours_;
    std::vector<std::vector<Place>> to_prove_;    // the best of the dreamt routes, last first
    std::vector<std::vector<Place>> neighbours_;  // of every place, nearest first
    std::vector<Place> unserved_;
    std::vector<Place> unserved_before_;
    std::vector<Place> resting_;          // unserved and not tried in this iteration
    std::vector<std::int64_t> absences_;  // of every place; the depot's count stands for stops of
                                          // short tours
    std::optional<Solution> best_;
    double current_cost_ = 0.0;
    Deficit current_deficit_;
    std::int64_t dream_steps_ = 0;
    bool has_dreamt_ = false;
    bool is_started_ = false;
    bool is_dreaming_ = false;  // takes everything for loadable
    double to_spend_ = 0.0;     // on insertions, before the solution is sure to be refused
    bool is_too_dear_ = false;
    bool has_dearer_insertions_ = false;    // than what is left to spend
    std::int64_t positions_to_blink_ = -1;  // negative: not drawn yet
    bool is_hopeful_ = false;               // takes for loadable what is not known to be refused

    double warmest_ = 0.0;
    double temperature_ = 0.0;
    double cooling_ = 1.0;
    std::int64_t cycle_length_ = 0;
    std::int64_t cycle_end_ = 0;
    bool has_improved_in_cycle_ = false;

    std::int64_t iterations_ = 0;
    double seconds_before_run_ = 0.0;
    Clock::time_point run_started_;
    std::vector<Improvement> improvements_;

    // Kept between steps only to save allocations.
    std::vector<Insertion> insertions_;
    std::vector<Place> order_;
    std::vector<bool> is_ruined_;
    std::vector<bool> is_extended_;  // tours with an insertion since the last ruin
};

}  // namespace tailgate::routing
