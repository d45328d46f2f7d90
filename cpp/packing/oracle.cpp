#include "oracle.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>

#include "rescale.hpp"

namespace tailgate::packing {

namespace {

// Finding out which stops are to blame may cost as much again as the proof itself, within limits.
// A try without one of them that takes longer than the proof did is unlikely to succeed.
constexpr std::int64_t min_core_nodes = 1'000;
constexpr std::int64_t max_core_nodes = 3'000;
constexpr std::int64_t min_try_nodes = 60;
// After an easier proof the tries are easy, too, and a guess saves less than the cores it misses.
constexpr std::int64_t min_guided_nodes = 60;

// What has cost less is soon begun anew.
constexpr std::int64_t min_kept_nodes = 1'000;

// How much more other orders must have taken until customers are asked for without one again.
constexpr std::int64_t effort_growth = 4;
// The part of the cache that keeps what does not fit in any order.
constexpr std::size_t any_order_cache_divisor = 8;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point started) {
    return std::chrono::duration<double>(Clock::now() - started).count();
}

Sequence sorted(const Sequence& route) {
    Sequence customers = route;
    std::ranges::sort(customers);
    return customers;
}

// These customers as the route visits them.
Sequence in_order_of(const Sequence& route, const Sequence& customers) {
    Sequence visits;
    for (const std::int32_t customer : route) {
        if (std::ranges::find(customers, customer) != customers.end()) visits.push_back(customer);
    }
    return visits;
}

// Lays items as they are given where they are turned without need: whoever loads them has less to
// do. Is any of them turned back?
bool turn_back(const Problem& problem, Layout& plan) {
    bool any = false;
    for (auto& stop : plan) {
        for (Position& position : stop) {
            if (!position.turned) continue;
            position.turned = false;
            const bool fits = is_valid_layout(problem, plan);
            position.turned = !fits;
            any = any || fits;
        }
    }
    return any;
}

}  // namespace

LoadingOracle::LoadingOracle(Length width, Length length,
                             const std::vector<std::vector<Rectangle>>& customers,
                             OracleOptions options, const MayTurn& may_turn)
    : width_(width),
      length_(length),
      options_(options),
      cache_(options.lifo ? options.cache_bytes - options.cache_bytes / any_order_cache_divisor
                          : options.cache_bytes,
             options.lifo),
      suspended_(options.use_cache ? options.cache_bytes : 0) {
    if (width <= 0 || length <= 0)
        throw std::invalid_argument("the floor must have a positive width and length");
    const Problem floor{width, length, {}};
    for (std::size_t customer = 0; customer < customers.size(); ++customer) {
        auto& own = customers_.emplace_back();
        for (std::size_t i = 0; i < customers[customer].size(); ++i) {
            const Rectangle& item = customers[customer][i];
            if (item.width <= 0 || item.length <= 0)
                throw std::invalid_argument("items must have positive sizes");
            own.push_back({item, {}});
            // A square has one shape, and so has what fits the floor one way only.
            const bool turns = !may_turn.empty() && may_turn[customer][i] &&
                               item.width != item.length && floor.fits_floor(item.exchanged());
            if (!turns) continue;
            if (floor.fits_floor(item)) {
                own.back().other = item.exchanged();
                continue;
            }
            own.back().first = item.exchanged();
            always_turned_.resize(customers.size());
            always_turned_[customer].resize(customers[customer].size());
            always_turned_[customer][i] = true;
        }
    }
    if (options.lifo) {
        any_order_ = std::make_unique<LoadingOracle>(
            width, length, customers,
            OracleOptions{.lifo = false,
                          .cache_bytes = options.cache_bytes / any_order_cache_divisor,
                          .use_cache = options.use_cache},
            may_turn);
    }
}

