// The recreate step of slack induction by string removals (Christiaens and Vanden Berghe 2020):
// customers go back greedily, each where it costs least, with small random oversights ("blinks").
//
// Loading is checked as late as possible. At first everything is taken for loadable that is not
// known to be refused: most solutions turn out too expensive, and need no check at all. What comes
// through is checked as a whole; after some failures every single insertion is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "workspace.hpp"

namespace tailgate::routing {

class Recreate {
  public:
    // The workspace must outlive this.
    explicit Recreate(Workspace& work);

    struct Terms {
        double threshold = 0.0;       // a solution that costs more is given up
        std::int64_t iterations = 0;  // of the search so far
        double cost_elsewhere = 0.0;  // of the solution, beyond its tours and whom it inserts
    };
    // Serves those whom it can; the others stay unserved. False if it was given up.
    bool run(const Terms& terms);

  private:
    // Of a customer, or of several who follow each other.
    struct Insertion {
        double cost = 0.0;
        std::size_t tour = 0;
        std::size_t position = 0;
    };

    // What the costs of three arcs do not tell of an insertion, and more of one kind of vehicle.
    struct KindCosts {
        explicit KindCosts(const VehicleKind& kind);

        // To every place from all others, by rows; empty if costs are symmetric.
        std::vector<double> costs_to;
        bool has_more_than_arcs;
    };

    void find_needs_of_company();
    void order_unserved();
    void insert_all(const std::vector<Place>& waiting);
    bool has_loadable_tours();
    bool insert(Place customer, std::size_t waiting);
    bool insert_group(std::size_t group);
    void leave_unserved(Place customer);
    // What an insertion may cost: more than leaving out only now and then.
    [[nodiscard]] double most_cost_of(double leave_out_cost) const {
        return std::min(budget_, patience_ * leave_out_cost + extra_patience_);
    }
    [[nodiscard]] double leave_out_cost_of(Place customer) const {
        return work_.leave_out_costs.empty() ? infinity
                                             : work_.leave_out_costs[to_index(customer)];
    }
    void draw_patience();
    void collect_insertions(Place customer, bool only_short_tours, bool may_open);
    void collect_insertions_into(std::size_t kind, std::size_t tour, Place customer);
    bool insert_in_company(Place customer, const std::vector<Place>& waiting);
    // In one vehicle of this kind.
    [[nodiscard]] bool may_share(std::span<const Place> customers, std::size_t kind) const;
    void collect_insertions_of(std::span<const Place> customers);
    void collect_insertions_of_into(std::span<const Place> customers, std::size_t tour);
    bool insert_cheapest(std::span<const Place> customers);
    bool is_possible(std::span<const Place> customers, const Insertion& insertion);
    // For the stops of a tour with these newcomers, which keep all limits.
    bool is_loadable(std::size_t tour, const std::vector<Place>& stops,
                     std::span<const Place> newcomers);
    [[nodiscard]] static bool has_clash(const LoadingCheck& loading, Place customer,
                                        const std::vector<Place>& stops) {
        return std::any_of(stops.begin(), stops.end(), [&](Place stop) {
            return loading.are_known_to_clash(customer, stop);
        });
    }
    [[nodiscard]] bool overlooks_next();
    // What waiting costs more with this customer; infinite if a limit is broken for sure.
    [[nodiscard]] double cost_beyond_arcs(Place customer, std::size_t tour, std::size_t position,
                                          Place before, Place after) const;

    Workspace& work_;
    std::vector<KindCosts> kind_costs_;
    std::vector<double> depot_nearness_;  // by place
    double mean_leave_out_cost_ = 0.0;
    // Customers whom no vehicle can visit alone, by place: some way from or to the depot is closed
    // or too long, but others lie on a way that is not. Empty if there is none.
    std::vector<bool> needs_company_;
    Terms terms_;
    double budget_ = 0.0;  // for insertions, before the solution exceeds the threshold
    double most_cost_ = 0.0;  // of the insertion in question
    static constexpr std::size_t nobody = static_cast<std::size_t>(-1);
    std::size_t overlooked_kind_ = nobody;  // no tour of this kind begins in this step
    double patience_ = 1.0;  // what an insertion may cost, in units of leaving out
    double extra_patience_ = 0.0;  // and beyond that, for those who cost nothing
    bool is_over_budget_ = false;
    bool has_insertions_over_budget_ = false;
    bool is_optimistic_ = false;            // takes for loadable what is not known to be refused
    std::int64_t positions_to_blink_ = -1;  // negative: not drawn yet

    // Kept between steps only to save allocations.
    std::vector<Insertion> insertions_;
    std::vector<Place> order_;
    std::vector<Place> company_;
    std::vector<bool> is_extended_;     // tours with an insertion in this step
    std::vector<bool> is_group_tried_;
};

}  // namespace tailgate::routing
