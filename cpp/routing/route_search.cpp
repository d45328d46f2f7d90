#include "route_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace tailgate::routing {

namespace {

// Ruin (section 5 of the paper): how many customers go on average, and the longest string.
constexpr double least_removed = 6.0;
constexpr double removed_per_mean_stops = 0.3;
constexpr double most_removed = 10.0;  // the paper's; short tours full of large items want less
constexpr double most_removed_share = 0.45;  // of all customers: small instances need some order
constexpr double longest_string = 10.0;
constexpr double split_string_chance = 0.5;
constexpr double split_string_growth = 0.01;
constexpr double whole_tours_chance = 0.1;
constexpr std::size_t most_neighbours = 500;

// Recreate: chance to overlook a position, so that greed does not always find the same.
constexpr double blink_chance = 0.01;
constexpr std::size_t hopeful_attempts = 4;
constexpr std::size_t most_unserved_tried = 8;
constexpr double careful_chance = 0.1;
// With more loading checks per iteration than this, only promising routes are asked for.
constexpr double many_checks = 0.02;

// Annealing, in units of the mean cost of a customer. The search has no end known beforehand: it
// cools down again and again, each time more slowly. The first time it is rather cold already: the
// dream was warm, and while it is warm almost every idea must be checked for loading.
constexpr double warmest_share = 0.3;
constexpr double coldest_share = 0.003;
constexpr double first_warmth = 0.1;
constexpr double reheat_share = 0.5;
constexpr std::int64_t first_cycle_per_customer = 10;
constexpr std::int64_t first_cycle = 200;
constexpr double cycle_growth = 1.6;

// Before the first loading check: a search that takes for loadable whatever leaves some floor free.
constexpr double dreamt_floor_share = 0.85;
constexpr double dreamt_fill = 1.1;  // of the fill when all vehicles carry the same
constexpr std::int64_t dream_per_customer = 30;
constexpr std::size_t dreamt_routes_per_customer = 6;  // to prove afterwards, for the pool

// When nothing better is found, harder loading questions are worth an answer.
constexpr std::int64_t most_effort_growth = 32;

constexpr double cost_tolerance = 1e-9;
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

RouteSearch::RouteSearch(RoutingProblem problem, packing::LoadingOracle& oracle,
                         SearchOptions options)
    : problem_((problem.validate(), std::move(problem))),
      options_(options),
      has_windows_(problem_.has_windows()),
      is_hopeless_(problem_.whole_fleet
                       ? std::int64_t{problem_.vehicles} * problem_.min_stops > problem_.customers
                       : problem_.min_stops > problem_.customers),
      loading_(oracle, problem_.customers, options.lifo, options.max_nodes),
      random_(options.seed),
      pool_(options.max_pool, has_windows_ ? Likeness::order : Likeness::order_or_reverse),
      dreamt_(dreamt_routes_per_customer * problem_.places(),
              has_windows_ ? Likeness::order : Likeness::order_or_reverse),
      tours_(problem_),
      absences_(problem_.places(), 1),
      is_ruined_(tours_.count(), false),
      is_extended_(tours_.count(), false) {
    neighbours_.resize(problem_.places());
    for (Place place = 1; place <= problem_.customers; ++place) {
        auto& nearest = neighbours_[static_cast<std::size_t>(place)];
        nearest.resize(static_cast<std::size_t>(problem_.customers));
        std::iota(nearest.begin(), nearest.end(), 1);
        std::stable_sort(nearest.begin(), nearest.end(), [&](Place a, Place b) {
            // The place itself comes first, whoever shares its address.
            if ((a == place) != (b == place)) return a == place;
            return problem_.distance(place, a) < problem_.distance(place, b);
        });
        nearest.resize(std::min(nearest.size(), most_neighbours));
        nearest.shrink_to_fit();
    }
}

void RouteSearch::run(const SearchLimits& limits) {
    if (is_hopeless_) return;
    run_started_ = Clock::now();
    Clock::time_point deadline = Clock::time_point::max();
    // Compared in seconds first: a far deadline would overflow the clock.
    constexpr double a_century = 3.2e9;
    if (limits.max_seconds >= 0 && limits.max_seconds < a_century) {
        deadline = run_started_ + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(limits.max_seconds));
    }
    const auto must_stop = [&] {
        return (deadline != Clock::time_point::max() && Clock::now() >= deadline) ||
               (limits.interrupted && limits.interrupted());
    };
    loading_.set_limits(deadline, must_stop);
    const std::int64_t last_iteration = limits.max_iterations < 0
                                            ? std::numeric_limits<std::int64_t>::max()
                                            : iterations_ + limits.max_iterations;
    while (iterations_ < last_iteration && !must_stop()) {
        if (is_started_) {
            iterate();
        } else {
            start(must_stop);
        }
        // Cut off, it begins the same step again next time.
        if (loading_.was_cut_off() || !is_started_) break;
        ++iterations_;
    }
    seconds_before_run_ = seconds_in_run();
    run_started_ = Clock::time_point{};
}

