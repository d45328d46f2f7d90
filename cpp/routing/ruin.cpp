#include "ruin.hpp"

#include <algorithm>
#include <numeric>

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
constexpr std::size_t most_neighbours = 500;

Ruin::Ruin(Workspace& work) : work_(work), is_ruined_(work.tours.count(), false) {
    neighbours_.resize(work_.problem.places());
    for (Place place = 1; place <= work_.problem.customers; ++place) {
        auto& nearest = neighbours_[to_index(place)];
        nearest.resize(to_index(work_.problem.customers));
        std::iota(nearest.begin(), nearest.end(), 1);
        std::ranges::stable_sort(nearest, [&](Place a, Place b) {
            // The place itself comes first, whoever shares its address.
            if ((a == place) != (b == place)) return a == place;
            return work_.problem.nearness(place, a) < work_.problem.nearness(place, b);
        });
        nearest.resize(std::min(nearest.size(), most_neighbours));
        nearest.shrink_to_fit();
    }
}

void Ruin::run() {
    if (work_.tours.in_use() == 0) return;
    const auto customers = to_index(work_.problem.customers);
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
        const std::size_t stops = work_.tours[index].stops.size();
        const double longest = std::min(static_cast<double>(stops), string_limit);
        auto count =
            std::min(stops, static_cast<std::size_t>(1.0 + work_.random.fraction() * longest));
        if (whole_tours) count = stops;
        remove_string(index, customer, count);
        is_ruined_[index] = true;
        ruined += whole_tours ? 2 : 1;
    }
}

void Ruin::remove_string(std::size_t tour, Place around, std::size_t count) {
    const std::vector<Place>& stops = work_.tours[tour].stops;
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
        for (std::size_t i = from; i < from + length; ++i)
            work_.unserved.push_back(work_.tours[tour].stops[i]);
        work_.tours.remove(tour, from, length);
    };
    if (kept > 0) take(first + head + kept, count - head);
    take(first, head);
    work_.break_up_if_over_limit(tour);
}

}  // namespace tailgate::routing
