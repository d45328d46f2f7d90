// What a loading search may spend, and what it has spent.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>

namespace tailgate::packing {

struct Effort {
    std::int64_t max_nodes = -1;                      // negative: no limit
    double max_seconds = -1.0;                        // negative: no limit
    std::size_t memo_bytes = std::size_t{256} << 20;  // for failed states, of all searches together
    std::function<bool()> interrupted;  // asked now and then; true gives up with `unknown`
};

// What several queries have left of one effort.
class EffortLeft {
  public:
    static constexpr std::int64_t no_limit = INT64_MAX / 2;

    explicit EffortLeft(const Effort& effort) : effort_(effort), started_(Clock::now()) {}

    void charge(std::int64_t nodes) { charged_ += nodes; }
    [[nodiscard]] std::int64_t charged() const { return charged_; }
    [[nodiscard]] std::int64_t nodes() const {
        return effort_.max_nodes < 0 ? no_limit : effort_.max_nodes - charged_;
    }
    [[nodiscard]] Effort at_most(std::int64_t nodes) const {
        return in_time(std::max<std::int64_t>(0, std::min(nodes, this->nodes())));
    }
    // So many nodes, whatever is left of them.
    [[nodiscard]] Effort in_time(std::int64_t max_nodes) const {
        Effort rest = effort_;
        rest.max_nodes = max_nodes;
        if (effort_.max_seconds >= 0) {
            const std::chrono::duration<double> spent = Clock::now() - started_;
            rest.max_seconds = std::max(0.0, effort_.max_seconds - spent.count());
        }
        return rest;
    }

  private:
    using Clock = std::chrono::steady_clock;
    Effort effort_;
    Clock::time_point started_;
    std::int64_t charged_ = 0;
};

// When one exact search stops: it looks at this at every node.
struct Budget {
    std::int64_t max_nodes = 0;
    std::function<bool()> expired;  // may be empty
};

// Counts what all searches of one query have spent since it was begun or resumed.
class EffortMeter {
  public:
    // The effort must outlive its use here.
    void begin(const Effort& effort) {
        effort_ = &effort;
        started_ = Clock::now();
        nodes_ = 0;
        end_lap();
    }

    // For now no more nodes than these, so that others get their turn.
    void begin_lap(std::int64_t nodes) { lap_end_ = nodes_ + nodes; }
    void end_lap() { lap_end_ = no_end; }

    [[nodiscard]] bool is_expired() const {
        if (effort_->interrupted && effort_->interrupted()) return true;
        return effort_->max_seconds >= 0 &&
               std::chrono::duration<double>(Clock::now() - started_).count() >=
                   effort_->max_seconds;
    }
    [[nodiscard]] bool is_used_up() const { return nodes_left() <= 0 || is_expired(); }
    [[nodiscard]] std::int64_t nodes() const { return nodes_; }
    [[nodiscard]] std::int64_t nodes_left() const {
        const std::int64_t end = effort_->max_nodes < 0 ? no_end : effort_->max_nodes;
        return std::min(end, lap_end_) - nodes_;
    }
    void charge(std::int64_t nodes) { nodes_ += nodes; }

  private:
    using Clock = std::chrono::steady_clock;
    const Effort* effort_ = nullptr;
    Clock::time_point started_;
    static constexpr std::int64_t no_end = INT64_MAX / 2;
    std::int64_t nodes_ = 0;
    std::int64_t lap_end_ = no_end;
};

}  // namespace tailgate::packing