double RouteSearch::seconds_in_run() const {
    if (run_started_ == Clock::time_point{}) return seconds_before_run_;
    return seconds_before_run_ + std::chrono::duration<double>(Clock::now() - run_started_).count();
}

SearchStatistics RouteSearch::statistics() const {
    return {iterations_,          loading_.checks(), loading_.passed_over(),
            loading_.max_nodes(), seconds_in_run(),  improvements_};
}

// ---- Solutions from elsewhere ----

bool RouteSearch::offer(const std::vector<std::vector<Place>>& routes, bool is_proven,
                        std::int64_t max_nodes, std::function<bool()> interrupted) {
    check_rules(routes);
    double cost = 0.0;
    for (const auto& route : routes) cost += problem_.cost(route);
    loading_.set_limits(Clock::time_point::max(), std::move(interrupted));
    bool can_load = true;
    for (const auto& route : routes) {
        if (is_proven) {
            loading_.believe(route);
        } else if (!loading_.can_load_at_last(route, max_nodes)) {
            if (loading_.was_cut_off()) return false;
            can_load = false;
            continue;
        }
        pool_.offer(route, cost);
    }
    if (!can_load || !is_better_than_best(cost)) return false;
    go_on_from(routes);
    return true;
}

void RouteSearch::check_rules(const std::vector<std::vector<Place>>& routes) const {
    const auto require = [](bool holds, const char* rule) {
        if (!holds) throw std::invalid_argument(rule);
    };
    const auto vehicles = static_cast<std::size_t>(problem_.vehicles);
    require(problem_.whole_fleet ? routes.size() == vehicles : routes.size() <= vehicles,
            "the number of routes does not fit the fleet");
    std::vector<bool> is_served(problem_.places(), false);
    std::size_t served = 0;
    for (const auto& route : routes) {
        require(!route.empty() && static_cast<std::int32_t>(route.size()) >= problem_.min_stops,
                "a route has too few stops");
        std::int64_t weight = 0;
        std::int64_t area = 0;
        for (const Place stop : route) {
            require(stop >= 1 && stop <= problem_.customers, "there is no such customer");
            const auto index = static_cast<std::size_t>(stop);
            require(!is_served[index], "a customer is visited twice");
            is_served[index] = true;
            ++served;
            weight += problem_.weights[index];
            area += problem_.areas[index];
        }
        require(weight <= problem_.capacity, "a route is too heavy");
        require(area <= problem_.floor_area, "the items of a route cover more than the floor");
        require(!has_windows_ || problem_.is_in_time(route), "a route is late");
    }
    require(served + 1 == problem_.places(), "a customer is not visited");
}

