// The solution that a search works on: one tour per vehicle, kind by kind, with commit and
// rollback.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "vehicle_kind.hpp"

namespace tailgate::routing {

// What every tour has.
struct Stops {
    std::vector<Place> stops;
    std::int64_t weight = 0;
    std::int64_t area = 0;
    double cost = 0.0;
};

struct Tour : Stops {
    // Only with time windows, one for every stop: when the vehicle leaves, and by when it must
    // arrive so that nothing after it is late.
    std::vector<double> departures;
    std::vector<double> latest_arrivals;
    // Only where waiting costs something or a duration is too long, one for every stop: from the
    // depot to the end of service there, and from the begin of service there to the depot.
    std::vector<TimeSegment> heads;
    std::vector<TimeSegment> tails;
    double waiting = 0.0;
    double distance = 0.0;  // only where there is a limit
};

class Tours {
  public:
    static constexpr std::int32_t nowhere = -1;

    // Nobody is served yet. The kinds must outlive this.
    explicit Tours(const std::vector<VehicleKind>& kinds);

    [[nodiscard]] std::size_t count() const { return tours_.size(); }
    [[nodiscard]] const Tour& operator[](std::size_t tour) const { return tours_[tour]; }
    [[nodiscard]] std::size_t kind_of(std::size_t tour) const { return kind_of_[tour]; }
    // The tours of a kind, one after the other.
    [[nodiscard]] std::size_t first_of(std::size_t kind) const { return first_of_[kind]; }
    [[nodiscard]] std::size_t end_of(std::size_t kind) const { return first_of_[kind + 1]; }
    [[nodiscard]] std::int32_t tour_of(Place customer) const {
        return tour_of_[to_index(customer)];
    }
    [[nodiscard]] double cost() const;
    // Stops that are missing in tours which are shorter than the rules want.
    [[nodiscard]] std::int32_t shortage() const { return shortage_; }
    [[nodiscard]] std::int32_t shortage_of(std::size_t stops) const;
    // How many tours serve somebody.
    [[nodiscard]] std::size_t in_use() const { return in_use_; }

    // Only with time windows; may be a rounding error too generous. The kind is that of the tour.
    [[nodiscard]] bool could_be_in_time(const VehicleKind& kind, std::size_t tour,
                                        std::size_t position, Place customer) const;
    // The whole tour on the clock with this customer; the tour has heads and tails.
    [[nodiscard]] TimeSegment time_with(std::size_t tour, std::size_t position,
                                        Place customer) const;

    void insert(std::size_t tour, std::size_t position, Place customer);
    void remove(std::size_t tour, std::size_t first, std::size_t count);
    void reorder(std::size_t tour, const std::vector<Place>& stops);
    // Whoever was in this tour leaves it; the new stops are in no other tour.
    void assign(std::size_t tour, const std::vector<Place>& stops);
    // Wherever the customer is, if anywhere.
    void take_out(Place customer);

    // Tours changed since the last commit or rollback, in the order of their first change.
    [[nodiscard]] const std::vector<std::size_t>& changed() const { return changed_; }
    void commit();
    void rollback();

  private:
    // The way back is summed up in another order than the way there.
    static constexpr double rounding = 1e-12;

    void before_change(std::size_t tour);
    void after_change(std::size_t tour);
    static void set_clock(Tour& tour, const VehicleKind& kind);
    static void set_segments(Tour& tour, const VehicleKind& kind);
    [[nodiscard]] const RoutingProblem& problem_of(std::size_t tour) const {
        return kinds_[kind_of_[tour]].problem;
    }

    const VehicleKind* kinds_;
    bool whole_fleet_;
    bool has_times_ = false;  // some kind has more than stops to keep
    std::int32_t min_stops_;
    std::vector<std::size_t> kind_of_;   // by tour
    std::vector<std::size_t> first_of_;  // by kind, and the end of the last
    std::vector<Tour> tours_;
    std::vector<std::int32_t> tour_of_;
    std::int32_t shortage_ = 0;
    std::size_t in_use_ = 0;
    std::vector<std::size_t> changed_;
    std::vector<bool> is_changed_;
    std::vector<Tour> before_;  // as they were; only those in `changed_` are valid
};

// Here, for it is called more often than anything else.
inline bool Tours::could_be_in_time(const VehicleKind& kind, std::size_t index,
                                    std::size_t position, Place customer) const {
    const Tour& tour = tours_[index];
    const auto place = to_index(customer);
    const double departure = position == 0 ? kind.ready_times[0] : tour.departures[position - 1];
    const Place before = position == 0 ? 0 : tour.stops[position - 1];
    const double arrival = departure + kind.duration(before, customer);
    if (arrival > kind.latest_arrivals[place]) return false;
    const double leaving = std::max(arrival, kind.ready_times[place]) + kind.service_times[place];
    const bool is_last = position == tour.stops.size();
    const Place after = is_last ? 0 : tour.stops[position];
    const double limit = is_last ? kind.latest_arrivals[0] : tour.latest_arrivals[position];
    return leaving + kind.duration(customer, after) <=
           limit + rounding * std::max(1.0, std::abs(limit));
}

}  // namespace tailgate::routing
