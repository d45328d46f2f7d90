#include "partial_path.hpp"

#include <algorithm>

namespace tailgate::pricing {

PartialPath::PartialPath(const RouteData& data, const std::vector<Resource>& resources,
                         bool symmetric)
    : data_(data),
      resources_(resources),
      symmetric_(symmetric),
      groups_(data.nodes, data.groups),
      timetable_(data),
      visits_(data.nodes) {}

PartialPath::State PartialPath::clear(const RouteQuery& query) {
    visits_.clear();
    words_ = query.rows.words();
    // The depot is in no memory: a path begins without half visits. Later states are written
    // before they are read.
    row_states_.resize(data_.nodes * words_);
    std::fill_n(row_states_.begin(), words_, 0);
    carried_.resize(words_);
    return {0, {}, timetable_.at_depot()};
}

void PartialPath::push(const RouteQuery& query, State& state, Node customer, Money cost) {
    const Path& path = visits_.path();
    state.cost = cost;
    if (words_ > 0) {
        SubsetRows::Word* row_state = row_states_.data() + (path.size() + 1) * words_;
        std::copy(row_state - words_, row_state, row_state);
        state.cost += query.rows.visit(customer, row_state);
    }
    for (std::size_t r = 0; r < resources_.size(); ++r)
        state.load[r] += resources_[r].use[to_index(customer)];
    if (timetable_.is_needed())
        (void)timetable_.advance(state.timing, path.empty() ? Node{0} : path.back(), customer);
    visits_.push(customer);
}

// The cheapest completion at the customer that goes with the path before it; `no_way` if none makes
// a route below the threshold.
Money PartialPath::cheapest_rest(const RouteQuery& query, const State& state,
                                 const Extension& extension, const Timing& there, std::size_t first,
                                 Money threshold, bool any) {
    const Node customer = extension.customer;
    Completions::Beginning beginning{extension.cost, state.load, there.start, 0, nullptr, {}};
    if (timetable_.has_limits()) beginning.spent = timetable_.spent(there, customer);
    for (const Node before : visits_.path())
        beginning.visited |= query.neighbourhoods.bit(customer, before);
    if (words_ > 0 && query.rows.carry(row_state(), customer, carried_.data()))
        beginning.halves = carried_.data();
    return query.completions.cheapest(customer, first, beginning, threshold, any);
}

// Can the path visit those who ride with its customers, too, by their loads and who they are?
bool PartialPath::has_room_for_groups(const RouteQuery& query, const Load& load) const {
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

bool PartialPath::is_ruled_out(const RouteQuery& query, Node customer) const {
    return std::ranges::any_of(visits_.path(),
                               [&](Node before) {
                                   return query.neighbourhoods.are_incompatible(before, customer);
                               }) ||
           query.forbidden.forbids(visits_, customer);
}

void PartialPath::find_extensions(const RouteQuery& query, const State& state, Money threshold,
                                  bool any, std::vector<Extension>& extensions) {
    extensions.clear();
    if (!groups_.empty() && !has_room_for_groups(query, state.load)) return;
    const Path& path = visits_.path();
    const std::size_t nodes = data_.nodes;
    const Node last = path.empty() ? Node{0} : path.back();
    const bool timed = timetable_.is_needed();
    const double rate = query.waiting_rate;
    const Money waited = rate > 0.0 ? waiting_money(state.timing.waiting(), rate) : 0;
    const Completions::First* first =
        query.completions.first_by_room(resources_[0].limit - state.load[0]);
    for (Node customer = 1; customer < static_cast<Node>(nodes); ++customer) {
        const auto node = to_index(customer);
        const Money arc = query.costs[to_index(last) * nodes + node];
        if (state.cost + arc + first[node].cost >= threshold || visits_.contains(customer) ||
            arc >= no_way)
            continue;
        Extension extension{customer, state.cost + arc};
        Timing there;
        if (timed) {
            there = state.timing;
            if (!timetable_.advance(there, last, customer)) continue;
            if (rate > 0.0) extension.cost += waiting_money(there.waiting(), rate) - waited;
        }
        const Money rest =
            cheapest_rest(query, state, extension, there, first[node].index, threshold, any);
        if (rest >= no_way || is_ruled_out(query, customer)) continue;
        extension.best = extension.cost + rest;
        extension.deferred = query.deferred.forbids(visits_, customer);
        extensions.push_back(extension);
    }
    std::ranges::sort(extensions, {}, &Extension::best);
}

Money PartialPath::cost_as_route(const RouteQuery& query, const State& state, bool both) const {
    const Path& path = visits_.path();
    if (path.size() == 1 && !data_.single_customer_routes) return no_way;
    if (symmetric_ && path.front() > path.back() && !both) return no_way;
    const Node last = path.back();
    const Money arc = query.costs[to_index(last) * data_.nodes];
    Money cost = state.cost + arc;
    if (arc >= no_way || cost >= query.threshold) return no_way;
    if (!groups_.empty() && !groups_.are_whole(path)) return no_way;
    if (timetable_.is_needed()) {
        Timing home = state.timing;
        if (!timetable_.advance(home, last, 0)) return no_way;
        if (query.waiting_rate > 0.0) {
            cost += waiting_money(home.waiting(), query.waiting_rate) -
                    waiting_money(state.timing.waiting(), query.waiting_rate);
        }
    }
    return cost;
}

}  // namespace tailgate::pricing
