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
        bool is_relaxed = false;      // everything counts as loadable
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

    void order_unserved();
    void insert_all(const std::vector<Place>& waiting);
    bool has_loadable_tours();
    bool insert(Place customer, std::size_t waiting);
    void collect_insertions(Place customer, bool only_short_tours, bool may_open);
    bool insert_in_company(Place customer, const std::vector<Place>& waiting);
    void collect_insertions_of(std::span<const Place> customers);
    bool insert_cheapest(std::span<const Place> customers);
    bool is_possible(std::span<const Place> customers, const Insertion& insertion);
    [[nodiscard]] bool clashes(Place customer, const std::vector<Place>& stops) const {
        return std::any_of(stops.begin(), stops.end(), [&](Place stop) {
            return work_.loading.are_known_to_clash(customer, stop);
        });
    }
    [[nodiscard]] bool overlooks_next();
    // What waiting costs more with this customer; infinite if a limit is broken for sure.
    [[nodiscard]] double cost_beyond_arcs(Place customer, std::size_t tour, std::size_t position,
                                          Place before, Place after) const;
    [[nodiscard]] double fill_of(std::int64_t area) const {
        return static_cast<double>(area) / static_cast<double>(work_.problem.floor_area);
    }

    Workspace& work_;
    // To every place from all others, by rows; empty if costs are symmetric.
    std::vector<double> costs_to_;
    // Customers whom no vehicle can visit alone, by place: some way from or to the depot is closed
    // or too long, but others lie on a way that is not. Empty if there is none.
    std::vector<bool> needs_company_;
    bool has_more_than_arcs_;  // the costs of three arcs do not tell all of an insertion
    Terms terms_;
    double budget_ = 0.0;  // for insertions, before the solution exceeds the threshold
    bool is_over_budget_ = false;
    bool has_insertions_over_budget_ = false;
    bool is_optimistic_ = false;            // takes for loadable what is not known to be refused
    std::int64_t positions_to_blink_ = -1;  // negative: not drawn yet

    // Kept between steps only to save allocations.
    std::vector<Insertion> insertions_;
    std::vector<Place> order_;
    std::vector<Place> company_;
    std::vector<bool> is_extended_;  // tours with an insertion in this step
};

}  // namespace tailgate::routing
