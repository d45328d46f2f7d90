#include "decide.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>

#include "drop_search.hpp"
#include "gap_search.hpp"
#include "greedy.hpp"
#include "lifting.hpp"
#include "place_search.hpp"
#include "rescale.hpp"
#include "weighing.hpp"

namespace tailgate::packing {

namespace {

// Effort of the stages, each way, in nodes.
constexpr std::size_t max_greedy_items = 1024;  // a first try costs next to nothing up to here
constexpr std::int64_t glance_nodes = 15;       // before any bound: many a question needs no more
constexpr std::int64_t dive_nodes = 60;
constexpr std::size_t max_items_without_dive = 18;
constexpr std::int64_t first_limit = 1'000;  // of the search proper
constexpr std::int64_t limit_growth = 4;
constexpr std::int64_t nodes_per_beam_state =
    100;  // a beam costs less than half of the search before it

// With many items, or on a large floor, where a node of the full search is dear, an easy plan is
// looked for first.
constexpr std::size_t many_items = 10;
constexpr Length large_floor = 256;
constexpr std::size_t corner_beam_width = 4;

// The searches by places and by gaps go on as long as they expect to end within so many times the
// limit.
constexpr std::int64_t patience = 32;
constexpr double broken_promise = 8;

// The search by gaps is for floors of which so little stays empty, and for questions that take
// long. A node of it is quick.
constexpr double nearly_full = 0.94;
constexpr int gap_round = 3;
constexpr std::int64_t gap_nodes_per_node = 8;

// Parts of the memory where floors are searched by gaps. The search by dropping takes twice its
// part, and the sum is less than the whole, so that an oracle can keep such a question when it is
// put down.
constexpr std::size_t gap_share_of_memory = 3;
constexpr std::size_t drop_share_beside_gaps = 4;

constexpr int core_round = 1;  // parts are tried after this round of the search
constexpr std::int64_t core_nodes = 4'000;
constexpr double core_shares[] = {0.5, 0.65, 0.8};

// Floors beyond which lengths are rounded where no smaller equivalent is found: tables have an
// entry per unit, and few items need few tables.
constexpr std::size_t few_items = 12;
constexpr Length max_floor_of_few = 1 << 15;
constexpr Length max_floor_of_many = 1 << 12;

using Clock = std::chrono::steady_clock;

std::size_t count_items(const Problem& problem) {
    std::size_t count = 0;
    for (const auto& stop : problem.stops) count += stop.size();
    return count;
}

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

// What has been spent since a question was taken up, over all searches.
class Spending {
  public:
    // The effort must outlive the spending.
    void begin(const Effort& effort) {
        effort_ = &effort;
        started_ = Clock::now();
        nodes_ = 0;
    }

    [[nodiscard]] bool expired() const {
        if (effort_->interrupted && effort_->interrupted()) return true;
        return effort_->max_seconds >= 0 &&
               std::chrono::duration<double>(Clock::now() - started_).count() >=
                   effort_->max_seconds;
    }
    [[nodiscard]] bool given_up() const { return nodes_left() <= 0 || expired(); }
    [[nodiscard]] std::int64_t nodes() const { return nodes_; }
    [[nodiscard]] std::int64_t nodes_left() const {
        return effort_->max_nodes < 0 ? INT64_MAX / 2 : effort_->max_nodes - nodes_;
    }
    void charge(std::int64_t nodes) { nodes_ += nodes; }

  private:
    const Effort* effort_ = nullptr;
    Clock::time_point started_;
    std::int64_t nodes_ = 0;
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
    std::nth_element(areas.begin(), areas.begin() + static_cast<std::ptrdiff_t>(keep - 1),
                     areas.end(), std::greater<>());
    const Area smallest = areas[keep - 1];
    Problem result = problem;
    for (auto& stop : result.stops) {
        std::erase_if(stop, [&](const Rectangle& item) { return item.area() < smallest; });
    }
    return result;
}

// Runs the search from the cab and from the door in turns: which of the two is easier cannot be
// seen beforehand, and it matters.
class SearchBothWays {
  public:
    SearchBothWays(const Problem& problem, std::size_t memo_bytes, Spending& spending)
        : problem_(problem), memo_bytes_(memo_bytes / 2), spending_(spending) {
        budget_.expired = [this] { return spending_.expired(); };
    }

