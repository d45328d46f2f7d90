#include "decide.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "drop_search.hpp"
#include "lifting.hpp"
#include "rescale.hpp"

namespace tailgate::packing {

namespace {

constexpr std::int64_t dive_nodes = 60;
constexpr std::int64_t limit_growth = 4;
constexpr Length max_floor = 4096;

using Clock = std::chrono::steady_clock;

Problem turned_round(const Problem& problem) {
    Problem result = problem;
    std::reverse(result.stops.begin(), result.stops.end());
    return result;
}

Layout turned_round(const Problem& turned, Layout layout) {
    for (std::size_t stop = 0; stop < layout.size(); ++stop) {
        for (std::size_t i = 0; i < layout[stop].size(); ++i) {
            Position& position = layout[stop][i];
            position.y = turned.length - position.y - turned.stops[stop][i].length;
        }
    }
    std::reverse(layout.begin(), layout.end());
    return layout;
}

class Spending {
  public:
    explicit Spending(const Effort& effort) : effort_(effort), started_(Clock::now()) {}

    [[nodiscard]] bool expired() const {
        if (effort_.interrupted && effort_.interrupted()) return true;
        return effort_.max_seconds >= 0 &&
               std::chrono::duration<double>(Clock::now() - started_).count() >= effort_.max_seconds;
    }
    [[nodiscard]] std::int64_t nodes_left(std::int64_t spent) const {
        return effort_.max_nodes < 0 ? INT64_MAX / 2 : effort_.max_nodes - spent;
    }

  private:
    const Effort& effort_;
    Clock::time_point started_;
};

Decision search_both_ways(const Problem& original, const Rescaled& rescaled, const Effort& effort,
                          const Spending& spending, std::int64_t nodes_before) {
    const Problem lifted = lift_items(rescaled.problem);
    const Problem turned = turned_round(lifted);
    DropSearch from_cab(lifted, effort.memo_bytes / 2);
    DropSearch from_door(turned, effort.memo_bytes / 2);
    Decision decision;
    Budget budget;
    budget.expired = [&] { return spending.expired(); };
    std::int64_t limit = dive_nodes;
    bool backwards = false;
    while (true) {
        DropSearch& search = backwards ? from_door : from_cab;
        const std::int64_t spent = nodes_before + from_cab.nodes() + from_door.nodes();
        budget.max_nodes = std::min(limit, spending.nodes_left(spent));
        decision.verdict = budget.max_nodes > 0 ? search.run(budget) : Verdict::unknown;
        decision.nodes = from_cab.nodes() + from_door.nodes();
        if (decision.verdict != Verdict::unknown) break;
        if (budget.max_nodes < limit || spending.expired()) return decision;
        if (backwards) limit *= limit_growth;
        backwards = !backwards;
    }
    decision.stage = limit == dive_nodes ? (decision.nodes <= 2 ? Stage::bounds : Stage::dive) : Stage::search;
    if (decision.verdict == Verdict::feasible) {
        const Layout small = backwards ? turned_round(turned, from_door.layout()) : from_cab.layout();
        decision.layout = transfer_layout(lifted, small, original);
        if (!rescaled.proves_feasible) {
            decision = {Verdict::unknown, Stage::limit, decision.nodes, {}};
        } else if (!is_valid_layout(original, decision.layout)) {
            throw std::logic_error("the loading search produced an invalid plan");
        }
    } else if (!rescaled.proves_infeasible) {
        decision = {Verdict::unknown, Stage::limit, decision.nodes, {}};
    }
    return decision;
}

}  // namespace

std::string_view stage_name(Stage stage) {
    constexpr std::string_view names[stage_count] = {"trivial", "cache", "heredity", "bounds",
                                                     "dive",    "core",  "search",   "limit"};
    return names[static_cast<std::size_t>(stage)];
}

Decision decide(const Problem& problem, const Effort& effort) {
    const Spending spending(effort);
    Area area = 0;
    bool empty = true;
    for (const auto& stop : problem.stops) {
        for (const Rectangle& item : stop) {
            empty = false;
            area += item.area();
            if (item.width > problem.width || item.length > problem.length) {
                return {Verdict::infeasible, Stage::bounds, 0, {}};
            }
        }
    }
    if (empty) return {Verdict::feasible, Stage::trivial, 0, Layout(problem.stops.size())};
    if (area > Area{problem.width} * problem.length) return {Verdict::infeasible, Stage::bounds, 0, {}};
    const Rescaled rescaled = rescale(problem, max_floor, Rounding::up);
    Decision decision = search_both_ways(problem, rescaled, effort, spending, 0);
    if (decision.verdict == Verdict::unknown && !rescaled.proves_infeasible && !spending.expired()) {
        const std::int64_t nodes = decision.nodes;
        const Rescaled rounded_down = rescale(problem, max_floor, Rounding::down);
        decision = search_both_ways(problem, rounded_down, effort, spending, nodes);
        decision.nodes += nodes;
    }
    return decision;
}

}  // namespace tailgate::packing