void RouteSearch::go_on_from(const std::vector<std::vector<Place>>& routes) {
    for (std::size_t tour = 0; tour < tours_.count(); ++tour)
        tours_.remove(tour, 0, tours_[tour].stops.size());
    for (std::size_t tour = 0; tour < routes.size(); ++tour) {
        for (const Place stop : routes[tour]) tours_.insert(tour, tours_[tour].stops.size(), stop);
    }
    unserved_.clear();
    current_cost_ = tours_.cost();
    current_deficit_ = deficit();
    if (warmest_ == 0.0)
        warmest_ = warmest_share * current_cost_ / static_cast<double>(problem_.customers);
    begin_cycle(first_warmth, is_started_
                                  ? cycle_length_
                                  : first_cycle + first_cycle_per_customer * problem_.customers);
    is_started_ = true;
    keep(current_deficit_, current_cost_);
    tours_.commit();
}

void RouteSearch::start(const std::function<bool()>& must_stop) {
    dream(must_stop);
    if (!has_dreamt_) return;
    wake_up();
    tours_.commit();
    if (loading_.was_cut_off()) return;
    is_started_ = true;
    current_cost_ = tours_.cost();
    current_deficit_ = deficit();
    keep(current_deficit_, current_cost_);
    for (std::size_t tour = 0; tour < tours_.count(); ++tour)
        add_to_pool(tours_[tour].stops, value_of(current_deficit_, current_cost_));
    to_prove_ = dreamt_.routes();
    std::reverse(to_prove_.begin(), to_prove_.end());
    begin_cycle(first_warmth, first_cycle + first_cycle_per_customer * problem_.customers);
}

void RouteSearch::dream(const std::function<bool()>& must_stop) {
    if (has_dreamt_) return;
    const std::int64_t floor_area = problem_.floor_area;
    const std::int64_t all_areas =
        std::accumulate(problem_.areas.begin(), problem_.areas.end(), std::int64_t{0});
    const double fill = static_cast<double>(all_areas) / static_cast<double>(floor_area) /
                        static_cast<double>(tours_.count());
    problem_.floor_area =
        static_cast<std::int64_t>(std::min(1.0, std::max(dreamt_floor_share, dreamt_fill * fill)) *
                                  static_cast<double>(floor_area));
    is_dreaming_ = true;
    const std::int64_t length = dream_per_customer * problem_.customers;
    if (dream_steps_ == 0) {
        unserved_.resize(static_cast<std::size_t>(problem_.customers));
        std::iota(unserved_.begin(), unserved_.end(), 1);
        recreate(infinity);
        current_cost_ = tours_.cost();
        current_deficit_ = deficit();
        tours_.commit();
        warmest_ = warmest_share * current_cost_ / static_cast<double>(problem_.customers);
        begin_cycle(1.0, length);
        ++dream_steps_;
    }
    for (; dream_steps_ <= length && !must_stop(); ++dream_steps_) iterate();
    is_dreaming_ = false;
    has_dreamt_ = dream_steps_ > length;
    problem_.floor_area = floor_area;
}

void RouteSearch::wake_up() {
    for (std::size_t tour = 0; tour < tours_.count(); ++tour) {
        while (!tours_[tour].stops.empty() && !loading_.can_load(tours_[tour].stops)) {
            if (loading_.was_cut_off()) return;
            const Place customer = tours_[tour].stops[random_.below(tours_[tour].stops.size())];
            take_out(customer);
            unserved_.push_back(customer);
            if (has_windows_ && !problem_.is_in_time(tours_[tour].stops)) {
                unserved_.insert(unserved_.end(), tours_[tour].stops.begin(),
                                 tours_[tour].stops.end());
                tours_.remove(tour, 0, tours_[tour].stops.size());
            }
        }
    }
    std::fill(absences_.begin(), absences_.end(), 1);
}

