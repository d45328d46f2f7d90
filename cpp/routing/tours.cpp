#include "tours.hpp"

#include <algorithm>

namespace tailgate::routing {

Tours::Tours(const std::vector<VehicleKind>& kinds)
    : kinds_(kinds.data()),
      whole_fleet_(kinds.front().problem.whole_fleet),
      min_stops_(kinds.front().problem.min_stops) {
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        const RoutingProblem& problem = kinds[kind].problem;
        first_of_.push_back(kind_of_.size());
        // More vehicles than customers never leave.
        const auto slots = to_index(std::min(problem.vehicles, problem.customers));
        const RulesInUse& rules = kinds[kind].rules;
        has_times_ |= rules.has_windows || rules.has_waiting_cost || rules.has_max_duration ||
                      rules.has_max_distance;
        if (problem.can_have_a_route()) kind_of_.insert(kind_of_.end(), slots, kind);
    }
    const std::size_t slots = kind_of_.size();
    first_of_.push_back(slots);
    tours_.resize(slots);
    before_.resize(slots);
    is_changed_.assign(slots, false);
    tour_of_.assign(kinds.front().problem.places(), nowhere);
    shortage_ = static_cast<std::int32_t>(slots) * shortage_of(0);
}

std::int32_t Tours::shortage_of(std::size_t stops) const {
    if (stops == 0 && !whole_fleet_) return 0;
    return std::max(0, min_stops_ - static_cast<std::int32_t>(stops));
}

double Tours::cost() const {
    // Summed anew, so that rounding errors do not pile up over a million steps.
    double total = 0.0;
    for (const Tour& tour : tours_) total += tour.cost;
    return total;
}

TimeSegment Tours::time_with(std::size_t index, std::size_t position, Place customer) const {
    const VehicleKind& kind = kinds_[kind_of_[index]];
    const RoutingProblem& problem = kind.problem;
    const Tour& tour = tours_[index];
    const bool is_first = position == 0;
    const bool is_last = position == tour.stops.size();
    const TimeSegment head = is_first ? problem.time_of_departure() : tour.heads[position - 1];
    const TimeSegment tail = is_last ? problem.time_of_return() : tour.tails[position];
    const Place before = is_first ? 0 : tour.stops[position - 1];
    const Place after = is_last ? 0 : tour.stops[position];
    return head.then(kind.duration(before, customer), problem.time_at(customer))
        .then(kind.duration(customer, after), tail);
}

void Tours::before_change(std::size_t tour) {
    shortage_ -= shortage_of(tours_[tour].stops.size());
    if (!tours_[tour].stops.empty()) --in_use_;
    if (is_changed_[tour]) return;
    is_changed_[tour] = true;
    changed_.push_back(tour);
    if (has_times_) {
        before_[tour] = tours_[tour];
    } else {
        static_cast<Stops&>(before_[tour]) = tours_[tour];
    }
}

void Tours::after_change(std::size_t index) {
    const VehicleKind& kind = kinds_[kind_of_[index]];
    Tour& tour = tours_[index];
    shortage_ += shortage_of(tour.stops.size());
    if (!tour.stops.empty()) ++in_use_;
    tour.cost = tour.stops.empty() ? 0.0 : kind.problem.cost(tour.stops);
    // Closed ways stay in a tour no longer than until the search has taken its stops out.
    if (tour.cost == infinity) return;
    if (kind.rules.has_windows) set_clock(tour, kind);
    if (kind.rules.has_waiting_cost || kind.rules.has_max_duration) set_segments(tour, kind);
    if (kind.rules.has_max_distance)
        tour.distance = tour.stops.empty() ? 0.0 : kind.problem.distance(tour.stops);
}

void Tours::set_clock(Tour& tour, const VehicleKind& kind) {
    const RoutingProblem& problem = kind.problem;
    const std::size_t count = tour.stops.size();
    tour.departures.resize(count);
    tour.latest_arrivals.resize(count);
    double clock = problem.ready_times[0];
    Place position = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto place = to_index(tour.stops[i]);
        clock += kind.duration(position, tour.stops[i]);
        clock = std::max(clock, problem.ready_times[place]) + problem.service_times[place];
        tour.departures[i] = clock;
        position = tour.stops[i];
    }
    double latest = kind.latest_arrivals[0];
    position = 0;
    for (std::size_t i = count; i-- > 0;) {
        const auto place = to_index(tour.stops[i]);
        latest -= kind.duration(tour.stops[i], position) + problem.service_times[place];
        latest = std::min(latest, kind.latest_arrivals[place]);
        tour.latest_arrivals[i] = latest;
        position = tour.stops[i];
    }
}