    Verdict run(std::int64_t nodes_each_way) {
        return in_turns(nodes_each_way, [this](DropSearch& search) { return search.run(budget_); });
    }
    Verdict run_beam(std::size_t width, std::int64_t nodes_each_way) {
        return in_turns(nodes_each_way,
                        [&](DropSearch& search) { return search.run_beam(width, budget_); });
    }
    Verdict run_corner_beam(std::size_t width) {
        return in_turns(INT64_MAX / 2,
                        [&](DropSearch& search) { return search.run_corner_beam(width, budget_); });
    }
    [[nodiscard]] bool is_out_of_memory() const {
        return from_cab_ && from_cab_->is_out_of_memory() && from_door_ &&
               from_door_->is_out_of_memory();
    }
    [[nodiscard]] std::size_t bytes() const {
        return (from_cab_ ? from_cab_->bytes() : 0) + (from_door_ ? from_door_->bytes() : 0);
    }
    [[nodiscard]] Layout layout() const {
        return turned_won_ ? turned_round(*turned_, from_door_->layout()) : from_cab_->layout();
    }

  private:
    template <typename Run>
    Verdict in_turns(std::int64_t nodes_each_way, Run run) {
        if (!from_cab_) from_cab_.emplace(problem_, memo_bytes_);
        turned_won_ = false;
        Verdict verdict = charged(*from_cab_, nodes_each_way, run);
        if (verdict != Verdict::unknown || spending_.given_up()) return verdict;
        if (!from_door_) {
            turned_ = turned_round(problem_);
            from_door_.emplace(*turned_, memo_bytes_);
        }
        turned_won_ = true;
        return charged(*from_door_, nodes_each_way, run);
    }

    template <typename Run>
    Verdict charged(DropSearch& search, std::int64_t nodes, Run run) {
        budget_.max_nodes = std::min(nodes, spending_.nodes_left());
        const std::int64_t before = search.nodes();
        const Verdict verdict = run(search);
        spending_.charge(search.nodes() - before);
        return verdict;
    }

    const Problem& problem_;
    std::size_t memo_bytes_;
    Spending& spending_;
    Budget budget_;
    std::optional<DropSearch> from_cab_;
    std::optional<Problem> turned_;
    std::optional<DropSearch> from_door_;
    bool turned_won_ = false;
};

// Runs the search that decides x first, where it can be run.
class SearchByPlaces {
  public:
    SearchByPlaces(const Problem& problem, Spending& spending)
        : problem_(problem), spending_(spending), is_possible_(PlaceSearch::can_search(problem)) {
        budget_.expired = [this] { return spending_.expired(); };
    }

    [[nodiscard]] bool is_possible() const { return is_possible_; }
    Verdict run(std::int64_t nodes) {
        if (!is_possible_ || spending_.given_up()) return Verdict::unknown;
        if (!search_) search_.emplace(problem_);
        budget_.max_nodes = std::min(nodes, spending_.nodes_left());
        const std::int64_t before = search_->nodes();
        const Verdict verdict = search_->run(budget_);
        spending_.charge(search_->nodes() - before);
        return verdict;
    }
    // How many nodes the search will have taken at the end, judging by what it has done so far.
    [[nodiscard]] double expected_nodes() const {
        if (!search_ || search_->progress() <= 0) return std::numeric_limits<double>::infinity();
        return static_cast<double>(search_->nodes()) / search_->progress();
    }
    [[nodiscard]] const Layout& layout() const { return search_->layout(); }

  private:
    const Problem& problem_;
    Spending& spending_;
    bool is_possible_;
    Budget budget_;
    std::optional<PlaceSearch> search_;
};

// Runs the search that fills gaps from the cab and from the door in turns, where the floor is
// nearly full.
class SearchByGaps {
  public:
    SearchByGaps(const Problem& problem, std::size_t memo_bytes, Spending& spending)
        : problem_(problem),
          memo_bytes_(memo_bytes / 2),
          spending_(spending),
          is_possible_(is_nearly_full(problem) && GapSearch::can_search(problem)) {
        budget_.expired = [this] { return spending_.expired(); };
    }