void RouteSearch::iterate() {
    // One at a time, so that the search is not kept waiting.
    if (!is_dreaming_ && !to_prove_.empty()) {
        prove(to_prove_.back());
        if (loading_.was_cut_off()) return;
        to_prove_.pop_back();
    }
    unserved_before_ = unserved_;
    // To try all of many in vain takes too long: some wait for another turn.
    random_.shuffle(unserved_);
    resting_.assign(unserved_.begin() + static_cast<std::ptrdiff_t>(
                                            std::min(unserved_.size(), most_unserved_tried)),
                    unserved_.end());
    unserved_.resize(unserved_.size() - resting_.size());
    // Drawn beforehand: what is going to be too dear need not be finished, nor checked for loading.
    const double threshold = current_cost_ - temperature_ * std::log(1.0 - random_.fraction());
    ruin();
    recreate(current_deficit_.missing == 0 ? threshold : infinity);
    unserved_.insert(unserved_.end(), resting_.begin(), resting_.end());
    if (is_too_dear_) {
        tours_.rollback();
        unserved_ = unserved_before_;
        return cool();
    }
    const double cost = tours_.cost();
    const Deficit new_deficit = deficit();
    if (!loading_.was_cut_off()) {
        keep(new_deficit, cost);
        for (const Place customer : unserved_) ++absences_[static_cast<std::size_t>(customer)];
        absences_[0] += tours_.shortage();
    }
    if (!loading_.was_cut_off() && is_accepted(new_deficit, cost, threshold)) {
        if (is_dreaming_) {
            for (const std::size_t tour : tours_.changed())
                dreamt_.offer(tours_[tour].stops, value_of(new_deficit, cost));
        }
        current_cost_ = cost;
        current_deficit_ = deficit();
        tours_.commit();
    } else {
        tours_.rollback();
        unserved_ = unserved_before_;
        current_deficit_ = deficit();
    }
    cool();
}

RouteSearch::Deficit RouteSearch::deficit() const {
    Deficit result;
    result.missing = static_cast<std::int64_t>(unserved_.size()) + tours_.shortage();
    result.absences = tours_.shortage() * absences_[0];
    for (const Place customer : unserved_)
        result.absences += absences_[static_cast<std::size_t>(customer)];
    return result;
}

bool RouteSearch::is_accepted(const Deficit& deficit, double cost, double threshold) const {
    // Who has often been missing should be served, even if others must wait instead.
    if (deficit.absences < current_deficit_.absences) return true;
    if (deficit.missing > current_deficit_.missing) return false;
    return cost < threshold;
}

double RouteSearch::value_of(const Deficit& deficit, double cost) {
    // A missing customer weighs more than any way to it.
    return cost * (1.0 + static_cast<double>(deficit.missing));
}

void RouteSearch::add_to_pool(const std::vector<Place>& stops, double value) {
    const auto count = static_cast<std::int32_t>(stops.size());
    if (count > 0 && count >= problem_.min_stops) pool_.offer(stops, value);
}

bool RouteSearch::prove(const std::vector<Place>& stops) {
    if (!loading_.can_load(stops)) return false;
    // Good enough to be tried, whatever becomes of the others: worth a place in the pool.
    add_to_pool(stops, value_of(current_deficit_, current_cost_));
    return true;
}

bool RouteSearch::prove_filled(const std::vector<Place>& stops, double fill) {
    if (!loading_.can_load_filled(stops, fill)) return false;
    add_to_pool(stops, value_of(current_deficit_, current_cost_));
    return true;
}

double RouteSearch::fill_of(std::int64_t area) const {
    return static_cast<double>(area) / static_cast<double>(problem_.floor_area);
}

bool RouteSearch::is_better_than_best(double cost) const {
    if (!best_) return true;
    return cost <= best_->cost - cost_tolerance * std::max(1.0, std::abs(best_->cost));
}

void RouteSearch::keep(const Deficit& deficit, double cost) {
    if (is_dreaming_) return;
    const double value = value_of(deficit, cost);
    for (const std::size_t tour : tours_.changed()) add_to_pool(tours_[tour].stops, value);
    if (deficit.missing > 0) return;
    if (!is_better_than_best(cost)) return;
    has_improved_in_cycle_ = true;
    best_ = Solution{cost, {}};
    for (std::size_t tour = 0; tour < tours_.count(); ++tour) {
        if (tours_[tour].stops.empty()) continue;
        best_->routes.push_back(tours_[tour].stops);
        pool_.offer(tours_[tour].stops, cost);
    }
    improvements_.push_back({seconds_in_run(), iterations_, cost});
}

