#include "staged_search.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "dual_feasible_bounds.hpp"
#include "lifting.hpp"

namespace tailgate::packing {

namespace {

// Effort of the stages, on each view, in nodes.
constexpr std::int64_t first_dive_nodes = 15;  // before any bound: many a query needs no more
constexpr std::int64_t dive_nodes = 60;
constexpr std::size_t max_items_without_dive = 18;
constexpr std::int64_t first_limit = 1'000;  // of the exact searches
constexpr std::int64_t limit_growth = 4;
// A beam costs less than half of the search before it.
constexpr std::int64_t nodes_per_beam_state = 100;

// With many items, or on a large floor, where a node of the full search is expensive, an easy plan
// is looked for first.
constexpr std::size_t many_items = 10;
constexpr Length large_floor = 256;
constexpr std::size_t corner_beam_width = 4;

// A search goes on out of turn if it is expected to end within so many times the limit.
constexpr std::int64_t resumed_share = 32;
constexpr double doubt_growth = 8;

// The corner-filling search is for floors of which so much is covered, and for queries that take
// long.
constexpr double nearly_full = 0.94;
constexpr int first_corner_filling_round = 3;

// Parts of the memory where corners are filled or columns are swept, too: these share theirs. The
// skyline search takes twice its part, and the sum is less than the whole, so that an oracle can
// keep such a search when it is suspended.
constexpr std::size_t filling_memory_divisor = 3;
constexpr std::size_t skyline_memory_divisor = 4;

// The column sweep gets so many times the nodes of the others: on what is hard without an order it
// mostly ends first.
constexpr std::int64_t sweep_share = 8;

constexpr int largest_items_round = 1;  // parts are tried after this round
constexpr std::int64_t largest_items_nodes = 4'000;
constexpr double largest_item_shares[] = {0.5, 0.65, 0.8};

bool is_nearly_full(const Problem& problem) {
    Area area = 0;
    for (std::size_t stop = 0; stop < problem.stops.size(); ++stop) {
        for (std::size_t i = 0; i < problem.stops[stop].size(); ++i)
            area += problem.shapes(stop, i).least_area();
    }
    return static_cast<double>(area) >= nearly_full * static_cast<double>(problem.floor_area());
}

// On a wide floor a node of the skyline search is expensive, so a long one is not seen as a wide
// one.
constexpr Length wide_floor = 64;

std::vector<View> skyline_views(const Problem& problem) {
    const View other = other_view(problem);
    if (other == View::axes_exchanged && problem.length > std::max(wide_floor, problem.width))
        return {View::as_given};
    return {View::as_given, other};
}

std::vector<View> corner_filling_views(const Problem& problem) {
    if (!is_nearly_full(problem) || !CornerFillingSearch::can_search(problem)) return {};
    return {View::as_given, other_view(problem)};
}

std::vector<View> column_sweep_views(const Problem& problem) {
    if (!ColumnSweepSearch::can_search(problem)) return {};
    return {View::as_given, View::axes_exchanged};
}

std::size_t filling_memory(const Problem& problem, std::size_t memo_bytes) {
    const std::size_t sharing = ColumnSweepSearch::can_search(problem) ? 2 : 1;
    return memo_bytes / filling_memory_divisor / sharing;
}

// From the door this search would be the same.
std::vector<View> relative_position_views(const Problem& problem) {
    std::vector<View> views;
    if (RelativePositionSearch::can_search(problem)) views.push_back(View::as_given);
    if (!problem.has_order() &&
        RelativePositionSearch::can_search(seen(problem, View::axes_exchanged)))
        views.push_back(View::axes_exchanged);
    return views;
}

// Do the dual feasible bounds refuse the items even on the empty floor?
bool dual_feasible_bounds_refuse(const Problem& problem) {
    const std::vector<Rectangle> items = problem.items();
    if (problem.may_turn() || items.size() > max_bounds_items ||
        std::max(problem.width, problem.length) > max_bounds_floor)
        return false;
    auto columns = make_dual_feasible_bounds(items, Axis::columns, problem.length);
    if (!dual_feasible_bounds_hold(columns, {{problem.length, problem.width}})) return true;
    auto rows = make_dual_feasible_bounds(items, Axis::rows, problem.width);
    return !dual_feasible_bounds_hold(rows, {{problem.width, problem.length}});
}

// The problem without its small items. If the large ones do not fit, nothing does; and where they
// are to blame, the small ones only multiply the search.
Problem largest_items(const Problem& problem, double share) {
    std::vector<Area> areas;
    for (const Rectangle& item : problem.items()) areas.push_back(item.area());
    const auto keep = static_cast<std::size_t>(share * static_cast<double>(areas.size()));
    if (keep == 0) return {problem.width, problem.length, {}};
    std::nth_element(areas.begin(), areas.begin() + static_cast<std::ptrdiff_t>(keep - 1),
                     areas.end(), std::greater<>());
    const Area smallest = areas[keep - 1];
    Problem result = problem;
    for (std::size_t stop = 0; stop < result.stops.size(); ++stop) {
        const auto& items = problem.stops[stop];
        std::size_t kept = 0;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (items[i].area() < smallest) continue;
            result.stops[stop][kept] = items[i];
            if (problem.may_turn()) result.turned[stop][kept] = problem.turned[stop][i];
            ++kept;
        }
        result.stops[stop].resize(kept);
        if (problem.may_turn()) result.turned[stop].resize(kept);
    }
    return result;
}

bool largest_items_do_not_fit(const Problem& problem, std::size_t memo_bytes, EffortMeter& meter) {
    for (const double share : largest_item_shares) {
        const Problem part = lift_items(largest_items(problem, share));
        ViewedSearch<SkylineSearch> search(part, skyline_views(part), memo_bytes, meter);
        const Verdict verdict = search.run(largest_items_nodes);
        if (verdict == Verdict::infeasible) return true;
        if (verdict == Verdict::unknown) return false;  // larger parts are harder still
    }
    return false;
}

}  // namespace