    [[nodiscard]] bool is_possible() const { return is_possible_; }
    [[nodiscard]] std::size_t bytes() const {
        return from_cab_ ? from_cab_->bytes() + from_door_->bytes() : 0;
    }
    Verdict run(std::int64_t nodes_each_way) {
        if (!is_possible_ || spending_.given_up()) return Verdict::unknown;
        if (!from_cab_) {
            from_cab_.emplace(problem_, memo_bytes_);
            turned_ = turned_round(problem_);
            from_door_.emplace(*turned_, memo_bytes_);
        }
        const Verdict verdict = run_one(false, nodes_each_way);
        if (verdict != Verdict::unknown || spending_.given_up()) return verdict;
        return run_one(true, nodes_each_way);
    }
    // The same from the side that promises an end sooner.
    Verdict go_on(std::int64_t nodes) {
        return run_one(expected_nodes(*from_door_) < expected_nodes(*from_cab_), nodes);
    }
    // How many nodes the search will have taken at the end, judging by what it has done so far.
    [[nodiscard]] double expected_nodes() const {
        if (!from_cab_) return std::numeric_limits<double>::infinity();
        return std::min(expected_nodes(*from_cab_), expected_nodes(*from_door_));
    }
    [[nodiscard]] Layout layout() const {
        return turned_won_ ? turned_round(*turned_, from_door_->layout()) : from_cab_->layout();
    }

  private:
    static bool is_nearly_full(const Problem& problem) {
        Area area = 0;
        for (const auto& stop : problem.stops) {
            for (const Rectangle& item : stop) area += item.area();
        }
        const Area floor = Area{problem.width} * problem.length;
        return static_cast<double>(area) >= nearly_full * static_cast<double>(floor);
    }

    static double expected_nodes(const GapSearch& search) {
        if (search.progress() <= 0) return std::numeric_limits<double>::infinity();
        return static_cast<double>(search.nodes()) / gap_nodes_per_node / search.progress();
    }

    Verdict run_one(bool turned, std::int64_t nodes) {
        turned_won_ = turned;
        GapSearch& search = turned ? *from_door_ : *from_cab_;
        const std::int64_t allowed = std::min(nodes, spending_.nodes_left());
        budget_.max_nodes = allowed * gap_nodes_per_node;
        const std::int64_t before = search.nodes();
        const Verdict verdict = search.run(budget_);
        spending_.charge((search.nodes() - before) / gap_nodes_per_node);
        return verdict;
    }

    const Problem& problem_;
    std::size_t memo_bytes_;
    Spending& spending_;
    bool is_possible_;
    Budget budget_;
    std::optional<GapSearch> from_cab_;
    std::optional<Problem> turned_;
    std::optional<GapSearch> from_door_;
    bool turned_won_ = false;
};

// Does an item, or the area of all, exceed the floor?
bool sizes_refuse(const Problem& problem) {
    const Area floor = Area{problem.width} * problem.length;
    Area area = 0;
    for (const auto& stop : problem.stops) {
        for (const Rectangle& item : stop) {
            area += item.area();  // stays below twice the largest floor
            if (item.width > problem.width || item.length > problem.length || area > floor)
                return true;
        }
    }
    return false;
}

// Do the bounds of weighing.hpp refuse the items even on the empty floor?
bool weighings_refuse(const Problem& problem) {
    std::vector<Rectangle> items;
    for (const auto& stop : problem.stops) items.insert(items.end(), stop.begin(), stop.end());
    if (items.size() > max_weighed_items ||
        std::max(problem.width, problem.length) > max_weighed_floor)
        return false;
    auto columns = make_weighings(items, Axis::columns, problem.length);
    if (!weighings_hold(columns, {{problem.length, problem.width}})) return true;
    auto rows = make_weighings(items, Axis::rows, problem.width);
    return !weighings_hold(rows, {{problem.width, problem.length}});
}

// Are some of the items to blame alone? The small ones would only multiply the search.
bool largest_items_do_not_fit(const Problem& problem, std::size_t memo_bytes, Spending& spending) {
    for (const double share : core_shares) {
        const Problem part = lift_items(largest_items(problem, share));
        SearchBothWays search(part, memo_bytes, spending);
        const Verdict verdict = search.run(core_nodes);
        if (verdict == Verdict::infeasible) return true;
        if (verdict == Verdict::unknown) return false;  // larger parts are harder still
    }
    return false;
}

// All stages on one problem, in turns with growing limits.
class Settling {
  public:
    Settling(Problem problem, std::size_t memo_bytes, Spending& spending)
        : problem_(std::move(problem)),
          memo_bytes_(memo_bytes),
          spending_(spending),
          places_(problem_, spending),
          gaps_(problem_, memo_bytes / gap_share_of_memory, spending),
          search_(problem_, gaps_.is_possible() ? memo_bytes / drop_share_beside_gaps : memo_bytes,
                  spending) {}
    Settling(const Settling&) = delete;
    Settling& operator=(const Settling&) = delete;