Problem LoadingOracle::problem_of(const Sequence& route) const {
    Problem problem{width_, length_, {}};
    problem.stops.resize(options_.lifo ? route.size() : 1);
    const bool turns = std::ranges::any_of(route, [&](std::int32_t customer) {
        return std::ranges::any_of(customers_[to_index(customer)],
                                   [](const Cargo& item) { return item.other.width > 0; });
    });
    if (turns) problem.turned.resize(problem.stops.size());
    for (std::size_t visit = 0; visit < route.size(); ++visit) {
        // Without LIFO all items are alike in order: one stop.
        const std::size_t stop = options_.lifo ? route.size() - 1 - visit : 0;
        for (const Cargo& item : customers_[to_index(route[visit])]) {
            problem.stops[stop].push_back(item.first);
            if (turns) problem.turned[stop].push_back(item.other);
        }
    }
    return problem;
}

void LoadingOracle::change_fixed_turns(const Sequence& route, Layout& layout) const {
    if (always_turned_.empty() || layout.empty()) return;
    for (std::size_t visit = 0; visit < route.size(); ++visit) {
        const auto& always = always_turned_[to_index(route[visit])];
        for (std::size_t i = 0; i < always.size(); ++i) {
            if (always[i]) layout[visit][i].turned = !layout[visit][i].turned;
        }
    }
}

// Asks `find` about the route as the cache knows it, and turns the plan back.
template <typename Find>
Answer LoadingOracle::in_canonical_form(std::span<const std::int32_t> asked, const Find& find) {
    const Sequence route(asked.begin(), asked.end());
    Sequence sorted = route;
    std::ranges::sort(sorted);
    if (!sorted.empty() &&
        (sorted.front() < 0 || sorted.back() >= static_cast<std::int32_t>(customers_.size()))) {
        throw std::out_of_range("the route names a customer that does not exist");
    }
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
        throw std::invalid_argument("the route visits a customer twice");
    }
    Answer result;
    if (options_.lifo) {
        const Sequence backwards(route.rbegin(), route.rend());
        const bool turn = backwards < route;
        result = find(turn ? backwards : route);
        if (turn && result.verdict == Verdict::feasible) {
            result.layout = Mirror{length_, &customers_}.reversed(backwards, result.layout);
        }
    } else {
        result = find(sorted);
        if (result.verdict == Verdict::feasible) {
            Layout in_order;
            for (const std::int32_t customer : route) {
                const auto at =
                    std::lower_bound(sorted.begin(), sorted.end(), customer) - sorted.begin();
                in_order.push_back(result.layout[to_index(at)]);
            }
            result.layout = std::move(in_order);
        }
    }
    change_fixed_turns(route, result.layout);
    return result;
}

Answer LoadingOracle::check(std::span<const std::int32_t> asked, const Effort& effort) {
    const std::lock_guard lock(mutex_);
    const Clock::time_point started = Clock::now();
    Answer result =
        in_canonical_form(asked, [&](const Sequence& route) { return answer(route, effort); });
    result.seconds = seconds_since(started);
    count(result);
    if (recording_) {
        queries_.push_back({{asked.begin(), asked.end()},
                            result.verdict,
                            result.stage,
                            result.nodes,
                            result.seconds,
                            std::max<std::int64_t>(-1, effort.max_nodes)});
    }
    return result;
}

Answer LoadingOracle::recall(std::span<const std::int32_t> asked) {
    const std::lock_guard lock(mutex_);
    return in_canonical_form(asked, [&](const Sequence& route) { return recalled(route); });
}

void LoadingOracle::count(const Answer& answer) {
    ++statistics_.queries;
    ++statistics_.by_stage[static_cast<std::size_t>(answer.stage)];
    statistics_.nodes += answer.nodes;
    statistics_.seconds += answer.seconds;
    const bool worked_out = answer.stage != Stage::trivial && answer.stage != Stage::cache &&
                            answer.stage != Stage::heredity;
    const auto add = [&](Verdict verdict, std::int64_t& all, std::int64_t& decided) {
        if (answer.verdict != verdict) return;
        ++all;
        decided += worked_out ? 1 : 0;
    };
    add(Verdict::feasible, statistics_.feasible, statistics_.decided_feasible);
    add(Verdict::infeasible, statistics_.infeasible, statistics_.decided_infeasible);
    add(Verdict::unknown, statistics_.unknown, statistics_.decided_unknown);
}

