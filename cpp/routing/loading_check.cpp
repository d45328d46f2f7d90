#include "loading_check.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace tailgate::routing {

using packing::Verdict;

// So many refusals say little about the other orders of the same customers.
constexpr std::size_t tolerated_refusals = 2;
// Routes as full as those that can seldom be loaded are asked for as much more seldom, but not
// never: what is refused mostly may be what the best solution wants.
constexpr double promising_rate = 0.2;
constexpr double least_chance = 0.02;
// Routes in doubt are asked for as often as doubts were wrong so far, and never less than this.
constexpr double first_wrong_doubts = 0.1;
constexpr double least_tests = 1.0 / 16.0;
// Nodes of a refusal on average from which on a guess pays.
constexpr double expensive_nodes = 40.0;

LoadingCheck::LoadingCheck(packing::LoadingOracle& oracle, Place customers, bool lifo,
                           std::int64_t max_nodes)
    : oracle_(&oracle),
      places_(to_index(customers) + 1),
      likeness_(lifo ? Likeness::order_or_reverse : Likeness::members),
      max_nodes_(max_nodes),
      pairs_(places_ * places_, Pair::not_asked) {}

Verdict LoadingCheck::ask(std::span<const Place> stops, std::int64_t max_nodes) {
    query_.clear();
    for (const Place stop : stops) query_.push_back(stop - 1);
    effort_.max_nodes = max_nodes;
    if (deadline_ != Clock::time_point::max()) {
        const std::chrono::duration<double> rest = deadline_ - Clock::now();
        effort_.max_seconds = std::max(0.0, rest.count());
    } else {
        effort_.max_seconds = -1.0;
    }
    ++checks_;
    const packing::Answer answer = oracle_->check(query_, effort_);
    const Verdict verdict = answer.verdict;
    if (verdict != Verdict::feasible && answer.nodes > 0) {
        ++refusals_;
        refusal_nodes_ += answer.nodes;
    }
    if (verdict == Verdict::unknown && effort_.interrupted && effort_.interrupted())
        was_cut_off_ = true;
    return verdict;
}

bool LoadingCheck::can_load(std::span<const Place> stops) {
    const RouteKey key = key_of(stops, likeness_);
    if (const LoadingMemo::Entry* known = memo_.find(key))
        return known->verdict == Verdict::feasible;
    // Two customers are seldom too many, and pairs are the beginning of every tour.
    const bool is_doubted =
        doubts_ && stops.size() > 2 && refusals_are_expensive() && doubts_(stops);
    if (is_doubted && !is_put_to_the_test()) {
        ++skipped_;
        memo_.store(key, Verdict::unknown);
        return false;
    }
    const Verdict verdict = ask(stops, max_nodes_);
    if (was_cut_off_) return false;
    memo_.store(key, verdict);
    if (is_doubted) {
        tested_ += 1.0;
        if (verdict == Verdict::feasible) tested_well_ += 1.0;
    }
    if (verdict == Verdict::feasible) return true;
    count_refusal(stops);
    return false;
}

bool LoadingCheck::refusals_are_expensive() const {
    return static_cast<double>(refusal_nodes_) >= expensive_nodes * static_cast<double>(refusals_);
}

bool LoadingCheck::is_put_to_the_test() {
    const double wrong = (tested_well_ + first_wrong_doubts) / (tested_ + 1.0);
    return test_random_.chance(std::max(least_tests, wrong));
}

bool LoadingCheck::can_load_filled(std::span<const Place> stops, double fill) {
    const std::int64_t checks_before = checks_;
    const bool can = can_load(stops);
    // What was remembered is no new experience; who fits alone says nothing of the others.
    if (checks_ != checks_before && !was_cut_off_ && stops.size() > 1) experience_.learn(fill, can);
    return can;
}

bool LoadingCheck::can_load_at_last(std::span<const Place> stops, std::int64_t max_nodes) {
    const RouteKey key = key_of(stops, likeness_);
    const LoadingMemo::Entry* known = memo_.find(key);
    if (known != nullptr && known->verdict != Verdict::unknown)
        return known->verdict == Verdict::feasible;
    const Verdict verdict = ask(stops, max_nodes);
    if (was_cut_off_) return false;
    memo_.store(key, verdict);
    return verdict == Verdict::feasible;
}

void LoadingCheck::count_refusal(std::span<const Place> stops) {
    if (likeness_ == Likeness::members) return;
    const RouteKey set = key_of(stops, Likeness::members);
    LoadingMemo::Entry* known = memo_.find(set);
    if (known == nullptr) {
        memo_.store(set, Verdict::infeasible);
        known = memo_.find(set);
    }
    if (known->refusals < std::numeric_limits<std::uint8_t>::max()) ++known->refusals;
}

bool LoadingCheck::might_load(std::span<const Place> stops, RandomStream& random) {
    if (const LoadingMemo::Entry* known = memo_.find(key_of(stops, likeness_)))
        return known->verdict == Verdict::feasible;
    return might_load_unasked(stops, random);
}

bool LoadingCheck::might_load_unasked(std::span<const Place> stops, RandomStream& random) {
    if (likeness_ == Likeness::members) return true;
    const LoadingMemo::Entry* known = memo_.find(key_of(stops, Likeness::members));
    return known == nullptr || known->refusals <= tolerated_refusals ||
           random.below(known->refusals) < tolerated_refusals;
}

bool LoadingCheck::might_load_filled(std::span<const Place> stops, double fill,
                                     RandomStream& random) {
    if (const LoadingMemo::Entry* known = memo_.find(key_of(stops, likeness_)))
        return known->verdict == Verdict::feasible;
    const double rate = experience_.success_rate(fill);
    if (rate < promising_rate && !random.chance(std::max(least_chance, rate / promising_rate)))
        return false;
    return might_load_unasked(stops, random);
}

void LoadingCheck::learn_clashes(Place customer, std::span<const Place> stops) {
    for (const Place other : stops) {
        if (was_cut_off_) return;
        Pair& pair = pairs_[pair_index(customer, other)];
        if (pair != Pair::not_asked) continue;
        const std::array<Place, 2> both{customer, other};
        // A pair that could not be decided is not asked again: its routes are asked themselves.
        pair = ask(both, max_nodes_) == Verdict::infeasible ? Pair::clash : Pair::together;
        pairs_[pair_index(other, customer)] = pair;
    }
}

}  // namespace tailgate::routing
