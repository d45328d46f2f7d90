#include "decide.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "drop_search.hpp"
#include "lifting.hpp"
#include "rescale.hpp"

namespace tailgate::packing {

namespace {

constexpr std::int64_t dive_nodes = 60;      // each way
constexpr std::int64_t first_limit = 1'000;  // of the search proper, each way
constexpr std::int64_t limit_growth = 4;
constexpr std::int64_t nodes_per_beam_state = 40;  // a beam then costs about as much as the search before it
constexpr int core_round = 1;
constexpr double core_shares[] = {0.5, 0.65, 0.8};
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

// The problem without its small items. If the large ones do not fit, nothing does; and where they
// are to blame, the small ones only multiply the search.
Problem largest_items(const Problem& problem, double share) {
    std::vector<Area> areas;
    for (const auto& stop : problem.stops) {
        for (const Rectangle& item : stop) areas.push_back(item.area());
    }
    const auto keep = static_cast<std::size_t>(share * static_cast<double>(areas.size()));
    if (keep == 0) return {problem.width, problem.length, {}};
    std::nth_element(areas.begin(), areas.begin() + static_cast<std::ptrdiff_t>(keep - 1), areas.end(), std::greater<>());
    const Area smallest = areas[keep - 1];
    Problem result = problem;
    for (auto& stop : result.stops) {
        std::erase_if(stop, [&](const Rectangle& item) { return item.area() < smallest; });
    }
    return result;
}

// Runs the search from the cab and from the door in turns, with growing limits.
class SearchBothWays {
  public:
    SearchBothWays(const Problem& problem, std::size_t memo_bytes, const Spending& spending)
        : problem_(problem),
          turned_(turned_round(problem)),
          from_cab_(problem_, memo_bytes / 2),
          from_door_(turned_, memo_bytes / 2),
          spending_(spending) {
        budget_.expired = [this] { return spending_.expired(); };
    }

    Verdict run(std::int64_t nodes_each_way) {
        const auto run_one = [&](DropSearch& search) {
            budget_.max_nodes = std::min(nodes_each_way, spending_.nodes_left(nodes()));
            return budget_.max_nodes > 0 ? search.run(budget_) : Verdict::unknown;
        };
        static const double LEAD = getenv("LEAD") ? atof(getenv("LEAD")) : 0;
        if (LEAD > 0 && nodes_each_way > 1000 ) {
            const double c = from_cab_.progress(), d = from_door_.progress();
            if (c > LEAD * d) { const Verdict v = run_one(from_cab_); turned_won_ = false; return v; }
            if (d > LEAD * c) { const Verdict v = run_one(from_door_); turned_won_ = true; return v; }
        }
        return in_turns(run_one);
    }

    Verdict run_beam(std::size_t width) {
        return in_turns([&](DropSearch& search) {
            return spending_.nodes_left(nodes()) > 0 ? search.run_beam(width, budget_) : Verdict::unknown;
        });
    }

    [[nodiscard]] bool given_up() const { return spending_.nodes_left(nodes()) <= 0 || spending_.expired(); }
    [[nodiscard]] std::int64_t nodes() const { return from_cab_.nodes() + from_door_.nodes(); }
    [[nodiscard]] Layout layout() const {
        return turned_won_ ? turned_round(turned_, from_door_.layout()) : from_cab_.layout();
    }

  private:
    template <typename Run>
    Verdict in_turns(Run run) {
        Verdict verdict = run(from_cab_);
        turned_won_ = verdict == Verdict::unknown;
        if (turned_won_ && !spending_.expired()) verdict = run(from_door_);
        return verdict;
    }

    Problem problem_;
    Problem turned_;
    DropSearch from_cab_;
    DropSearch from_door_;
    const Spending& spending_;
    Budget budget_;
    bool turned_won_ = false;
};

struct Outcome {
    Verdict verdict = Verdict::unknown;
    Stage stage = Stage::limit;
    std::int64_t nodes = 0;
    Layout layout;
};

// Is a part of the items to blame? Spends about as much on each part as was spent on the whole.
bool largest_items_do_not_fit(const Problem& problem, std::int64_t nodes_each_way, const Spending& spending,
                              std::size_t memo_bytes, std::int64_t& nodes) {
    for (const double share : core_shares) {
        SearchBothWays part(lift_items(largest_items(problem, share)), memo_bytes, spending);
        const Verdict verdict = part.run(nodes_each_way);
        nodes += part.nodes();
        if (verdict == Verdict::infeasible) return true;
        if (verdict == Verdict::unknown) return false;  // larger parts are harder still
    }
    return false;
}

Outcome settle(const Problem& problem, const Effort& effort, const Spending& spending) {
    Outcome outcome;
    SearchBothWays search(problem, effort.memo_bytes, spending);
    const auto settled = [&](Verdict verdict, Stage stage) {
        outcome.nodes = search.nodes();
        if (verdict == Verdict::unknown) return false;
        outcome.verdict = verdict;
        outcome.stage = stage;
        if (verdict == Verdict::feasible) outcome.layout = search.layout();
        return true;
    };
    if (settled(search.run(1), Stage::bounds)) return outcome;
    if (settled(search.run(dive_nodes), Stage::dive)) return outcome;
    std::int64_t nodes_on_parts = 0;
    std::int64_t limit = first_limit;
    for (int round = 0; !search.given_up(); ++round, limit *= limit_growth) {
        if (settled(search.run(limit), Stage::search)) break;
        if (round == core_round && !search.given_up() &&
            largest_items_do_not_fit(problem, limit, spending, effort.memo_bytes / 2, nodes_on_parts)) {
            outcome.verdict = Verdict::infeasible;
            outcome.stage = Stage::core;
            break;
        }
        if (settled(search.run_beam(static_cast<std::size_t>(limit / nodes_per_beam_state)), Stage::beam)) break;
    }
    outcome.nodes = search.nodes() + nodes_on_parts;
    return outcome;
}

Decision settle_rescaled(const Problem& original, const Rescaled& rescaled, const Effort& effort,
                         const Spending& spending) {
    const Problem lifted = lift_items(rescaled.problem);
    Outcome outcome = settle(lifted, effort, spending);
    Decision decision{outcome.verdict, outcome.stage, outcome.nodes, {}};
    const bool proven = outcome.verdict == Verdict::feasible ? rescaled.proves_feasible : rescaled.proves_infeasible;
    if (outcome.verdict == Verdict::unknown || !proven) return {Verdict::unknown, Stage::limit, outcome.nodes, {}};
    if (outcome.verdict == Verdict::feasible) {
        decision.layout = transfer_layout(lifted, outcome.layout, original);
        if (!is_valid_layout(original, decision.layout)) {
            throw std::logic_error("the loading search produced an invalid plan");
        }
    }
    return decision;
}

}  // namespace

std::string_view stage_name(Stage stage) {
    constexpr std::string_view names[stage_count] = {"trivial", "cache", "heredity", "bounds", "dive",
                                                     "beam",    "core",  "search",   "limit"};
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
    Decision decision = settle_rescaled(problem, rescaled, effort, spending);
    if (decision.verdict == Verdict::unknown && !rescaled.proves_infeasible && !spending.expired()) {
        const std::int64_t nodes = decision.nodes;
        const Rescaled rounded_down = rescale(problem, max_floor, Rounding::down);
        decision = settle_rescaled(problem, rounded_down, effort, spending);
        decision.nodes += nodes;
    }
    return decision;
}

}  // namespace tailgate::packing