// Unknown: nothing is known that helps.
Answer LoadingOracle::recalled(const Sequence& route) {
    if (!options_.use_cache) return {};
    const RouteCache::Known* known = cache_.find(route);
    if (known != nullptr && known->verdict == Verdict::feasible)
        return {known->verdict, Stage::cache, 0, 0.0, known->layout, {}, false};
    const Stage stage = known != nullptr ? Stage::cache : Stage::heredity;
    if (auto core = known_core_in_any_order(route))
        return {Verdict::infeasible, stage, 0, 0.0, {}, std::move(*core), true};
    if (auto core = cache_.find_infeasible_core(route))
        return {Verdict::infeasible, stage, 0, 0.0, {}, std::move(*core), !options_.lifo};
    if (known != nullptr) return {Verdict::infeasible, stage, 0, 0.0, {}, route, !options_.lifo};
    if (auto plan = cache_.plan_from_longer_route(route, Mirror{length_, &customers_}))
        return {Verdict::feasible, Stage::heredity, 0, 0.0, std::move(*plan), {}, false};
    return {};
}

Answer LoadingOracle::answer(const Sequence& route, const Effort& effort) {
    if (!options_.use_cache) return decide_anew(route, effort);
    if (Answer known = recalled(route); known.verdict != Verdict::unknown) return known;
    EffortLeft left(effort);
    Answer result = decide_anew(route, effort);
    if (result.verdict == Verdict::unknown) return result;
    cache_.store(route, {result.verdict, result.layout});
    if (result.verdict == Verdict::infeasible && result.stage != Stage::any_order)
        result.core = learn_infeasible_core(route, result.nodes, left);
    return result;
}

Answer LoadingOracle::decide_anew(const Sequence& route, const Effort& effort) {
    LoadingSearch search = suspended_.take(route, [&] { return problem_of(route); });
    EffortLeft left(effort);
    Answer refuted = ask_in_any_order(route, search.nodes(), left);
    if (refuted.verdict == Verdict::infeasible) return refuted;
    Decision decision = search.run(left.at_most(EffortLeft::no_limit));
    left.charge(decision.nodes);
    remember_effort(route, decision);
    if (decision.verdict == Verdict::unknown && decision.nodes >= min_kept_nodes)
        suspended_.put(route, std::move(search));
    Answer result{decision.verdict, decision.stage, left.charged(), 0.0, {}, {}, false};
    if (decision.verdict == Verdict::infeasible) {
        result.core = route;
        result.in_any_order = !options_.lifo;
    }
    if (decision.verdict == Verdict::feasible)
        result.layout = by_visits(route, std::move(decision.layout));
    return result;
}

// What other orders of the same customers have taken is spent once more without an order: what
// does not fit so is refuted for all orders that are still to come.
Answer LoadingOracle::ask_in_any_order(const Sequence& route, std::int64_t own_nodes,
                                       EffortLeft& left) {
    if (any_order_ == nullptr || any_order_->cache_.bytes() == 0) return {};
    const Sequence customers = sorted(route);
    const std::int64_t others = any_order_->cache_.effort(customers) - own_nodes;
    if (others < options_.nodes_in_other_orders) return {};
    std::int64_t max_nodes = options_.nodes_in_other_orders;
    while (max_nodes <= others / effort_growth) max_nodes *= effort_growth;
    if (any_order_->cache_.is_no_core(customers, max_nodes)) return {};
    Answer answer = any_order_->check(customers, left.at_most(max_nodes));
    left.charge(answer.nodes);
    if (answer.verdict == Verdict::infeasible) {
        answer.stage = Stage::any_order;
        answer.core = in_order_of(route, answer.core);
    } else if (answer.verdict == Verdict::unknown && answer.nodes >= max_nodes) {
        any_order_->cache_.store_no_core(customers, max_nodes);
    }
    return answer;
}

void LoadingOracle::remember_effort(const Sequence& route, const Decision& decision) {
    if (any_order_ == nullptr || !options_.use_cache ||
        decision.nodes < std::min(min_kept_nodes, options_.nodes_in_other_orders))
        return;
    const Sequence customers = sorted(route);
    if (decision.verdict == Verdict::feasible)
        any_order_->cache_.store_no_core(customers, std::numeric_limits<std::int64_t>::max());
    else
        any_order_->cache_.add_effort(customers, decision.nodes);
}