bool exceeds_floor(const Problem& problem) {
    if (problem.has_oversized_item()) return true;
    Area area = 0;
    for (std::size_t stop = 0; stop < problem.stops.size(); ++stop) {
        for (std::size_t i = 0; i < problem.stops[stop].size(); ++i) {
            area += problem.shapes(stop, i).least_area();  // stays below twice the largest floor
            if (area > problem.floor_area()) return true;
        }
    }
    return false;
}

StagedSearch::StagedSearch(Problem problem, std::size_t memo_bytes, EffortMeter& meter)
    : problem_(std::move(problem)),
      memo_bytes_(memo_bytes),
      meter_(meter),
      relative_positions_(problem_, relative_position_views(problem_), 0, meter),
      corner_filling_(problem_, corner_filling_views(problem_),
                      filling_memory(problem_, memo_bytes), meter),
      column_sweep_(problem_, column_sweep_views(problem_), filling_memory(problem_, memo_bytes),
                    meter),
      skyline_(problem_, skyline_views(problem_),
               corner_filling_.has_views() || column_sweep_.has_views()
                   ? memo_bytes / skyline_memory_divisor
                   : memo_bytes,
               meter),
      limit_(first_limit) {}

Decision StagedSearch::run() {
    if (!cheap_stages_are_over_ && run_cheap_stages()) return decision_;
    cheap_stages_are_over_ = true;
    // The relative-position and the corner-filling search can go on without memory.
    while (!meter_.is_used_up() &&
           (!skyline_.is_out_of_memory() || relative_positions_.has_views() ||
            corner_filling_.has_views())) {
        if (run_round()) return decision_;
        if (meter_.is_used_up()) break;  // the round is not over
        ++round_;
        limit_ *= limit_growth;
    }
    if (!meter_.is_used_up()) decision_.stage = Stage::memory;
    return decision_;
}

