#include "pricer.hpp"

#include <chrono>
#include <limits>
#include <stdexcept>

#include "route_sets.hpp"

namespace tailgate::pricing {

namespace {

constexpr std::size_t neighbourhood_size = 10;
constexpr int growths_per_labelling = 20;
constexpr int growths_for_list =
    2;  // labels are many there, and the cheapest are no better than others
constexpr double max_scale = 4294967296.0;  // 2^32

// Duals beyond so many times the largest cost are cut off: any duals give a valid bound.
constexpr double max_dual_in_costs = 4096.0;

// How far below zero the labels go at each stage, as a share of what the bound on walks allows.
// With many customers, more labellings cost more than they save.
constexpr double stages[] = {0.7, 0.45, 0.25, 0.1, 0.0};
constexpr std::size_t last_stage = std::size(stages) - 1;
constexpr std::size_t nodes_without_stages = 61;

// Beyond so many labels the search is first content with routes that few labels find.
constexpr std::int64_t many_labels = 100'000;
constexpr std::int64_t no_label_limit = std::numeric_limits<std::int64_t>::max();

// A search that cannot be resumed finds so many.
constexpr std::size_t routes_at_once = 300;

// So many paths are looked at before the search is content with the routes it has found.
constexpr std::int64_t content_after_paths = 20'000;

using Clock = std::chrono::steady_clock;

class Timer {
  public:
    explicit Timer(double& seconds) : seconds_(seconds), started_(Clock::now()) {}
    ~Timer() { seconds_ += std::chrono::duration<double>(Clock::now() - started_).count(); }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

