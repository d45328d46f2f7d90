#include "ruin.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "kind_change.hpp"

namespace tailgate::routing {

// How many customers go on average, and the longest string.
constexpr double least_removed = 6.0;
constexpr double removed_per_mean_stops = 0.3;
constexpr double most_removed = 10.0;  // the paper's; short tours full of large items want less
constexpr double most_removed_share = 0.45;  // of all customers: small instances need some order
constexpr double longest_string = 10.0;
constexpr double split_string_chance = 0.5;
constexpr double split_string_growth = 0.01;
constexpr double whole_tours_chance = 0.1;
constexpr double change_kind_chance = 0.4;
constexpr std::size_t most_neighbours = 500;

Ruin::Ruin(Workspace& work) : work_(work), is_ruined_(work.tours.count(), false) {
    const std::size_t customers = to_index(work_.problem.customers());
    const std::size_t count = std::min(customers, most_neighbours);
    neighbours_.resize(work_.problem.places());
    std::vector<double> nearness(work_.problem.places());
    std::vector<Place> nearest(customers);
    for (Place place = 1; place <= work_.problem.customers(); ++place) {
        for (Place other = 1; other <= work_.problem.customers(); ++other)
            nearness[to_index(other)] = work_.nearness(place, other);
        std::iota(nearest.begin(), nearest.end(), 1);
        const auto is_nearer = [&](Place a, Place b) {
            // The place itself comes first, whoever shares its address.
            if ((a == place) != (b == place)) return a == place;
            const double near_a = nearness[to_index(a)];
            const double near_b = nearness[to_index(b)];
            return near_a != near_b ? near_a < near_b : a < b;
        };
        const auto end = nearest.begin() + static_cast<std::ptrdiff_t>(count);
        std::partial_sort(nearest.begin(), end, nearest.end(), is_nearer);
        neighbours_[to_index(place)].assign(nearest.begin(), end);
    }
}

void Ruin::run() {
    if (work_.tours.in_use() == 0) return;
    const auto customers = to_index(work_.problem.customers());
    const double served = static_cast<double>(customers - work_.unserved.size());
    const double mean_stops = served / static_cast<double>(work_.tours.in_use());
    const double removed =
        std::min({most_removed, least_removed + removed_per_mean_stops * mean_stops,
                  std::max(2.0, most_removed_share * static_cast<double>(customers))});
    const double string_limit = std::min(longest_string, mean_stops);
    const double most_strings = std::max(1.0, 4.0 * removed / (1.0 + string_limit) - 1.0);
    const auto strings = static_cast<std::size_t>(1.0 + work_.random.fraction() * most_strings);
    const bool whole_tours = work_.random.chance(whole_tours_chance);

    is_ruined_.assign(is_ruined_.size(), false);
    std::size_t ruined = 0;
    const auto seed = 1 + work_.random.below(customers);
    for (const Place customer : neighbours_[seed]) {
        if (ruined >= strings) break;
        const std::int32_t tour = work_.tours.tour_of(customer);
        if (tour == Tours::nowhere || is_ruined_[to_index(tour)]) continue;
        const auto index = to_index(tour);
        const std::size_t locked = work_.locked_stops(index);
        const std::size_t stops = work_.tours[index].stops.size() - locked;
        if (is_locked(customer, index, locked)) continue;
        const double longest = std::min(static_cast<double>(stops), string_limit);
        auto count =
            std::min(stops, static_cast<std::size_t>(1.0 + work_.random.fraction() * longest));
        if (whole_tours) count = stops;
        remove_string(index, customer, count, locked);
        is_ruined_[index] = true;
        ruined += whole_tours ? 2 : 1;
    }
    if (work_.has_kinds() && work_.random.chance(change_kind_chance)) change_a_kind(work_);
}

bool Ruin::is_locked(Place customer, std::size_t tour, std::size_t locked) const {
    const auto begin = work_.tours[tour].stops.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(locked);
    return std::find(begin, end, customer) != end;
}

void Ruin::remove_string(std::size_t tour, Place around, std::size_t count, std::size_t locked) {
    const std::span<const Place> stops = std::span(work_.tours[tour].stops).subspan(locked);
    const std::size_t first_unserved = work_.unserved.size();
    const auto at = to_index(std::find(stops.begin(), stops.end(), around) - stops.begin());
    // A split string keeps `kept` stops in its middle.
    std::size_t kept = 0;
    if (count > 1 && count < stops.size() && work_.random.chance(split_string_chance)) {
        kept = 1;
        while (count + kept < stops.size() && work_.random.chance(split_string_growth)) ++kept;
    }
    const std::size_t span = count + kept;
    const std::size_t earliest = at + 1 >= span ? at + 1 - span : 0;
    const std::size_t latest = std::min(at, stops.size() - span);
    const std::size_t first = earliest + work_.random.below(latest - earliest + 1);
    const std::size_t head = kept == 0 ? count : 1 + work_.random.below(count - 1);
    const auto take = [&](std::size_t from, std::size_t length) {
        const auto begin =
            work_.tours[tour].stops.begin() + static_cast<std::ptrdiff_t>(locked + from);
        work_.unserved.insert(work_.unserved.end(), begin,
                              begin + static_cast<std::ptrdiff_t>(length));
        work_.tours.remove(tour, locked + from, length);
    };
    if (kept > 0) take(first + head + kept, count - head);
    take(first, head);
    work_.release_groups_of(first_unserved);
    work_.break_up_if_over_limit(tour);
}

}  // namespace tailgate::routing
