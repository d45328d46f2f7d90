#include "loading_search.hpp"

#include <optional>
#include <stdexcept>
#include <utility>

#include "greedy.hpp"
#include "lifting.hpp"
#include "rescale.hpp"
#include "staged_search.hpp"

namespace tailgate::packing {

namespace {

constexpr std::size_t max_greedy_items = 1024;  // a first try costs next to nothing up to here

// Floors beyond which lengths are rounded where no smaller equivalent is found: tables have an
// entry per unit, and few items need few tables.
constexpr std::size_t few_items = 12;
constexpr Length max_floor_of_few = 1 << 15;
constexpr Length max_floor_of_many = 1 << 12;

// Everything side by side, each item against the cab.
std::optional<Layout> side_by_side(const Problem& problem) {
    Area total = 0;
    Layout layout;
    for (std::size_t stop = 0; stop < problem.stops.size(); ++stop) {
        auto& positions = layout.emplace_back();
        for (std::size_t i = 0; i < problem.stops[stop].size(); ++i) {
            const Rectangle narrowest = problem.shapes(stop, i).one;
            if (total + narrowest.width > problem.width) return std::nullopt;
            const bool turned = !(narrowest == problem.stops[stop][i]);
            positions.push_back({static_cast<Length>(total), 0, turned});
            total += narrowest.width;
        }
    }
    return layout;
}

}  // namespace

class LoadingSearch::Implementation {
  public:
    explicit Implementation(Problem problem) : problem_(std::move(problem)) {}

    Decision run(const Effort& effort) {
        meter_.begin(effort);
        if (!is_decided()) {
            resume(effort.memo_bytes);
            decision_.nodes = meter_.nodes();
        }
        return decision_;
    }

    [[nodiscard]] std::size_t bytes() const { return rounded_up_.bytes() + rounded_down_.bytes(); }

  private:
    // The problem in small integers: an equivalent one or, where none is found, a rounded one.
    struct Rescaling {
        std::optional<Rescaled> rescaled;
        std::optional<StagedSearch> search;
        [[nodiscard]] std::size_t bytes() const { return search ? search->bytes() : 0; }
    };

    [[nodiscard]] bool is_decided() const { return decision_.verdict != Verdict::unknown; }

    void resume(std::size_t memo_bytes) {
        if (!rounded_up_.rescaled && decide_at_sight()) return;
        search(rounded_up_, Rounding::up, memo_bytes);
        if (is_decided() || rounded_up_.rescaled->proves_infeasible || meter_.is_used_up()) return;
        search(rounded_down_, Rounding::down, memo_bytes);
    }

    bool decide_at_sight() {
        if (exceeds_floor(problem_)) {
            decision_ = {Verdict::infeasible, Stage::bounds, 0, {}};
        } else if (auto layout = side_by_side(problem_)) {
            decision_ = {Verdict::feasible, Stage::trivial, 0, std::move(*layout)};
        } else if (problem_.count_items() <= max_greedy_items && !meter_.is_used_up()) {
            meter_.charge(1);
            if (auto plan = greedy_layout(problem_))
                decision_ = {Verdict::feasible, Stage::dive, 0, checked(std::move(*plan))};
        }
        return is_decided();
    }

    void search(Rescaling& rescaling, Rounding rounding, std::size_t memo_bytes) {
        if (!rescaling.rescaled) {
            const Length max_floor =
                problem_.count_items() <= few_items ? max_floor_of_few : max_floor_of_many;
            rescaling.rescaled = rescale(problem_, max_floor, rounding);
        }
        const Rescaled& rescaled = *rescaling.rescaled;
        if (!rescaling.search)
            rescaling.search.emplace(lift_items(rescaled.problem), memo_bytes, meter_);
        Decision decision = rescaling.search->run();
        const bool is_proven = decision.verdict == Verdict::feasible ? rescaled.proves_feasible
                                                                     : rescaled.proves_infeasible;
        if (decision.verdict == Verdict::unknown || !is_proven) return;
        decision_ = std::move(decision);
        if (decision_.verdict == Verdict::feasible) {
            decision_.layout =
                checked(transfer_layout(rescaling.search->problem(), decision_.layout, problem_));
        }
    }

    [[nodiscard]] Layout checked(Layout layout) const {
        if (!is_valid_layout(problem_, layout)) {
            throw std::logic_error("the loading search produced an invalid plan");
        }
        return layout;
    }

    Problem problem_;
    EffortMeter meter_;
    Decision decision_;
    Rescaling rounded_up_;
    Rescaling rounded_down_;
};

LoadingSearch::LoadingSearch(Problem problem)
    : implementation_(std::make_unique<Implementation>(std::move(problem))) {}
LoadingSearch::~LoadingSearch() = default;
LoadingSearch::LoadingSearch(LoadingSearch&&) noexcept = default;
LoadingSearch& LoadingSearch::operator=(LoadingSearch&&) noexcept = default;
Decision LoadingSearch::run(const Effort& effort) {
    return implementation_->run(effort);
}

std::size_t LoadingSearch::bytes() const {
    return implementation_->bytes();
}

Decision decide(const Problem& problem, const Effort& effort) {
    return LoadingSearch(problem).run(effort);
}

}  // namespace tailgate::packing