std::optional<Sequence> LoadingOracle::known_core_in_any_order(const Sequence& route) const {
    if (any_order_ == nullptr || any_order_->cache_.bytes() == 0) return std::nullopt;
    const auto core = any_order_->cache_.find_infeasible_core(sorted(route));
    if (!core) return std::nullopt;
    return in_order_of(route, *core);
}

Layout LoadingOracle::by_visits(const Sequence& route, Layout layout) const {
    if (options_.lifo) {
        std::ranges::reverse(layout);
        return layout;
    }
    Layout result;
    auto position = layout.front().begin();
    for (const std::int32_t customer : route) {
        const auto count = static_cast<std::ptrdiff_t>(customers_[to_index(customer)].size());
        result.emplace_back(position, position + count);
        position += count;
    }
    return result;
}

Layout LoadingOracle::by_loading(const Layout& layout) const {
    if (options_.lifo) return {layout.rbegin(), layout.rend()};
    Layout result(1);
    for (const auto& stop : layout)
        result.front().insert(result.front().end(), stop.begin(), stop.end());
    return result;
}

Layout LoadingOracle::pushed_together(const Sequence& route, const Layout& layout) const {
    const Problem problem = problem_of(route);
    Layout plan = layout;
    change_fixed_turns(route, plan);
    plan = by_loading(plan);
    do {
        plan = transfer_layout(problem, plan, problem);
    } while (turn_back(problem, plan));
    if (!is_valid_layout(problem, plan))
        throw std::logic_error("pushing a plan together has spoilt it");
    plan = by_visits(route, std::move(plan));
    change_fixed_turns(route, plan);
    return plan;
}

Sequence LoadingOracle::learn_infeasible_core(const Sequence& route, std::int64_t proof_nodes,
                                              const EffortLeft& left) {
    std::int64_t nodes_left = std::clamp(proof_nodes, min_core_nodes, max_core_nodes);
    const std::int64_t nodes_each =
        std::max(min_try_nodes, std::min(2 * proof_nodes, nodes_left / 3));
    // Small stops first: without them the rest is most likely to be infeasible still.
    Sequence by_area = route;
    std::ranges::sort(by_area, [&](std::int32_t a, std::int32_t b) {
        const Area area_a = area_of(a), area_b = area_of(b);
        return area_a != area_b ? area_a < area_b : a < b;
    });
    const bool is_guided = guess_ && proof_nodes >= min_guided_nodes;
    Sequence core = route;
    for (const std::int32_t customer : by_area) {
        if (core.size() == 1 || nodes_left <= 0) break;
        Sequence shorter = core;
        std::erase(shorter, customer);
        const std::int64_t max_nodes = std::min(nodes_left, nodes_each);
        if (cache_.is_no_core(shorter, max_nodes)) continue;
        if (is_guided && guess_(shorter)) continue;
        const Decision decision = decide(problem_of(shorter), left.in_time(max_nodes));
        nodes_left -= std::max<std::int64_t>(1, decision.nodes);
        if (decision.verdict == Verdict::infeasible) {
            core = std::move(shorter);
        } else if (decision.verdict == Verdict::feasible) {
            cache_.store_no_core(shorter, std::numeric_limits<std::int64_t>::max());
        } else if (decision.nodes >= max_nodes) {
            cache_.store_no_core(shorter, max_nodes);
        }
    }
    cache_.store_infeasible_core(core);
    return core;
}

Area LoadingOracle::area_of(std::int32_t customer) const {
    Area area = 0;
    for (const Cargo& item : customers_[to_index(customer)]) area += item.first.area();
    return area;
}

void LoadingOracle::clear() {
    const std::lock_guard lock(mutex_);
    cache_.clear();
    suspended_.clear();
    if (any_order_) any_order_->clear();
    statistics_ = Statistics{};
}

}  // namespace tailgate::packing
