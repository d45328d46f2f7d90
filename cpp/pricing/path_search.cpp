#include "path_search.hpp"

#include <algorithm>
#include <limits>

namespace tailgate::pricing {

constexpr std::int64_t paths_between_looks = 256;
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

PathSearch::PathSearch(const RouteData& data, const std::vector<Resource>& resources,
                       bool symmetric)
    : data_(data),
      resources_(resources),
      symmetric_(symmetric),
      groups_(data.nodes, data.groups),
      timetable_(data),
      visits_(data.nodes),
      extensions_(data.nodes),
      seen_(data.nodes) {}

void PathSearch::begin(const Query& query) {
    found_.clear();
    visits_.clear();
    threshold_ = query.threshold;
    // The depot is in no memory: a path begins without half visits.
    states_.assign(data_.nodes * query.rows.words(), 0);
    carried_.assign(query.rows.words(), 0);
    outcome_ = Outcome::complete;
    started_at_ = paths_;
    extend(query, 0, Load{}, timetable_.at_depot());
}

PathSearch::Outcome PathSearch::list(const Query& query, std::int64_t max_paths, const Look& look,
                                     const TrueCosts* only_best) {
    true_costs_ = only_best;
    true_cost_.assign(1, 0);
    if (only_best != nullptr) {
        seen_.clear(query.rows, timetable_.has_limits() ? &timetable_ : nullptr,
                    {query.waiting_rate, only_best->waiting_rate()});
    }
    content_at_ = never;
    give_up_at_ = paths_ + max_paths;
    look_ = &look;
    begin(query);
    true_costs_ = nullptr;
    seen_.clear(query.rows);
    return outcome_;
}

PathSearch::Outcome PathSearch::run(const Query& query, std::vector<PricedRoute>& routes) {
    content_at_ = paths_ + query.content_after_paths;
    give_up_at_ = never;
    look_ = nullptr;
    begin(query);
    std::sort(found_.begin(), found_.end(), is_cheaper);
    routes = std::move(found_);
    found_ = {};
    return outcome_;
}

// The cheapest completion at `customer` that goes with the path before it; `no_way` if none makes
// a route below the threshold.
Money PathSearch::cheapest_rest(const Query& query, Node customer, std::size_t first, Money cost,
                                const Load& load, const Timing& timing) {
    const Path& path = visits_.path();
    const SubsetRows& rows = query.rows;
    Completions::Beginning beginning{cost, load, timing.start, 0, nullptr, {}};
    if (timetable_.has_limits()) beginning.spent = timetable_.spent(timing, customer);
    for (const Node before : path) beginning.visited |= query.neighbourhoods.bit(customer, before);
    if (rows.words() > 0 &&
        rows.carry(states_.data() + path.size() * rows.words(), customer, carried_.data()))
        beginning.halves = carried_.data();
    // A list of all routes has no use for more than the knowledge that there is one.
    const bool any = look_ != nullptr;
    return query.completions.cheapest(customer, first, beginning, threshold_, any);
}

// Has the search been at the same place, after the same customers, at no more cost?
bool PathSearch::is_known(Money cost, const Timing& timing) {
    const Path& path = visits_.path();
    const std::size_t words = carried_.size();
    const Money true_cost =
        true_cost_.back() + waiting_money(timing.waiting(), true_costs_->waiting_rate());
    return seen_.is_known(
        path.back(), {cost, true_cost, timing.end, states_.data() + path.size() * words, timing});
}

// Can the path visit those who ride with its customers, too, by their loads and who they are?
bool PathSearch::has_room_for_groups(const Query& query, const Load& load) const {
    const Path missing = groups_.missing(visits_);
    Load total = load;
    for (const Node customer : missing) {
        for (std::size_t r = 0; r < resources_.size(); ++r) {
            total[r] += resources_[r].use[to_index(customer)];
            if (total[r] > resources_[r].limit) return false;
        }
        for (const Node visited : visits_.path()) {
            if (query.neighbourhoods.are_incompatible(visited, customer)) return false;
        }
    }
    return true;
}

// The cost includes the waiting so far.
bool PathSearch::extend(const Query& query, Money cost, const Load& load, const Timing& timing) {
    if (++paths_ % paths_between_looks == 0 && query.stop()) {
        outcome_ = Outcome::stopped;
        return false;
    }
    if (paths_ > content_at_ && !found_.empty()) {
        outcome_ = Outcome::content;
        return false;
    }
    if (paths_ > give_up_at_) {
        outcome_ = Outcome::too_many;
        return false;
    }
    const Path& path = visits_.path();
    const std::size_t nodes = data_.nodes;
    const std::size_t words = query.rows.words();
    const Node last = path.empty() ? Node{0} : path.back();
    const bool timed = timetable_.is_needed();
    const Money waited =
        query.waiting_rate > 0.0 ? waiting_money(timing.waiting(), query.waiting_rate) : 0;
    if (!groups_.empty() && !has_room_for_groups(query, load)) return true;
    if (true_costs_ != nullptr && !path.empty() && is_known(cost, timing)) return true;
    if (!path.empty() && !finish(query, cost, timing)) return false;

    auto& extensions = extensions_[path.size()];
    extensions.clear();
    const Completions::First* first =
        query.completions.first_by_room(resources_[0].limit - load[0]);
    for (Node customer = 1; customer < static_cast<Node>(nodes); ++customer) {
        const auto node = to_index(customer);
        const Money arc = query.costs[to_index(last) * nodes + node];
        if (cost + arc + first[node].cost >= threshold_ || visits_.contains(customer) ||
            arc >= no_way)
            continue;
        Extension extension{customer, cost + arc, 0};
        Timing there;
        if (timed) {
            there = timing;
            if (!timetable_.advance(there, last, customer)) continue;
            if (query.waiting_rate > 0.0)
                extension.cost += waiting_money(there.waiting(), query.waiting_rate) - waited;
        }
        const Money rest =
            cheapest_rest(query, customer, first[node].index, extension.cost, load, there);
        if (rest >= no_way) continue;
        const bool compatible = std::none_of(path.begin(), path.end(), [&](Node before) {
            return query.neighbourhoods.are_incompatible(before, customer);
        });
        if (!compatible || query.forbidden.forbids(visits_, customer) ||
            query.deferred.forbids(visits_, customer))
            continue;
        extension.best = extension.cost + rest;
        extensions.push_back(extension);
    }
    std::sort(extensions.begin(), extensions.end(),
              [](const Extension& a, const Extension& b) { return a.best < b.best; });

    for (std::size_t i = 0; i < extensions.size(); ++i) {
        const Extension extension = extensions[i];
        if (extension.best >= threshold_) break;  // it has sunk meanwhile
        const auto node = to_index(extension.customer);
        Money cost_there = extension.cost;
        if (words > 0) {
            SubsetRows::Word* state = states_.data() + (path.size() + 1) * words;
            std::copy(state - words, state, state);
            cost_there += query.rows.visit(extension.customer, state);
        }
        Load longer = load;
        for (std::size_t r = 0; r < resources_.size(); ++r) longer[r] += resources_[r].use[node];
        if (true_costs_ != nullptr) {
            true_cost_.push_back(true_cost_.back() +
                                 true_costs_->between(last, extension.customer));
            seen_.push(extension.customer);
        }
        visits_.push(extension.customer);
        Timing there = timing;
        const bool complete = (timed && !timetable_.advance(there, last, extension.customer)) ||
                              extend(query, cost_there, longer, there);
        visits_.pop();
        if (true_costs_ != nullptr) {
            true_cost_.pop_back();
            seen_.pop(extension.customer);
        }
        if (!complete) return false;
    }
    return true;
}

// Takes note of the path as a route. False if the search is to end.
bool PathSearch::finish(const Query& query, Money cost, const Timing& timing) {
    const Path& path = visits_.path();
    if (path.size() == 1 && !data_.single_customer_routes) return true;
    // Of a route and its reverse one is enough.
    if (symmetric_ && path.front() > path.back() && true_costs_ == nullptr) return true;
    const Node last = path.back();
    const Money arc = query.costs[to_index(last) * data_.nodes];
    if (arc >= no_way || cost + arc >= threshold_) return true;
    if (!groups_.empty() && !groups_.are_whole(path)) return true;
    if (timetable_.is_needed()) {
        Timing home = timing;
        if (!timetable_.advance(home, last, 0)) return true;
        if (query.waiting_rate > 0.0) {
            cost += waiting_money(home.waiting(), query.waiting_rate) -
                    waiting_money(timing.waiting(), query.waiting_rate);
            if (cost + arc >= threshold_) return true;
        }
    }
    if (look_ != nullptr) {
        if ((*look_)(path)) return true;
        outcome_ = Outcome::too_many;
        return false;
    }
    // Where it took long to find the first, those near to it come cheap.
    if (found_.empty()) content_at_ += 2 * (paths_ - started_at_);
    found_.push_back({path, cost + arc});
    std::push_heap(found_.begin(), found_.end(), is_cheaper);
    if (found_.size() > query.max_routes) {
        std::pop_heap(found_.begin(), found_.end(), is_cheaper);
        found_.pop_back();
    }
    if (found_.size() == query.max_routes) {
        threshold_ = std::min(threshold_, found_.front().reduced_cost);
    }
    return true;
}

}  // namespace tailgate::pricing