void RouteSearch::begin_cycle(double warmth, std::int64_t length) {
    temperature_ = warmth * warmest_;
    cooling_ =
        std::pow(coldest_share / (warmth * warmest_share), 1.0 / static_cast<double>(length));
    cycle_length_ = length;
    cycle_end_ = iterations_ + length;
    has_improved_in_cycle_ = false;
}

void RouteSearch::cool() {
    temperature_ *= cooling_;
    if (is_dreaming_ || iterations_ < cycle_end_) return;
    if (!has_improved_in_cycle_) {
        loading_.set_max_nodes(
            std::min(2 * loading_.max_nodes(), most_effort_growth * options_.max_nodes));
    }
    begin_cycle(reheat_share,
                static_cast<std::int64_t>(cycle_growth * static_cast<double>(cycle_length_)));
}

// ---- Ruin ----

void RouteSearch::ruin() {
    if (tours_.in_use() == 0) return;
    const auto customers = static_cast<std::size_t>(problem_.customers);
    const double served = static_cast<double>(customers - unserved_.size());
    const double mean_stops = served / static_cast<double>(tours_.in_use());
    const double removed =
        std::min({most_removed, least_removed + removed_per_mean_stops * mean_stops,
                  std::max(2.0, most_removed_share * static_cast<double>(customers))});
    const double string_limit = std::min(longest_string, mean_stops);
    const double most_strings = std::max(1.0, 4.0 * removed / (1.0 + string_limit) - 1.0);
    const auto strings = static_cast<std::size_t>(1.0 + random_.fraction() * most_strings);
    const bool whole_tours = random_.chance(whole_tours_chance);

    std::fill(is_ruined_.begin(), is_ruined_.end(), false);
    std::size_t ruined = 0;
    const auto seed = 1 + random_.below(customers);
    for (const Place customer : neighbours_[seed]) {
        if (ruined >= strings) break;
        const std::int32_t tour = tours_.tour_of(customer);
        if (tour == Tours::nowhere || is_ruined_[static_cast<std::size_t>(tour)]) continue;
        const auto index = static_cast<std::size_t>(tour);
        const std::size_t stops = tours_[index].stops.size();
        const double longest = std::min(static_cast<double>(stops), string_limit);
        auto count = std::min(stops, static_cast<std::size_t>(1.0 + random_.fraction() * longest));
        if (whole_tours) count = stops;
        remove_string(index, customer, count);
        is_ruined_[index] = true;
        ruined += whole_tours ? 2 : 1;
    }
}

void RouteSearch::remove_string(std::size_t tour, Place around, std::size_t count) {
    const std::vector<Place>& stops = tours_[tour].stops;
    const auto at =
        static_cast<std::size_t>(std::find(stops.begin(), stops.end(), around) - stops.begin());
    // A split string keeps `kept` stops in its middle.
    std::size_t kept = 0;
    if (count > 1 && count < stops.size() && random_.chance(split_string_chance)) {
        kept = 1;
        while (count + kept < stops.size() && random_.chance(split_string_growth)) ++kept;
    }
    const std::size_t span = count + kept;
    const std::size_t earliest = at + 1 >= span ? at + 1 - span : 0;
    const std::size_t latest = std::min(at, stops.size() - span);
    const std::size_t first = earliest + random_.below(latest - earliest + 1);
    const std::size_t head = kept == 0 ? count : 1 + random_.below(count - 1);
    const auto take = [&](std::size_t from, std::size_t length) {
        for (std::size_t i = from; i < from + length; ++i)
            unserved_.push_back(tours_[tour].stops[i]);
        tours_.remove(tour, from, length);
    };
    if (kept > 0) take(first + head + kept, count - head);
    take(first, head);
    // Rounded distances may break the triangle inequality: leaving a stop out can make one late.
    if (has_windows_ && !problem_.is_in_time(tours_[tour].stops))
        take(0, tours_[tour].stops.size());
}

