// Answers "can this route be loaded?": from the cache, otherwise by a loading search.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "loading_search.hpp"
#include "problem.hpp"
#include "route_cache.hpp"
#include "suspended_searches.hpp"

namespace tailgate::packing {

struct Answer {
    Verdict verdict = Verdict::unknown;
    Stage stage = Stage::limit;
    std::int64_t nodes = 0;
    double seconds = 0.0;
    Layout layout;  // one list of positions per stop, in visiting order; empty unless feasible
    Sequence core;  // part of an infeasible route, perhaps backwards, that is infeasible by itself
    bool in_any_order = false;  // the core is infeasible in any order of its customers
};

struct OracleOptions {
    bool lifo = true;
    std::size_t cache_bytes = std::size_t{256} << 20;
    bool use_cache = true;
    // When other orders of its customers have taken so many nodes, a query is put without an order
    // of loading first.
    std::int64_t nodes_in_other_orders = 4'000;
};

struct Statistics {
    std::int64_t queries = 0;
    std::int64_t feasible = 0;
    std::int64_t infeasible = 0;
    std::int64_t unknown = 0;
    // Of these, the answers that were worked out: neither trivial nor from the cache.
    std::int64_t decided_feasible = 0;
    std::int64_t decided_infeasible = 0;
    std::int64_t decided_unknown = 0;
    std::int64_t nodes = 0;
    double seconds = 0.0;
    std::int64_t by_stage[stage_count] = {};
};

// A query and its answer, as recorded.
struct Query {
    Sequence route;  // as asked, not in canonical form
    Verdict verdict = Verdict::unknown;
    Stage stage = Stage::limit;
    std::int64_t nodes = 0;
    double seconds = 0.0;
    std::int64_t max_nodes = -1;  // negative: no limit
};

// Safe to call from several threads: calls on one oracle wait for each other.
class LoadingOracle {
  public:
    // Which items of the customers may be turned: empty, none.
    using MayTurn = std::vector<std::vector<bool>>;

    LoadingOracle(Length width, Length length, const std::vector<std::vector<Rectangle>>& customers,
                  OracleOptions options, const MayTurn& may_turn = {});

    // `route` holds indices of `customers` in visiting order, each at most once.
    Answer check(std::span<const std::int32_t> route, const Effort& effort);

    // What is known already, without any effort and without being counted as a query.
    Answer recall(std::span<const std::int32_t> route);

    // The same plan with everything against the cab and the left wall, or against what is there:
    // a plan read backwards, or cut down from a longer route's, has gaps that nobody needs. And
    // nothing is turned that fits in its place as it is given.
    [[nodiscard]] Layout pushed_together(const Sequence& route, const Layout& layout) const;

    [[nodiscard]] Statistics statistics() const {
        const std::lock_guard lock(mutex_);
        return statistics_;
    }
    [[nodiscard]] std::size_t cache_bytes() const {
        const std::lock_guard lock(mutex_);
        return cache_.bytes() + (any_order_ ? any_order_->cache_bytes() : 0);
    }
    void clear();  // cache and statistics; recorded queries stay until they are taken

    // Whether a route can be loaded, quickly and perhaps wrongly. After an expensive proof, what is
    // guessed to be loadable is not tried as a smaller infeasible core; no verdict depends on it.
    using Guess = std::function<bool(const Sequence&)>;
    void set_guess(Guess can_load) {
        const std::lock_guard lock(mutex_);
        guess_ = std::move(can_load);
    }

    // While on, every query is kept, whoever asks it, until it is taken.
    void record_queries(bool on) {
        const std::lock_guard lock(mutex_);
        recording_ = on;
    }
    [[nodiscard]] std::vector<Query> take_queries() {
        const std::lock_guard lock(mutex_);
        return std::exchange(queries_, {});
    }

  private:
    template <typename Find>
    Answer in_canonical_form(std::span<const std::int32_t> asked, const Find& find);
    Answer recalled(const Sequence& route);
    Answer answer(const Sequence& route, const Effort& effort);
    Answer decide_anew(const Sequence& route, const Effort& effort);
    // `infeasible`, with a core: the customers of a route do not fit in any order of loading.
    Answer ask_in_any_order(const Sequence& route, std::int64_t own_nodes, EffortLeft& left);
    void remember_effort(const Sequence& route, const Decision& decision);
    [[nodiscard]] std::optional<Sequence> known_core_in_any_order(const Sequence& route) const;
    Sequence learn_infeasible_core(const Sequence& route, std::int64_t proof_nodes,
                                   const EffortLeft& left);
    void count(const Answer& answer);
    [[nodiscard]] Area area_of(std::int32_t customer) const;
    [[nodiscard]] Problem problem_of(const Sequence& route) const;
    // An item that fits the floor only when turned is kept as if it were given so.
    void change_fixed_turns(const Sequence& route, Layout& layout) const;
    // From the order of Problem::stops to that of the visits, and back.
    [[nodiscard]] Layout by_visits(const Sequence& route, Layout layout) const;
    [[nodiscard]] Layout by_loading(const Layout& layout) const;

    Length width_;
    Length length_;
    std::vector<std::vector<Cargo>> customers_;
    std::vector<std::vector<bool>> always_turned_;  // like customers_; empty if nothing is
    OracleOptions options_;
    RouteCache cache_;
    SuspendedSearches suspended_;
    // The same customers without an order of loading, for hard queries with one.
    std::unique_ptr<LoadingOracle> any_order_;
    Statistics statistics_;
    bool recording_ = false;
    Guess guess_;
    std::vector<Query> queries_;
    mutable std::mutex mutex_;
};

}  // namespace tailgate::packing
