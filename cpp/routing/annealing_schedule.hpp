// Simulated annealing without a known end: it cools down again and again, each time more slowly.
#pragma once

#include <cmath>
#include <cstdint>

#include "random_stream.hpp"

namespace tailgate::routing {

class AnnealingSchedule {
  public:
    // With several kinds of vehicles, or orders that may be left out, there is more to leave behind
    // between two cycles than the order of stops: these begin as warm as the first.
    AnnealingSchedule(std::int64_t customers, bool has_choices)
        : customers_(customers), reheat_share_(has_choices ? 1.0 : reheat_share) {}

    // Temperatures are shares of the mean cost of a customer in this solution.
    void set_scale(double cost) {
        warmest_ = warmest_share * cost / static_cast<double>(customers_);
    }
    [[nodiscard]] bool has_scale() const { return warmest_ > 0.0; }

    // The relaxed start, of so many iterations, begins at the warmest.
    void begin_relaxed(std::int64_t length) { begin(1.0, length, 0); }
    // The first cycle is rather cold: the relaxed start was warm, and while it is warm almost every
    // idea must be checked for loading.
    void begin_first(std::int64_t iteration) {
        begin(first_warmth, first_cycle + first_cycle_per_customer * customers_, iteration);
    }
    // After a solution from elsewhere: cold, and as long as the cycle at hand.
    void begin_again(std::int64_t iteration) { begin(first_warmth, cycle_length_, iteration); }
    void begin_next(std::int64_t iteration) {
        const double length = cycle_growth * static_cast<double>(cycle_length_);
        begin(reheat_share_, static_cast<std::int64_t>(length), iteration);
    }

    void cool() { temperature_ *= cooling_; }
    [[nodiscard]] bool is_over(std::int64_t iteration) const { return iteration >= cycle_end_; }
    void note_improvement() { has_improved_ = true; }
    [[nodiscard]] bool has_improved() const { return has_improved_; }  // in this cycle

    // A solution is accepted if it costs less. Drawn beforehand: what exceeds it need not be
    // finished, nor checked for loading.
    [[nodiscard]] double draw_threshold(double current_cost, RandomStream& random) const {
        return current_cost - temperature_ * std::log(1.0 - random.fraction());
    }

  private:
    // In units of the mean cost of a customer.
    static constexpr double warmest_share = 0.3;
    static constexpr double coldest_share = 0.003;
    // In units of the warmest temperature.
    static constexpr double first_warmth = 0.1;
    static constexpr double reheat_share = 0.5;

    static constexpr std::int64_t first_cycle_per_customer = 10;
    static constexpr std::int64_t first_cycle = 200;
    static constexpr double cycle_growth = 1.6;

    void begin(double warmth, std::int64_t length, std::int64_t iteration) {
        temperature_ = warmth * warmest_;
        cooling_ =
            std::pow(coldest_share / (warmth * warmest_share), 1.0 / static_cast<double>(length));
        cycle_length_ = length;
        cycle_end_ = iteration + length;
        has_improved_ = false;
    }

    std::int64_t customers_;
    double reheat_share_;
    double warmest_ = 0.0;
    double temperature_ = 0.0;
    double cooling_ = 1.0;
    std::int64_t cycle_length_ = 0;
    std::int64_t cycle_end_ = 0;
    bool has_improved_ = false;
};

}  // namespace tailgate::routing