// ---- Recreate ----

void RouteSearch::recreate(double threshold) {
    order_unserved();
    const std::vector<Place> waiting = unserved_;
    const double ruined_cost = tours_.cost();
    // First as if everything could be loaded that is not known to be refused: most solutions turn
    // out too dear, and need no check at all. What comes through is checked as a whole; after some
    // disappointments every single step is.
    const bool may_be_careful = threshold == infinity || random_.chance(careful_chance);
    for (std::size_t attempt = 0; attempt <= hopeful_attempts; ++attempt) {
        is_hopeful_ = attempt < hopeful_attempts;
        if (!is_hopeful_ && !may_be_careful) {
            is_too_dear_ = true;
            break;
        }
        to_spend_ = threshold - ruined_cost;
        insert_all(waiting);
        if (is_too_dear_ || loading_.was_cut_off() || !is_hopeful_ || has_loadable_tours()) break;
        for (const Place customer : waiting) take_out(customer);
    }
    if (is_too_dear_ || is_dreaming_ || loading_.was_cut_off()) return;
    for (const std::size_t tour : std::vector<std::size_t>(tours_.changed())) polish(tour);
}

void RouteSearch::insert_all(const std::vector<Place>& waiting) {
    is_too_dear_ = false;
    unserved_.clear();
    std::fill(is_extended_.begin(), is_extended_.end(), false);
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        if (is_too_dear_ || loading_.was_cut_off()) return;
        if (!insert_cheaply(waiting[i], waiting.size() - i)) unserved_.push_back(waiting[i]);
    }
}

bool RouteSearch::has_loadable_tours() {
    if (is_dreaming_) return true;
    for (const std::size_t tour : tours_.changed()) {
        // What is left of a loadable tour is loadable.
        if (is_extended_[tour] && !prove_filled(tours_[tour].stops, fill_of(tours_[tour].area)))
            return false;
    }
    return true;
}

void RouteSearch::take_out(Place customer) {
    const std::int32_t tour = tours_.tour_of(customer);
    if (tour == Tours::nowhere) return;
    const std::vector<Place>& stops = tours_[static_cast<std::size_t>(tour)].stops;
    const auto position = std::find(stops.begin(), stops.end(), customer) - stops.begin();
    tours_.remove(static_cast<std::size_t>(tour), static_cast<std::size_t>(position), 1);
}

void RouteSearch::order_unserved() {
    random_.shuffle(unserved_);
    const auto sort_by = [this](auto value) {
        std::stable_sort(unserved_.begin(), unserved_.end(),
                         [&](Place a, Place b) { return value(a) < value(b); });
    };
    const auto size = [this](Place customer) {
        const auto index = static_cast<std::size_t>(customer);
        return std::max(
            static_cast<double>(problem_.weights[index]) / static_cast<double>(problem_.capacity),
            static_cast<double>(problem_.areas[index]) / static_cast<double>(problem_.floor_area));
    };
    const auto due = [this](Place customer) {
        return problem_.due_times[static_cast<std::size_t>(customer)];
    };
    switch (random_.below(has_windows_ ? 14 : 11)) {
        case 0:
        case 1:
        case 2:
        case 3:
            return;
        case 4:
        case 5:
        case 6:
        case 7:
            return sort_by([&](Place customer) { return -size(customer); });
        case 8:
        case 9:
            return sort_by([&](Place customer) { return -problem_.distance(0, customer); });
        case 10:
            return sort_by([&](Place customer) { return problem_.distance(0, customer); });
        case 11:
            return sort_by([&](Place customer) { return due(customer); });
        case 12:
            return sort_by([&](Place customer) {
                return -problem_.ready_times[static_cast<std::size_t>(customer)];
            });
        default:
            return sort_by([&](Place customer) {
                return due(customer) - problem_.ready_times[static_cast<std::size_t>(customer)];
            });
    }
}