    [[nodiscard]] const Problem& problem() const { return problem_; }
    [[nodiscard]] std::size_t bytes() const { return search_.bytes() + gaps_.bytes(); }

    Decision run() {
        if (!looked_at_ && look_at()) return decision_;
        looked_at_ = true;
        // The searches by places and by gaps can go on without memory.
        while (!spending_.given_up() &&
               (!search_.is_out_of_memory() || places_.is_possible() || gaps_.is_possible())) {
            if (run_round()) return decision_;
            if (spending_.given_up()) break;  // the round is not over
            ++round_;
            limit_ *= limit_growth;
        }
        return {};
    }

  private:
    // What is cheap, with the bounds. Items that were lifted may exceed the floor.
    bool look_at() {
        if (refuted_if(sizes_refuse(problem_))) return true;
        const bool large = std::max(problem_.width, problem_.length) > large_floor;
        if (large || count_items(problem_) > many_items) {
            const std::size_t width = large ? corner_beam_width : 1;
            if (settled(search_.run_corner_beam(width), Stage::dive)) return true;
        }
        if (settled(search_.run(glance_nodes), Stage::dive) ||
            refuted_if(weighings_refuse(problem_)))
            return true;
        // The search by places, where it is possible, does more with as many nodes.
        return !(places_.is_possible() && count_items(problem_) <= max_items_without_dive) &&
               settled(search_.run(dive_nodes), Stage::dive);
    }

    bool run_round() {
        if (settled_by(places_, places_.run(limit_)) ||
            (round_ >= gap_round && settled_by(gaps_, gaps_.run(limit_))))
            return true;
        if (goes_on_as_promised()) return true;
        if (search_.is_out_of_memory()) return false;
        if (settled(search_.run(limit_), Stage::search)) return true;
        if (round_ == core_round && !places_.is_possible() &&
            largest_items_do_not_fit(problem_, memo_bytes_ / 2, spending_)) {
            decision_ = {Verdict::infeasible, Stage::core, 0, {}};
            return true;
        }
        const auto beam_width = static_cast<std::size_t>(limit_ / nodes_per_beam_state);
        return settled(search_.run_beam(beam_width, limit_), Stage::beam);
    }

    // The search that promises an end soon goes on out of turn. One that has broken its promise is
    // believed less the next time.
    bool goes_on_as_promised() {
        const double by_places = doubt_of_places_ * places_.expected_nodes();
        const double by_gaps = doubt_of_gaps_ * gaps_.expected_nodes();
        const std::int64_t patient = patience * limit_;
        if (std::min(by_places, by_gaps) > static_cast<double>(patient)) return false;
        const bool by_gaps_first = by_gaps < by_places;
        if (by_gaps_first ? settled_by(gaps_, gaps_.go_on(patient))
                          : settled_by(places_, places_.run(patient)))
            return true;
        if (!spending_.given_up())
            (by_gaps_first ? doubt_of_gaps_ : doubt_of_places_) *= broken_promise;
        return false;
    }

    bool settled(Verdict verdict, Stage stage) {
        if (verdict == Verdict::unknown) return false;
        decision_ = {verdict, stage, 0, verdict == Verdict::feasible ? search_.layout() : Layout{}};
        return true;
    }
    bool refuted_if(bool refused) {
        return settled(refused ? Verdict::infeasible : Verdict::unknown, Stage::bounds);
    }
    template <typename Search>
    bool settled_by(const Search& search, Verdict verdict) {
        if (verdict == Verdict::unknown) return false;
        decision_ = {verdict, Stage::search, 0,
                     verdict == Verdict::feasible ? search.layout() : Layout{}};
        return true;
    }

