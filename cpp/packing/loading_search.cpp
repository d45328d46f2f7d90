#include "loading_search.hpp"

#include <optional>
#include <stdexcept>
#include <utility>

#include "fine_floor_search.hpp"
#include "greedy.hpp"
#include "rescale.hpp"
#include "rescaled_search.hpp"

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
            nodes_ += meter_.nodes();
        }
        return decision_;
    }

    [[nodiscard]] std::int64_t nodes() const { return nodes_; }

    [[nodiscard]] std::size_t bytes() const {
        std::size_t bytes = 0;
        for (const auto* search : {&rescaled_, &rounded_down_})
            bytes += *search ? (*search)->bytes() : 0;
        return bytes + (fine_floor_ ? fine_floor_->bytes() : 0);
    }

  private:
    [[nodiscard]] bool is_decided() const { return decision_.verdict != Verdict::unknown; }

    void resume(std::size_t memo_bytes) {
        if (!rescaled_) {
            if (decide_at_sight()) return;
            const Length max_floor =
                problem_.count_items() <= few_items ? max_floor_of_few : max_floor_of_many;
            rescaled_.emplace(problem_, max_floor, Rounding::up, memo_bytes, meter_);
            if (!rescaled_->is_equivalent()) {
                rounded_down_.emplace(problem_, max_floor, Rounding::down, memo_bytes, meter_);
                fine_floor_.emplace(problem_, *rescaled_, *rounded_down_, memo_bytes, meter_);
            }
        }
        decision_ = fine_floor_ ? fine_floor_->run() : rescaled_->run();
        if (decision_.verdict == Verdict::feasible)
            decision_.layout = checked(std::move(decision_.layout));
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

    [[nodiscard]] Layout checked(Layout layout) const {
        if (!is_valid_layout(problem_, layout)) {
            throw std::logic_error("the loading search produced an invalid plan");
        }
        return layout;
    }

    Problem problem_;
    EffortMeter meter_;
    std::int64_t nodes_ = 0;
    Decision decision_;
    std::optional<RescaledSearch> rescaled_;  // equivalent, or rounded up
    std::optional<RescaledSearch> rounded_down_;
    std::optional<FineFloorSearch> fine_floor_;  // unless there is an equivalent one
};

LoadingSearch::LoadingSearch(Problem problem)
    : implementation_(std::make_unique<Implementation>(std::move(problem))) {}
LoadingSearch::~LoadingSearch() = default;
LoadingSearch::LoadingSearch(LoadingSearch&&) noexcept = default;
LoadingSearch& LoadingSearch::operator=(LoadingSearch&&) noexcept = default;
Decision LoadingSearch::run(const Effort& effort) {
    return implementation_->run(effort);
}

std::int64_t LoadingSearch::nodes() const {
    return implementation_->nodes();
}

std::size_t LoadingSearch::bytes() const {
    return implementation_->bytes();
}

Decision decide(const Problem& problem, const Effort& effort) {
    return LoadingSearch(problem).run(effort);
}

}  // namespace tailgate::packing