bool RouteSearch::insert_cheaply(Place customer, std::size_t waiting) {
    // When only just enough customers wait for the tours that are too short, those come first.
    const auto wanted = static_cast<std::size_t>(tours_.shortage());
    if (wanted > 0 && waiting <= wanted) {
        collect_insertions(customer, true, true);
        if (insert_cheapest(customer)) return true;
        if (is_too_dear_) return false;
    }
    // A new tour that nobody is left to complete would break the rules.
    const std::int32_t change = tours_.shortage_of(1) - tours_.shortage_of(0);
    const bool may_open = change <= 0 || waiting > wanted + static_cast<std::size_t>(change);
    collect_insertions(customer, false, may_open);
    return insert_cheapest(customer);
}

void RouteSearch::collect_insertions(Place customer, bool only_short_tours, bool may_open) {
    insertions_.clear();
    has_dearer_insertions_ = false;
    const double* distances =
        problem_.distances.data() + static_cast<std::size_t>(customer) * problem_.places();
    bool has_seen_empty = !may_open;
    for (std::size_t tour = 0; tour < tours_.count(); ++tour) {
        const std::vector<Place>& stops = tours_[tour].stops;
        if (stops.empty() && std::exchange(has_seen_empty, true)) continue;
        if (only_short_tours && tours_.shortage_of(stops.size()) == 0) continue;
        if (!tours_.has_room(tour, customer)) continue;
        if (std::any_of(stops.begin(), stops.end(),
                        [&](Place stop) { return loading_.are_known_to_clash(customer, stop); }))
            continue;
        // Before or after a single stop is the same tour, if the time does not matter.
        const std::size_t positions = stops.size() == 1 && !has_windows_ ? 1 : stops.size() + 1;
        Place after = 0;
        for (std::size_t position = 0; position < positions; ++position) {
            const Place before = after;
            after = position < stops.size() ? stops[position] : Place{0};
            if (overlooks_next()) continue;
            if (has_windows_ && !tours_.could_be_in_time(tour, position, customer)) continue;
            // Distances are symmetric: all but one are in the same row.
            const double cost = distances[static_cast<std::size_t>(before)] +
                                distances[static_cast<std::size_t>(after)] -
                                problem_.distance(before, after);
            if (cost > to_spend_) {
                has_dearer_insertions_ = true;
            } else {
                insertions_.push_back({cost, tour, position});
            }
        }
    }
}

bool RouteSearch::insert_cheapest(Place customer) {
    const auto is_dearer = [](const Insertion& a, const Insertion& b) {
        if (a.cost != b.cost) return a.cost > b.cost;
        return a.tour != b.tour ? a.tour > b.tour : a.position > b.position;
    };
    std::make_heap(insertions_.begin(), insertions_.end(), is_dearer);
    while (!insertions_.empty() && !loading_.was_cut_off()) {
        std::pop_heap(insertions_.begin(), insertions_.end(), is_dearer);
        const Insertion cheapest = insertions_.back();
        insertions_.pop_back();
        if (!is_possible(customer, cheapest)) continue;
        tours_.insert(cheapest.tour, cheapest.position, customer);
        is_extended_[cheapest.tour] = true;
        to_spend_ -= cheapest.cost;
        return true;
    }
    is_too_dear_ = has_dearer_insertions_;
    return false;
}

bool RouteSearch::overlooks_next() {
    // How many are seen until one is overlooked is drawn at once, not for each of them.
    if (positions_to_blink_ < 0) {
        positions_to_blink_ = static_cast<std::int64_t>(std::log(1.0 - random_.fraction()) /
                                                        std::log(1.0 - blink_chance));
    }
    return positions_to_blink_-- == 0;
}