    Problem problem_;
    std::size_t memo_bytes_;
    Spending& spending_;
    SearchByPlaces places_;
    SearchByGaps gaps_;
    SearchBothWays search_;
    bool looked_at_ = false;
    double doubt_of_places_ = 1;
    double doubt_of_gaps_ = 1;
    int round_ = 0;
    std::int64_t limit_ = first_limit;
    Decision decision_;
};

// Everything side by side, each item against the cab.
std::optional<Layout> side_by_side(const Problem& problem) {
    Area total = 0;
    Layout layout;
    for (const auto& stop : problem.stops) {
        auto& positions = layout.emplace_back();
        for (const Rectangle& item : stop) {
            if (total + item.width > problem.width) return std::nullopt;
            positions.push_back({static_cast<Length>(total), 0});
            total += item.width;
        }
    }
    return layout;
}

}  // namespace

std::string_view stage_name(Stage stage) {
    constexpr std::string_view names[stage_count] = {
        "trivial", "cache", "heredity", "bounds", "dive", "beam", "core", "search", "limit"};
    return names[static_cast<std::size_t>(stage)];
}

class Question::Implementation {
  public:
    explicit Implementation(Problem problem) : problem_(std::move(problem)) {}

    Decision run(const Effort& effort) {
        spending_.begin(effort);
        if (!settled()) {
            go_on(effort.memo_bytes);
            decision_.nodes = spending_.nodes();
        }
        return decision_;
    }

    [[nodiscard]] std::size_t bytes() const {
        return (settling_ ? settling_->bytes() : 0) +
               (settling_rounded_down_ ? settling_rounded_down_->bytes() : 0);
    }

  private:
    [[nodiscard]] bool settled() const { return decision_.verdict != Verdict::unknown; }

    void go_on(std::size_t memo_bytes) {
        if (!rescaled_ && settled_at_sight()) return;
        const Length max_floor =
            count_items(problem_) <= few_items ? max_floor_of_few : max_floor_of_many;
        if (!rescaled_) rescaled_ = rescale(problem_, max_floor, Rounding::up);
        settle(*rescaled_, settling_, memo_bytes);
        if (settled() || rescaled_->proves_infeasible || spending_.given_up()) return;
        if (!rounded_down_) rounded_down_ = rescale(problem_, max_floor, Rounding::down);
        settle(*rounded_down_, settling_rounded_down_, memo_bytes);
    }

    bool settled_at_sight() {
        if (sizes_refuse(problem_)) {
            decision_ = {Verdict::infeasible, Stage::bounds, 0, {}};
        } else if (auto layout = side_by_side(problem_)) {
            decision_ = {Verdict::feasible, Stage::trivial, 0, std::move(*layout)};
        } else if (count_items(problem_) <= max_greedy_items && !spending_.given_up()) {
            spending_.charge(1);
            if (auto plan = greedy_layout(problem_))
                decision_ = {Verdict::feasible, Stage::dive, 0, checked(std::move(*plan))};
        }
        return settled();
    }

    void settle(const Rescaled& rescaled, std::optional<Settling>& settling,
                std::size_t memo_bytes) {
        if (!settling) settling.emplace(lift_items(rescaled.problem), memo_bytes, spending_);
        Decision decision = settling->run();
        const bool proven = decision.verdict == Verdict::feasible ? rescaled.proves_feasible
                                                                  : rescaled.proves_infeasible;
        if (decision.verdict == Verdict::unknown || !proven) return;
        decision_ = std::move(decision);
        if (decision_.verdict == Verdict::feasible) {
            decision_.layout =
                checked(transfer_layout(settling->problem(), decision_.layout, problem_));
        }
    }

    [[nodiscard]] Layout checked(Layout layout) const {
        if (!is_valid_layout(problem_, layout)) {
            throw std::logic_error("the loading search produced an invalid plan");
        }
        return layout;
    }

    Problem problem_;
    Spending spending_;
    Decision decision_;
    std::optional<Rescaled> rescaled_;
    std::optional<Settling> settling_;
    std::optional<Rescaled> rounded_down_;
    std::optional<Settling> settling_rounded_down_;
};

Question::Question(Problem problem)
    : implementation_(std::make_unique<Implementation>(std::move(problem))) {}
Question::~Question() = default;
Question::Question(Question&&) noexcept = default;
Question& Question::operator=(Question&&) noexcept = default;
Decision Question::run(const Effort& effort) {
    return implementation_->run(effort);
}

std::size_t Question::bytes() const {
    return implementation_->bytes();
}

Decision decide(const Problem& problem, const Effort& effort) {
    return Question(problem).run(effort);
}

}  // namespace tailgate::packing