  private:
    double& seconds_;
    Clock::time_point started_;
};

// The largest power of two for which no sum over a walk overflows.
double choose_scale(const RouteData& data) {
    const auto longest_walk = static_cast<double>(WalkBounds::max_steps + data.nodes);
    const double room = std::ldexp(1.0, 58) / (2.0 * longest_walk) / max_dual_in_costs;
    double scale = max_scale;
    while (scale * data.largest_cost() > room && scale > 1.0) scale /= 2.0;
    return scale;
}

void check_edge(Node a, Node b, std::size_t nodes) {
    const auto end = static_cast<Node>(nodes);
    if (a == b || a < 0 || b < 0 || a >= end || b >= end)
        throw std::invalid_argument("an edge must join two different places from 0 on");
}

// A threshold may be infinite: no route is as cheap or as expensive as a quarter of `no_way`.
Money to_money(double scaled) {
    if (std::isnan(scaled)) throw std::invalid_argument("a threshold is not a number");
    constexpr auto limit = static_cast<double>(no_way / 2);
    return static_cast<Money>(std::clamp(scaled, -limit, limit));
}

}  // namespace

Pricer::Pricer(RouteData data, Savings savings)
    : data_(tightened(std::move(data))),
      timetable_(data_),
      savings_(savings),
      resources_(binding_resources(data_)),
      groups_(data_.nodes, data_.groups),
      symmetric_(data_.is_symmetric()),
      scale_(choose_scale(data_)),
      largest_dual_(max_dual_in_costs * data_.largest_cost()),
      costs_(data_.cost.size(), no_way),
      duals_(data_.nodes, 0),
      edge_duals_(data_.cost.size(), 0),
      forbidden_edges_(data_.cost.size(), 0),
      rows_(data_.nodes),
      true_costs_(data_),
      walks_(data_, resources_),
      neighbourhoods_(data_, neighbourhood_size),
      completions_(data_, resources_),
      search_(data_, resources_, symmetric_),
      paths_(data_, resources_, symmetric_),
      forbidden_(data_.nodes, data_.lifo),
      deferred_(data_.nodes, data_.lifo),
      orders_(data_, true_costs_, forbidden_, symmetric_) {
    set_duals(std::vector<double>(data_.nodes - 1, 0.0), 1.0);
}

void Pricer::forbid(const Path& sequence, bool in_any_order) {
    search_.learn();
    if (sequence.size() == 2) {
        neighbourhoods_.set_incompatible(sequence[0], sequence[1]);
        costs_[data_.arc(sequence[0], sequence[1])] = no_way;
        costs_[data_.arc(sequence[1], sequence[0])] = no_way;
        return;
    }
    if (in_any_order)
        forbidden_.add_set(sequence);
    else
        forbidden_.add(sequence);
}

bool Pricer::skips(const Path& route) const {
    for (std::size_t i = 0; i < route.size(); ++i) {
        for (std::size_t j = i + 1; j < route.size(); ++j) {
            if (neighbourhoods_.are_incompatible(route[i], route[j])) return true;
        }
    }
    return forbidden_.forbids(route) || deferred_.forbids(route);
}

void Pricer::set_forbidden_edges(const std::vector<std::pair<Node, Node>>& edges) {
    std::vector<char> forbidden(forbidden_edges_.size(), 0);
    for (const auto& [a, b] : edges) {
        check_edge(a, b, data_.nodes);
        forbidden[data_.arc(a, b)] = forbidden[data_.arc(b, a)] = 1;
    }
    if (forbidden == forbidden_edges_) return;
    forbidden_edges_ = std::move(forbidden);
    make_costs();
}

std::vector<Money> Pricer::rounded_edges(const Duals& duals) const {
    std::vector<Money> rounded(edge_duals_.size(), 0);
    for (const EdgeDual& edge : duals.edges) {
        check_edge(edge.a, edge.b, data_.nodes);
        // One that is too high cannot be cut off: reduced costs would be overstated.
        if (!(edge.value <= largest_dual_))
            throw std::invalid_argument("the price of an edge is too large");
        rounded[data_.arc(edge.a, edge.b)] = rounded[data_.arc(edge.b, edge.a)] =
            static_cast<Money>(std::ceil(std::max(edge.value, -largest_dual_) * scale_));
    }
    return rounded;
}

std::vector<std::pair<SubsetRow, Money>> Pricer::rounded_rows(const Duals& duals) const {
    double sum = 0.0;
    for (const auto& [row, penalty] : duals.rows) sum += penalty;
    // Less than the penalty is always right. A visit costs no more than the sum of all.
    const double most = sum <= largest_dual_
                            ? largest_dual_
                            : largest_dual_ / std::max(1.0, static_cast<double>(duals.rows.size()));
    std::vector<std::pair<SubsetRow, Money>> rounded;
    for (const auto& [row, penalty] : duals.rows) {
        check_customers({row.members.begin(), row.members.end()});
        check_customers(row.memory);
        if (!(penalty >= 0)) throw std::invalid_argument("a penalty must not be negative");
        const auto fixed = static_cast<Money>(std::floor(std::min(penalty, most) * scale_));
        if (fixed > 0) rounded.emplace_back(row, fixed);
    }
    return rounded;
}

void Pricer::check_customers(const Path& customers) const {
    std::vector<char> met(data_.nodes, 0);
    for (const Node customer : customers) {
        if (customer < 1 || customer >= static_cast<Node>(data_.nodes) ||
            met[to_index(customer)] != 0)
            throw std::invalid_argument("customers must be different numbers from 1 on");
        met[to_index(customer)] = 1;
    }
}

void Pricer::set_duals(const Duals& duals) {
    const std::vector<double>& visits = duals.visits;
    if (visits.size() + 1 != data_.nodes)
        throw std::invalid_argument("there must be one dual per customer");
    std::vector<Money> fixed(data_.nodes, 0);
    for (std::size_t i = 0; i < visits.size(); ++i) {
        if (!std::isfinite(visits[i])) throw std::invalid_argument("a dual is not a finite number");
        fixed[i + 1] = static_cast<Money>(rounded_dual(visits[i]) * scale_);
    }
    std::vector<Money> edges = rounded_edges(duals);
    std::vector<std::pair<SubsetRow, Money>> penalties = rounded_rows(duals);
    if (costs_are_made_ && fixed == duals_ && duals.cost_factor == cost_factor_ &&
        edges == edge_duals_ && penalties == penalties_)
        return;
    duals_ = std::move(fixed);
    cost_factor_ = duals.cost_factor;
    edge_duals_ = std::move(edges);
    penalties_ = std::move(penalties);
    rows_.set(penalties_);
    make_costs();
}

void Pricer::make_costs() {
    costs_are_made_ = true;
    walks_are_current_ = false;
    labelled_below_ = labelled_bound_ = -no_way;
    forget_search();
    const std::size_t nodes = data_.nodes;
    for (std::size_t from = 0; from < nodes; ++from) {
        for (std::size_t to = 0; to < nodes; ++to) {
            const double full_cost = data_.cost[from * nodes + to];
            const bool possible =
                from != to && !std::isinf(full_cost) && forbidden_edges_[from * nodes + to] == 0 &&
                (from == 0 || to == 0 ||
                 !neighbourhoods_.are_incompatible(static_cast<Node>(from), static_cast<Node>(to)));
            if (!possible) {
                costs_[from * nodes + to] = no_way;
                continue;
            }
            const double cost = std::floor(full_cost * cost_factor_ * scale_);
            const Money gain = duals_[to] + edge_duals_[from * nodes + to];
            costs_[from * nodes + to] = static_cast<Money>(cost) - gain;
        }
    }
}

Completions::Outcome Pricer::label(Money threshold, std::int64_t max_labels, int max_growths,
                                   const Stop& stop) {
    const Timer timer(statistics_.label_seconds);
    for (int growth = 0;; ++growth) {
        ++statistics_.labellings;
        labelled_below_ = -no_way;
        forget_search();
        const Completions::Outcome outcome = completions_.compute(
            {costs_, rows_, neighbourhoods_, savings_.walk_bounds ? &walks_ : nullptr, threshold,
             max_labels, false, symmetric_ ? &duals_ : nullptr, stop});
        if (outcome != Completions::Outcome::complete) return outcome;
        labelled_below_ = threshold;
        labelled_bound_ = std::max(labelled_bound_, std::min(completions_.least(), threshold));
        statistics_.labels += completions_.label_count();
        if (!savings_.growing_neighbourhoods || growth == max_growths || !grow_neighbourhoods())
            return outcome;
        // These labels are still good for a later call; those of a larger labelling may not be.
        if (stop()) return Completions::Outcome::stopped;
    }
}

Money Pricer::reduced_cost(const Path& route) const {
    Money cost = rows_.cost(route);
    Node at = 0;
    for (const Node next : route) {
        cost += costs_[data_.arc(at, next)];
        at = next;
    }
    cost += costs_[data_.arc(at, 0)];
    const double rate = waiting_rate();
    return rate > 0.0 ? cost + waiting_money(timetable_.waiting(route), rate) : cost;
}

// Routes for which not all labels are needed. False if it was stopped.
bool Pricer::find_some_routes(Money threshold, const Stop& stop, std::vector<PricedRoute>& routes) {
    const Timer timer(statistics_.label_seconds);
    ++statistics_.labellings;
    labelled_below_ = -no_way;
    forget_search();
    const Completions::Outcome outcome = completions_.compute(
        {costs_, rows_, neighbourhoods_, savings_.walk_bounds ? &walks_ : nullptr, threshold,
         no_label_limit, true, nullptr, stop});
    if (outcome != Completions::Outcome::complete) return false;
    statistics_.labels += completions_.label_count();
    for (const Path& walk : completions_.cheapest_walks()) {
        const bool backwards = symmetric_ && walk.front() > walk.back();
        PricedRoute route{backwards ? Path(walk.rbegin(), walk.rend()) : walk, 0};
        if (skips(route.customers) || !timetable_.allows(route.customers) ||
            !groups_.are_whole(route.customers))
            continue;
        route.reduced_cost = reduced_cost(route.customers);
        if (route.reduced_cost >= threshold) continue;
        routes.push_back(std::move(route));
    }
    std::ranges::sort(routes, is_cheaper);
    const auto is_same = [](const PricedRoute& a, const PricedRoute& b) {
        return a.customers == b.customers;
    };
    routes.erase(std::unique(routes.begin(), routes.end(), is_same), routes.end());
    return true;
}

// Makes cheap walks impossible that visit a customer twice, or two that never share a route: the
// later one will be remembered all the way back to the earlier one (Roberti and Mingozzi 2014).
// False if there is nothing to do.
bool Pricer::grow_neighbourhoods() {
    bool grown = false;
    for (const Path& walk : completions_.cheapest_walks()) {
        for (std::size_t i = 0; i < walk.size(); ++i) {
            for (std::size_t j = i + 1; j < walk.size(); ++j) {
                if (walk[i] != walk[j] && !neighbourhoods_.are_incompatible(walk[i], walk[j]))
                    continue;
                // Coming from the depot's side, the walk must not forget what it met at j.
                for (std::size_t between = i + 1; between <= j; ++between)
                    grown = neighbourhoods_.add(walk[between], walk[i]) || grown;
                break;
            }
        }
    }
    return grown;
}

bool Pricer::has_stages() const {
    return data_.nodes < nodes_without_stages;
}

void Pricer::make_walks() {
    if (walks_are_current_) return;
    const Timer timer(statistics_.walk_seconds);
    walks_.compute(costs_);
    walks_are_current_ = true;
    if (!has_stages())
        stage_ = last_stage;
    else if (stage_ > 0)
        --stage_;
}

Pricing Pricer::price(double threshold, std::size_t max_routes, const Stop& stop) {
    ++statistics_.calls;
    Pricing pricing;
    const Money goal = to_money(std::floor(threshold * scale_));
    make_walks();
    waiting_.clear();
    pricing.bound = std::max(walks_.least(), labelled_bound_);
    if (walks_.least() >= goal) {
        pricing.complete = true;
        return pricing;
    }
    for (;; ++stage_) {
        const auto below =
            goal + static_cast<Money>(stages[stage_] * static_cast<double>(walks_.least() - goal));
        if (labelled_below_ < below) {
            Completions::Outcome outcome =
                labels_are_many_ ? Completions::Outcome::too_many
                                 : label(below, many_labels, growths_per_labelling, stop);
            if (outcome == Completions::Outcome::too_many) {
                labels_are_many_ = true;
                if (!find_some_routes(goal, stop, pricing.routes)) return pricing;
                if (!pricing.routes.empty()) {
                    keep_for_later(max_routes, pricing.routes);
                    pricing.complete = true;
                    return pricing;
                }
                outcome = label(below, no_label_limit, growths_per_labelling, stop);
                if (outcome == Completions::Outcome::complete && !has_stages())
                    labels_are_many_ = completions_.label_count() > many_labels;
            }
            // A labelling that was finished before has proven something, whatever came after it.
            pricing.bound = std::max(pricing.bound, labelled_bound_);
            if (outcome == Completions::Outcome::stopped) return pricing;
        }
        pricing.bound = std::max(pricing.bound, std::min(completions_.least(), below));
        if (completions_.least() < below &&
            !search_routes(route_query(below, max_routes, stop), pricing))
            return pricing;
        if (!pricing.routes.empty() || stage_ == last_stage) {
            pricing.complete = true;
            return pricing;
        }
    }
}

Pricing Pricer::price_more(std::size_t max_routes, const Stop& stop) {
    Pricing pricing;
    pricing.bound = std::max(walks_.least(), labelled_bound_);
    if (!waiting_.empty()) {
        pricing.routes.swap(waiting_);
        keep_for_later(max_routes, pricing.routes);
        pricing.complete = true;
        return pricing;
    }
    pricing.complete =
        !search_.is_open() || go_on(route_query(search_.threshold(), max_routes, stop), pricing) !=
                                  BestFirstSearch::Outcome::stopped;
    return pricing;
}

void Pricer::keep_for_later(std::size_t max_routes, std::vector<PricedRoute>& routes) {
    if (routes.size() <= max_routes) return;
    const auto rest = routes.begin() + static_cast<std::ptrdiff_t>(max_routes);
    waiting_.assign(std::make_move_iterator(rest), std::make_move_iterator(routes.end()));
    routes.erase(rest, routes.end());
}

void Pricer::forget_search() {
    waiting_.clear();
    search_.forget();
    search_is_too_large_ = false;
}

RouteQuery Pricer::route_query(Money below, std::size_t max_routes, const Stop& stop) const {
    return {costs_,        rows_, completions_, neighbourhoods_,     forbidden_,
            deferred_,     below, max_routes,   content_after_paths, stop,
            waiting_rate()};
}

// False if it was stopped.
bool Pricer::search_routes(const RouteQuery& query, Pricing& pricing) {
    if (savings_.resumed_search && !search_is_too_large_) {
        if (search_.is_for(query.threshold))
            search_.begin_pass();
        else
            search_.start(query);
        const BestFirstSearch::Outcome outcome = go_on(query, pricing);
        if (outcome == BestFirstSearch::Outcome::stopped) return false;
        if (outcome != BestFirstSearch::Outcome::too_many || !pricing.routes.empty()) return true;
    }
    const Timer timer(statistics_.path_seconds);
    const std::int64_t before = paths_.paths();
    RouteQuery at_once = query;
    at_once.max_routes = std::max(query.max_routes, routes_at_once);
    const PathSearch::Outcome outcome = paths_.run(at_once, pricing.routes);
    statistics_.paths += paths_.paths() - before;
    if (outcome == PathSearch::Outcome::stopped) return false;
    if (outcome == PathSearch::Outcome::complete && deferred_.size() == 0) {
        const Money least =
            pricing.routes.empty() ? query.threshold : pricing.routes.front().reduced_cost;
        pricing.bound = std::max(pricing.bound, least);
    }
    keep_for_later(query.max_routes, pricing.routes);
    return true;
}

BestFirstSearch::Outcome Pricer::go_on(const RouteQuery& query, Pricing& pricing) {
    const Timer timer(statistics_.path_seconds);
    const std::int64_t before = search_.paths();
    const BestFirstSearch::Outcome outcome = search_.run(query, pricing.routes);
    statistics_.paths += search_.paths() - before;
    pricing.bound = std::max(pricing.bound, search_.least());
    if (outcome == BestFirstSearch::Outcome::too_many) {
        search_.forget();
        search_is_too_large_ = true;
    }
    return outcome;
}

Pricer::Walks Pricer::cheapest_walks() {
    make_walks();
    return {walks_.cheapest_walks(costs_), walks_.least()};
}

RouteList Pricer::list_sets(double threshold, std::size_t max_sets, std::int64_t max_paths,
                            const Stop& stop) {
    RouteList list;
    // Rounded up: what costs less than the threshold costs less than this.
    const Money goal = to_money(std::ceil(threshold * scale_));
    make_walks();
    if (walks_.least() >= goal) {
        list.complete = true;
        return list;
    }
    if (labelled_below_ < goal && label(goal, std::max(many_labels, max_paths), growths_for_list,
                                        stop) != Completions::Outcome::complete)
        return list;
    const Timer timer(statistics_.path_seconds);
    RouteSets sets(true_costs_, data_.nodes);
    const bool order_matters = data_.lifo && forbidden_.size() > 0;
    const PathSearch::Look look = [&](const Path& route) {
        if (symmetric_ && route.front() > route.back())
            sets.add({route.rbegin(), route.rend()});
        else
            sets.add(route);
        return sets.size() <= max_sets;
    };
    const ForbiddenSequences nothing(data_.nodes, data_.lifo);
    const std::int64_t before = paths_.paths();
    const PathSearch::Outcome outcome =
        paths_.list({costs_, rows_, completions_, neighbourhoods_, forbidden_, nothing, goal, 0, 0,
                     stop, waiting_rate()},
                    max_paths, look, order_matters ? nullptr : &true_costs_);
    statistics_.paths += paths_.paths() - before;
    list.complete = outcome == PathSearch::Outcome::complete;
    list.routes = sets.take();
    return list;
}

OrderSearch::Outcome Pricer::cheapest_order(const Path& customers, const Stop& stop, Path& order) {
    check_customers(customers);
    const std::size_t fewest = data_.single_customer_routes ? 1 : 2;
    if (customers.size() < fewest || !groups_.are_whole(customers))
        return OrderSearch::Outcome::none;
    for (const Resource& resource : resources_) {
        std::int64_t load = 0;
        for (const Node customer : customers) load += resource.use[to_index(customer)];
        if (load > resource.limit) return OrderSearch::Outcome::none;
    }
    for (std::size_t i = 0; i < customers.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (neighbourhoods_.are_incompatible(customers[i], customers[j]))
                return OrderSearch::Outcome::none;
        }
    }
    // Without LIFO the order does not matter to what is forbidden.
    if (!data_.lifo && forbidden_.forbids(customers)) return OrderSearch::Outcome::none;
    return orders_.run(customers, stop, order);
}

}  // namespace tailgate::pricing