bool RouteSearch::is_possible(Place customer, const Insertion& insertion) {
    const std::vector<Place>& stops = tours_[insertion.tour].stops;
    if (std::any_of(stops.begin(), stops.end(),
                    [&](Place stop) { return loading_.are_known_to_clash(customer, stop); }))
        return false;
    if (is_dreaming_ && !has_windows_) return true;
    order_ = stops;
    order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(insertion.position), customer);
    if (has_windows_ && !problem_.is_in_time(order_)) return false;
    if (is_dreaming_) return true;
    const double fill =
        fill_of(tours_[insertion.tour].area + problem_.areas[static_cast<std::size_t>(customer)]);
    const bool is_choosy =
        static_cast<double>(loading_.checks()) > many_checks * static_cast<double>(iterations_);
    if (!(is_choosy ? loading_.might_load_filled(order_, fill, random_)
                    : loading_.might_load(order_, random_)))
        return false;
    if (is_hopeful_ || prove_filled(order_, fill)) return true;
    loading_.learn_clashes(customer, stops);
    return false;
}

// ---- Order within a tour ----

void RouteSearch::polish(std::size_t tour) {
    while (!loading_.was_cut_off() && tours_[tour].stops.size() > 2 &&
           !loading_.is_polished(tours_[tour].stops)) {
        if (!find_cheaper_order(tour)) {
            if (!loading_.was_cut_off()) loading_.mark_polished(tours_[tour].stops);
            return;
        }
    }
}

bool RouteSearch::find_cheaper_order(std::size_t tour) {
    struct Move {
        double saving;
        std::size_t first, middle, last;  // rotate, or reverse if middle == first
    };
    const std::vector<Place> stops = tours_[tour].stops;
    const auto at = [&](std::size_t index) {
        return index == 0 || index > stops.size() ? Place{0} : stops[index - 1];
    };
    const auto distance = [&](std::size_t a, std::size_t b) {
        return problem_.distance(at(a), at(b));
    };
    const double least = cost_tolerance * std::max(1.0, tours_[tour].cost);
    std::vector<Move> moves;
    const std::size_t count = stops.size();
    // Indices count the depot as 0. Reversal of first .. last, and exchange of two neighbouring
    // blocks, one of them short (a string that moves).
    constexpr std::size_t longest_block = 3;
    for (std::size_t first = 1; first <= count; ++first) {
        for (std::size_t last = first + 1; last <= count; ++last) {
            const double outside = distance(first - 1, first) + distance(last, last + 1);
            const double saving = outside - distance(first - 1, last) - distance(first, last + 1);
            if (saving > least) moves.push_back({saving, first, first, last});
            for (std::size_t middle = first + 1; middle <= last; ++middle) {
                if (middle - first > longest_block && last + 1 - middle > longest_block) continue;
                const double exchanged = outside + distance(middle - 1, middle) -
                                         distance(first - 1, middle) - distance(last, first) -
                                         distance(middle - 1, last + 1);
                if (exchanged > least) moves.push_back({exchanged, first, middle, last});
            }
        }
    }
    std::stable_sort(moves.begin(), moves.end(),
                     [](const Move& a, const Move& b) { return a.saving > b.saving; });
    for (const Move& move : moves) {
        if (loading_.was_cut_off()) return false;
        order_ = stops;
        const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(move.first - 1);
        const auto middle = order_.begin() + static_cast<std::ptrdiff_t>(move.middle - 1);
        const auto end = order_.begin() + static_cast<std::ptrdiff_t>(move.last);
        if (move.middle == move.first) {
            std::reverse(begin, end);
        } else {
            std::rotate(begin, middle, end);
        }
        if (has_windows_ && !problem_.is_in_time(order_)) continue;
        if (!loading_.might_load(order_, random_) || !prove(order_)) continue;
        tours_.reorder(tour, order_);
        return true;
    }
    return false;
}

}  // namespace tailgate::routing