void Tours::set_segments(Tour& tour, const VehicleKind& kind) {
    const RoutingProblem& problem = kind.problem;
    const std::size_t count = tour.stops.size();
    tour.heads.resize(count);
    tour.tails.resize(count);
    TimeSegment head = problem.time_of_departure();
    Place before = 0;
    for (std::size_t i = 0; i < count; ++i) {
        head = head.then(kind.duration(before, tour.stops[i]), problem.time_at(tour.stops[i]));
        tour.heads[i] = head;
        before = tour.stops[i];
    }
    TimeSegment tail = problem.time_of_return();
    Place after = 0;
    for (std::size_t i = count; i-- > 0;) {
        tail = problem.time_at(tour.stops[i]).then(kind.duration(tour.stops[i], after), tail);
        tour.tails[i] = tail;
        after = tour.stops[i];
    }
    tour.waiting =
        count == 0 ? 0.0 : head.then(kind.duration(before, 0), problem.time_of_return()).waiting;
}

void Tours::insert(std::size_t index, std::size_t position, Place customer) {
    before_change(index);
    Tour& tour = tours_[index];
    tour.stops.insert(tour.stops.begin() + static_cast<std::ptrdiff_t>(position), customer);
    tour.weight += problem_of(index).weights[to_index(customer)];
    tour.area += problem_of(index).areas[to_index(customer)];
    tour_of_[to_index(customer)] = static_cast<std::int32_t>(index);
    after_change(index);
}

void Tours::remove(std::size_t index, std::size_t first, std::size_t count) {
    before_change(index);
    Tour& tour = tours_[index];
    const auto begin = tour.stops.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    for (auto stop = begin; stop != end; ++stop) {
        tour.weight -= problem_of(index).weights[to_index(*stop)];
        tour.area -= problem_of(index).areas[to_index(*stop)];
        tour_of_[to_index(*stop)] = nowhere;
    }
    tour.stops.erase(begin, end);
    after_change(index);
}

void Tours::reorder(std::size_t index, const std::vector<Place>& stops) {
    before_change(index);
    tours_[index].stops = stops;
    after_change(index);
}

void Tours::assign(std::size_t index, const std::vector<Place>& stops) {
    before_change(index);
    Tour& tour = tours_[index];
    for (const Place stop : tour.stops) tour_of_[to_index(stop)] = nowhere;
    tour.stops = stops;
    tour.weight = 0;
    tour.area = 0;
    for (const Place stop : stops) {
        tour.weight += problem_of(index).weights[to_index(stop)];
        tour.area += problem_of(index).areas[to_index(stop)];
        tour_of_[to_index(stop)] = static_cast<std::int32_t>(index);
    }
    after_change(index);
}

void Tours::take_out(Place customer) {
    const std::int32_t tour = tour_of(customer);
    if (tour == nowhere) return;
    const std::vector<Place>& stops = tours_[to_index(tour)].stops;
    const auto position = std::find(stops.begin(), stops.end(), customer) - stops.begin();
    remove(to_index(tour), to_index(position), 1);
}

void Tours::commit() {
    for (const std::size_t tour : changed_) is_changed_[tour] = false;
    changed_.clear();
}

void Tours::rollback() {
    for (const std::size_t tour : changed_) {
        before_change(tour);
        for (const Place stop : tours_[tour].stops) tour_of_[to_index(stop)] = nowhere;
    }
    for (const std::size_t tour : changed_) {
        if (has_times_) {
            std::swap(tours_[tour], before_[tour]);
        } else {
            std::swap<Stops>(tours_[tour], before_[tour]);
        }
        const Tour& restored = tours_[tour];
        shortage_ += shortage_of(restored.stops.size());
        if (!restored.stops.empty()) ++in_use_;
        for (const Place stop : restored.stops)
            tour_of_[to_index(stop)] = static_cast<std::int32_t>(tour);
    }
    commit();
}

}  // namespace tailgate::routing