bool StagedSearch::run_cheap_stages() {
    // Items that were lifted may exceed the floor.
    if (exceeds_floor(problem_)) return decide(Verdict::infeasible, Stage::bounds);
    const bool is_large = std::max(problem_.width, problem_.length) > large_floor;
    const std::size_t items = problem_.count_items();
    if ((is_large || items > many_items) &&
        decide(run_corner_beam(is_large ? corner_beam_width : 1), Stage::dive))
        return true;
    if (decide(skyline_.run(first_dive_nodes), Stage::dive)) return true;
    if (dual_feasible_bounds_refuse(problem_)) return decide(Verdict::infeasible, Stage::bounds);
    // The relative-position search, where it is possible, does more with as many nodes.
    if (relative_positions_.has_views() && items <= max_items_without_dive) return false;
    return decide(skyline_.run(dive_nodes), Stage::dive);
}

bool StagedSearch::run_round() {
    if (decide_by(relative_positions_, run_relative_positions(limit_))) return true;
    if (decide_by(column_sweep_, run_column_sweep(sweep_share * limit_))) return true;
    if (round_ >= first_corner_filling_round &&
        decide_by(corner_filling_, run_corner_filling(limit_)))
        return true;
    if (resume_most_promising()) return true;
    if (skyline_.is_out_of_memory()) return false;
    if (decide(skyline_.run(limit_), Stage::search)) return true;
    if (round_ == largest_items_round && !relative_positions_.has_views() &&
        largest_items_do_not_fit(problem_, memo_bytes_ / 2, meter_))
        return decide(Verdict::infeasible, Stage::core);
    const auto beam_width = to_index(limit_ / nodes_per_beam_state);
    return decide(run_beam(beam_width, limit_), Stage::beam);
}

// The search that is expected to end soon goes on out of turn. One that did not end as expected is
// doubted the next time.
bool StagedSearch::resume_most_promising() {
    const double by_positions = doubt_of_relative_positions_ * relative_positions_.expected_nodes();
    const double by_corners = doubt_of_corner_filling_ * corner_filling_.expected_nodes();
    const std::int64_t nodes = resumed_share * limit_;
    if (std::min(by_positions, by_corners) > static_cast<double>(nodes)) return false;
    const bool fills_corners = by_corners < by_positions;
    if (fills_corners ? decide_by(corner_filling_, corner_filling_.run_better_way(nodes))
                      : decide_by(relative_positions_, relative_positions_.run_better_way(nodes)))
        return true;
    if (!meter_.is_used_up())
        (fills_corners ? doubt_of_corner_filling_ : doubt_of_relative_positions_) *= doubt_growth;
    return false;
}

bool StagedSearch::decide(Verdict verdict, Stage stage) {
    if (verdict == Verdict::unknown) return false;
    decision_ = {verdict, stage, 0, verdict == Verdict::feasible ? skyline_.layout() : Layout{}};
    return true;
}

template <typename Search>
bool StagedSearch::decide_by(const Search& search, Verdict verdict) {
    if (verdict == Verdict::unknown) return false;
    decision_ = {verdict, Stage::search, 0,
                 verdict == Verdict::feasible ? search.layout() : Layout{}};
    return true;
}

// The views share the nodes.
Verdict StagedSearch::run_relative_positions(std::int64_t nodes) {
    if (!relative_positions_.has_views() || meter_.is_used_up()) return Verdict::unknown;
    return relative_positions_.run(nodes / relative_positions_.views());
}

Verdict StagedSearch::run_column_sweep(std::int64_t nodes_each) {
    if (meter_.is_used_up()) return Verdict::unknown;
    return column_sweep_.run(nodes_each);
}

Verdict StagedSearch::run_corner_filling(std::int64_t nodes_each) {
    if (meter_.is_used_up()) return Verdict::unknown;
    return corner_filling_.run(nodes_each);
}

Verdict StagedSearch::run_beam(std::size_t width, std::int64_t nodes_each) {
    return skyline_.run(nodes_each, [&](SkylineSearch& search, const Budget& budget) {
        return search.run_beam(width, budget);
    });
}

Verdict StagedSearch::run_corner_beam(std::size_t width) {
    return skyline_.run(INT64_MAX / 2, [&](SkylineSearch& search, const Budget& budget) {
        return search.run_corner_beam(width, budget);
    });
}

}  // namespace tailgate::packing
