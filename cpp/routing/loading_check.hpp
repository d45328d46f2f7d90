// The oracle as the search sees it: yes or no, at little effort, and asked once for every route.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "fill_experience.hpp"
#include "loading_memo.hpp"
#include "packing/oracle.hpp"
#include "random_stream.hpp"
#include "route_key.hpp"

namespace tailgate::routing {

class LoadingCheck {
  public:
    // `lifo` as in the oracle.
    LoadingCheck(packing::LoadingOracle& oracle, Place customers, bool lifo,
                 std::int64_t max_nodes);

    // From now on give up when `must_stop` says so; `deadline` is for the oracle's own clock.
    using Clock = std::chrono::steady_clock;
    void set_limits(Clock::time_point deadline, std::function<bool()> must_stop) {
        deadline_ = deadline;
        effort_.interrupted = std::move(must_stop);
        was_cut_off_ = false;
    }
    // Some answer since the limits were set was "no" only for want of time.
    [[nodiscard]] bool was_cut_off() const { return was_cut_off_; }

    // A quick guess that may be wrong: true if a route can hardly be loaded. Where a refusal takes
    // long, such routes are skipped, but for a few by which the guess is put to the test.
    using Doubts = std::function<bool(std::span<const Place>)>;
    void set_doubts(Doubts doubts, std::uint64_t seed) {
        doubts_ = std::move(doubts);
        test_random_ = RandomStream(seed);
    }

    // Proven to be loadable? What cannot be decided at this effort counts as no.
    bool can_load(std::span<const Place> stops);
    // The same for stops that were just put together; `fill` is the share of the floor they cover.
    bool can_load_filled(std::span<const Place> stops, double fill);
    // The same with an effort of its own, whatever was found before.
    bool can_load_at_last(std::span<const Place> stops, std::int64_t max_nodes);
    // Somebody else has proven that this can be loaded.
    void believe(std::span<const Place> stops) {
        memo_.store(key_of(stops, likeness_), packing::Verdict::feasible);
    }
    // A guess without the oracle: yes, unless the route is known to be refused, or probably if its
    // customers were refused in several other orders.
    bool might_load(std::span<const Place> stops, RandomStream& random);
    // The same for stops that are being put together. It skips most of those that cover as
    // much of the floor as routes that are mostly refused: a refusal takes long.
    bool might_load_filled(std::span<const Place> stops, double fill, RandomStream& random);
    // Never both in one truck, as far as is known.
    [[nodiscard]] bool are_known_to_clash(Place a, Place b) const {
        return pairs_[pair_index(a, b)] == Pair::clash;
    }
    // They must not share a truck for another reason.
    void keep_apart(Place a, Place b) {
        pairs_[pair_index(a, b)] = pairs_[pair_index(b, a)] = Pair::clash;
    }
    // Find out with whom among `stops` the customer can never share a truck.
    void learn_clashes(Place customer, std::span<const Place> stops);

    [[nodiscard]] bool is_polished(std::span<const Place> stops) {
        const LoadingMemo::Entry* known = memo_.find(key_of(stops, likeness_));
        return known != nullptr && known->is_polished;
    }
    void mark_polished(std::span<const Place> stops) {
        if (LoadingMemo::Entry* known = memo_.find(key_of(stops, likeness_)))
            known->is_polished = true;
    }

    [[nodiscard]] std::int64_t max_nodes() const { return max_nodes_; }
    void set_max_nodes(std::int64_t max_nodes) {
        if (max_nodes > max_nodes_) memo_.forget_unknown();
        max_nodes_ = max_nodes;
    }
    [[nodiscard]] std::int64_t checks() const { return checks_; }    // that went to the oracle
    [[nodiscard]] std::int64_t skipped() const { return skipped_; }  // for doubts alone

  private:
    enum class Pair : std::uint8_t { not_asked, together, clash };
    [[nodiscard]] std::size_t pair_index(Place a, Place b) const {
        return to_index(a) * places_ + to_index(b);
    }
    void count_refusal(std::span<const Place> stops);
    // `might_load` of a route about which nothing is known yet.
    bool might_load_unasked(std::span<const Place> stops, RandomStream& random);
    [[nodiscard]] bool is_put_to_the_test();
    [[nodiscard]] bool refusals_are_expensive() const;
    packing::Verdict ask(std::span<const Place> stops, std::int64_t max_nodes);

    packing::LoadingOracle* oracle_;
    std::size_t places_;
    Likeness likeness_;
    std::int64_t max_nodes_;
    packing::Effort effort_;
    Clock::time_point deadline_ = Clock::time_point::max();
    bool was_cut_off_ = false;
    std::int64_t checks_ = 0;
    LoadingMemo memo_;  // of routes and, unless order never matters, of sets of customers
    std::vector<Pair> pairs_;
    FillExperience experience_;
    Doubts doubts_;
    RandomStream test_random_{0};  // of its own: what is tested does not change the search's luck
    double tested_ = 0.0;          // routes that were doubted and asked for nevertheless
    double tested_well_ = 0.0;     // of these, those that could be loaded
    std::int64_t skipped_ = 0;
    std::int64_t refusals_ = 0;  // that were worked out
    std::int64_t refusal_nodes_ = 0;
    std::vector<std::int32_t> query_;  // the oracle counts customers from 0
};

}  // namespace tailgate::routing
