#include "completions.hpp"

#include <algorithm>
#include <limits>

namespace tailgate::pricing {

namespace {

constexpr std::size_t buckets = 256;
constexpr std::int64_t labels_between_looks = 256;
constexpr std::size_t checks_between_costs = 32;

template <typename QuickCheck>
std::size_t next_without_obstacle(const QuickCheck* quick_checks, std::size_t i, std::size_t end,
                                  Memory visited, const std::array<std::uint32_t, 2>& room) {
    for (; i < end; ++i) {
        // In one step: which of these it is cannot be foreseen, that it is one of them can.
        const Memory obstacle = (quick_checks[i].memory & visited) |
                                static_cast<Memory>(quick_checks[i].load[0] > room[0]) |
                                static_cast<Memory>(quick_checks[i].load[1] > room[1]);
        if (obstacle == 0) break;
    }
    return i;
}

}  // namespace

Completions::Completions(const RouteData& data, const std::vector<Resource>& resources)
    : data_(data),
      resources_(resources),
      budgets_(arc_budgets(data)),
      kept_(data.nodes),
      shelves_(data.nodes),
      first_by_room_(buckets * data.nodes) {
    const auto limit = static_cast<double>(std::max<std::int64_t>(1, resources_[0].limit));
    // A little less than a bucket each, so that rounding cannot lead beyond the last one.
    buckets_per_load_ = (static_cast<double>(buckets) - 0.5) / limit;
    for (std::size_t r = 0; r < std::min(load_shifts_.size(), resources_.size()); ++r) {
        while (resources_[r].limit >> load_shifts_[r] > std::numeric_limits<std::uint32_t>::max())
            ++load_shifts_[r];
    }
}

std::size_t Completions::bucket_of(std::int64_t load) const {
    return static_cast<std::size_t>(static_cast<double>(load) * buckets_per_load_);
}

bool Completions::visits(const Completion& completion, Node customer) const {
    const Completion* at = &completion;
    while (at->customer != customer) {
        if (at->next < 0) return false;
        at = &labels_[to_index(at->next)];
    }
    return true;
}

bool Completions::is_within_budgets(const Spent& before, std::int32_t index) const {
    const double* spent = spent_by(index);
    for (std::size_t b = 0; b < budgets_.size(); ++b) {
        if (before[b] + spent[b] > budgets_[b].limit) return false;
    }
    return true;
}

bool Completions::spends_no_more(std::int32_t index, std::int32_t other) const {
    const double* spent = spent_by(index);
    return std::equal(spent, spent + budgets_.size(), spent_by(other), std::less_equal<>());
}

bool Completions::is_dominated(std::int32_t index, bool only_some) const {
    const Completion& completion = labels_[to_index(index)];
    const Memory forgotten = only_some ? 0 : ~completion.memory;
    for (const CompletionKey& key : kept_[to_index(completion.customer)]) {
        if (key.cost > completion.cost) return false;
        if ((key.memory & forgotten) != 0 || key.load[0] > completion.load[0] ||
            key.load[1] > completion.load[1])
            continue;
        const Completion& other = labels_[to_index(key.index)];
        // Where single-customer routes are forbidden, one that ends here may not begin here.
        if (!data_.single_customer_routes && other.next < 0 && completion.next >= 0) continue;
        if (other.latest < completion.latest) continue;
        if (!budgets_.empty() && !spends_no_more(key.index, index)) continue;
        bool lighter = true;
        for (std::size_t r = key.load.size(); r < resources_.size(); ++r)
            lighter = lighter && other.load[r] <= completion.load[r];
        if (!lighter) continue;
        if (words_ == 0 || only_some) return true;
        // It may have to pay for rows that the other need not pay for.
        const Money advantage = completion.cost - other.cost;
        const auto* own = &states_[to_index(index) * words_];
        if (rows_->first_only(state(key), own, advantage) <= advantage) return true;
    }
    return false;
}

void Completions::keep(std::int32_t index) {
    const Completion& completion = labels_[to_index(index)];
    auto& kept = kept_[to_index(completion.customer)];
    const auto place =
        std::upper_bound(kept.begin(), kept.end(), completion.cost,
                         [](Money cost, const CompletionKey& key) { return cost < key.cost; });
    kept.insert(
        place,
        {completion.cost, completion.memory, {completion.load[0], completion.load[1]}, index});
}

void Completions::prepare_search() {
    const std::size_t nodes = data_.nodes;
    for (std::size_t node = 1; node < nodes; ++node) {
        const auto& kept = kept_[node];
        Shelf& shelf = shelves_[node];
        shelf.quick_checks.clear();
        shelf.costs.clear();
        shelf.states.clear();
        shelf.labels.clear();
        for (const CompletionKey& key : kept) {
            shelf.quick_checks.push_back(
                {key.memory, {rounded_load(0, key.load[0]), rounded_load(1, key.load[1])}});
            shelf.costs.push_back(key.cost);
            shelf.states.insert(shelf.states.end(), state(key), state(key) + words_);
            shelf.labels.push_back(key.index);
        }
        for (std::size_t bucket = 0; bucket < buckets; ++bucket)
            first_by_room_[bucket * nodes + node] = {no_way, kept.size()};
        for (std::size_t i = kept.size(); i-- > 0;)
            first_by_room_[bucket_of(kept[i].load[0]) * nodes + node] = {kept[i].cost, i};
        // What fits into less room fits into more.
        for (std::size_t bucket = 1; bucket < buckets; ++bucket) {
            const First& below = first_by_room_[(bucket - 1) * nodes + node];
            First& first = first_by_room_[bucket * nodes + node];
            if (below.index < first.index) first = below;
        }
    }
}

Money Completions::cheapest(Node customer, std::size_t first, const Beginning& beginning,
                            Money threshold, bool any) const {
    const Shelf& shelf = shelves_[to_index(customer)];
    std::array<std::uint32_t, 2> room{};  // 0 suffices where there is no such resource
    for (std::size_t r = 0; r < std::min(room.size(), resources_.size()); ++r)
        room[r] = rounded_load(r, resources_[r].limit - beginning.load[r]);
    const bool limited = !budgets_.empty();
    const bool look_closer = data_.has_windows || limited || resources_.size() > room.size() ||
                             load_shifts_[0] > 0 || load_shifts_[1] > 0;
    const std::size_t count = shelf.costs.size();
    Money best = no_way;
    Money limit = threshold - beginning.cost;  // what costs so much is of no use
    for (std::size_t i = first, end = first;;) {
        i = next_without_obstacle(shelf.quick_checks.data(), i, end, beginning.visited, room);
        if (i == end) {
            // The quick check rules out most, so it is enough to look at costs now and then.
            if (i == count || shelf.costs[i] >= limit) return best;
            end = std::min(count, end + checks_between_costs);
            continue;
        }
        const std::size_t place = i++;
        const Money cost = shelf.costs[place];
        if (cost >= limit) return best;
        if (look_closer) {
            const Completion& completion = labels_[to_index(shelf.labels[place])];
            bool fits =
                !data_.has_windows || beginning.start <= data_.latest_arrival(completion.latest);
            for (std::size_t r = 0; r < resources_.size(); ++r)
                fits = fits && beginning.load[r] + completion.load[r] <= resources_[r].limit;
            if (!fits) continue;
            if (limited && !is_within_budgets(beginning.spent, shelf.labels[place])) continue;
        }
        if (beginning.halves == nullptr) return cost;
        // Both have begun the same rows: the more expensive completion may be the better one.
        const Money paid =
            rows_->both(beginning.halves, shelf.states.data() + place * words_, limit - cost - 1);
        if (cost + paid >= limit) continue;
        best = limit = cost + paid;
        if (any) return best;
    }
}

// Read backwards, a completion is a beginning. Does it make a route below the threshold with some
// completion at `previous`?
bool Completions::can_come_after(Node previous, std::int32_t index, const Query& query) {
    const Completion& completion = labels_[to_index(index)];
    const auto node = to_index(completion.customer);
    const auto place = to_index(previous);
    const Money arc = query.costs[node * data_.nodes + place];
    const First& first = first_by_room(resources_[0].limit - completion.load[0])[place];
    const Money cost = completion.cost - (*query.visit_duals)[node] + arc;
    if (arc >= no_way || cost + first.cost >= query.threshold) return false;
    const Neighbourhoods& neighbourhoods = query.neighbourhoods;
    if ((completion.memory & neighbourhoods.bit(completion.customer, previous)) != 0) return false;
    Beginning beginning;
    beginning.cost = cost;
    // Both sides may stand for others that they dominate. What they remember, those remember too;
    // so a customer whom both remember is one whom those have both visited. But it need not be so
    // if the customer is incompatible with others, for whom it may be remembered.
    beginning.visited = neighbourhoods.carried(completion.memory, completion.customer, previous) &
                        neighbourhoods.plain_bits(previous);
    beginning.load = completion.load;
    if (data_.has_windows) {
        // The clock runs both ways: so long it takes from here to the depot, or from there to here.
        beginning.start = data_.windows.ready[0] +
                          (data_.latest_arrival(data_.windows.due[0]) - completion.latest) +
                          data_.duration_between(completion.customer, previous);
    }
    // Distances are the same both ways.
    for (std::size_t b = 0; b < budgets_.size(); ++b)
        beginning.spent[b] =
            spent_by(index)[b] + budgets_[b].arcs[data_.arc(completion.customer, previous)];
    if (words_ > 0 && rows_->carry(&states_[to_index(index) * words_], previous, halves_.data()))
        beginning.halves = halves_.data();
    return cheapest(previous, first.index, beginning, query.threshold, true) < no_way;
}

// May a route begin with the customer of this completion, and go on with it?
bool Completions::can_begin(const Completion& completion, const Query& query) const {
    const Money start = query.costs[to_index(completion.customer)];
    return (completion.next >= 0 || data_.single_customer_routes) && start < no_way &&
           start + completion.cost < query.threshold;
}

// Is there a beginning with which this completion, with more than half a load, makes a route below
// the threshold?
bool Completions::can_become_route(std::int32_t index, const Query& query) {
    if (can_begin(labels_[to_index(index)], query)) return true;
    for (Node previous = 1; previous < static_cast<Node>(data_.nodes); ++previous) {
        if (can_come_after(previous, index, query)) return true;
    }
    return false;
}

void Completions::find_beginnings(const Query& query, std::size_t half) {
    const std::size_t nodes = data_.nodes;
    beginnings_.assign((half + 1) * nodes, {});
    for (std::size_t bucket = 0; bucket <= half; ++bucket) {
        const First* first = &first_by_room_[bucket * nodes];
        for (std::size_t node = 1; node < nodes; ++node) {
            BestBeginning& entry = beginnings_[bucket * nodes + node];
            const Money* costs = &query.costs[node * nodes];
            // From the depot, whose dual is 0; the reverse of an arc differs by the dual only.
            for (std::size_t previous = 0; previous < nodes; ++previous) {
                const Money rest = previous == 0 ? 0 : first[previous].cost;
                if (costs[previous] >= no_way || rest >= no_way) continue;
                const Money cost = costs[previous] + rest - (*query.visit_duals)[node];
                if (cost < entry.best) {
                    entry.second = entry.best;
                    entry.best = cost;
                    entry.previous = static_cast<Node>(previous);
                } else if (cost < entry.second) {
                    entry.second = cost;
                }
            }
        }
    }
}

Completions::Outcome Completions::compute(const Query& query) {
    const ArcCosts& costs = query.costs;
    const Neighbourhoods& neighbourhoods = query.neighbourhoods;
    const std::size_t nodes = data_.nodes;
    const auto& windows = data_.windows;
    constexpr double always = std::numeric_limits<double>::infinity();
    const SubsetRows& rows = query.rows;
    labels_.clear();
    states_.clear();
    spent_.clear();
    rows_ = &rows;
    words_ = rows.words();
    halves_.assign(words_, 0);
    for (auto& kept : kept_) kept.clear();
    std::vector<std::vector<std::int32_t>> waiting(buckets);

    // Costs into a customer, one after the other in memory.
    into_.resize(costs.size());
    for (std::size_t from = 0; from < nodes; ++from) {
        for (std::size_t to = 0; to < nodes; ++to)
            into_[to * nodes + from] = costs[from * nodes + to];
    }
    // What comes before a completion, as a bound by its first customer.
    const auto within = [&](const Load& load) {
        std::int64_t room[max_resources];
        for (std::size_t r = 0; r < resources_.size(); ++r) room[r] = resources_[r].limit - load[r];
        return query.bounds == nullptr ? WalkBounds::Within{} : query.bounds->within(room);
    };
    std::vector<SubsetRows::Word> state(words_, 0);  // of the label that is being made
    const bool limited = !budgets_.empty();
    Spent spent{};  // by it
    // Goes on from what was spent after it. False if that is more than any path there leaves.
    const auto spend = [&](Node from, Node to, const double* after) {
        for (std::size_t b = 0; b < budgets_.size(); ++b) {
            spent[b] = budgets_[b].arcs[data_.arc(from, to)] + (after == nullptr ? 0.0 : after[b]);
            if (budgets_[b].there[to_index(from)] + spent[b] > budgets_[b].limit) return false;
        }
        return true;
    };
    const auto keep_for_later = [&](const Completion& completion) {
        const auto index = static_cast<std::int32_t>(labels_.size());
        waiting[bucket_of(completion.load[0])].push_back(index);
        states_.insert(states_.end(), state.begin(), state.end());
        if (limited) {
            spent_.insert(spent_.end(), spent.begin(),
                          spent.begin() + static_cast<std::ptrdiff_t>(budgets_.size()));
        }
        labels_.push_back(completion);
    };

    const WalkBounds::Within before_last = within({});
    for (Node customer = 1; customer < static_cast<Node>(nodes); ++customer) {
        const auto node = to_index(customer);
        if (costs[node * nodes] >= no_way) continue;
        Completion last;
        last.cost = costs[node * nodes];
        for (std::size_t r = 0; r < resources_.size(); ++r) last.load[r] = resources_[r].use[node];
        last.latest = always;
        if (data_.has_windows) {
            last.latest = std::min(data_.latest_arrival(windows.due[node]),
                                   data_.latest_arrival(windows.due[0]) - windows.service[node] -
                                       data_.duration_between(customer, 0));
        }
        if (limited && !spend(customer, 0, nullptr)) continue;
        last.memory = neighbourhoods.visit(customer, customer);
        last.customer = customer;
        std::fill(state.begin(), state.end(), 0);
        if (words_ > 0) rows.visit(customer, state.data());
        if (before_last.before(customer, 0) + last.cost < query.threshold) keep_for_later(last);
    }

    std::int64_t looked = 0;
    // From the bucket after this one on, what comes before a completion is in the buckets so far.
    const std::size_t half = query.visit_duals == nullptr || query.only_some
                                 ? buckets
                                 : bucket_of(resources_[0].limit / 2);
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
        if (bucket == half + 1) {
            prepare_search();
            find_beginnings(query, half);
        }
        std::sort(waiting[bucket].begin(), waiting[bucket].end(),
                  [&](std::int32_t a, std::int32_t b) {
                      return labels_[to_index(a)].cost < labels_[to_index(b)].cost;
                  });
        // The list may grow while it is worked off: small loads stay in the same bucket.
        for (std::size_t i = 0; i < waiting[bucket].size(); ++i) {
            const std::int32_t index = waiting[bucket][i];
            const Completion completion = labels_[to_index(index)];
            if (++looked % labels_between_looks == 0 && query.stop()) return Outcome::stopped;
            if (static_cast<std::int64_t>(labels_.size()) > query.max_labels)
                return Outcome::too_many;
            if (is_dominated(index, query.only_some)) continue;
            if (bucket > half && !can_become_route(index, query)) continue;
            const Node customer = completion.customer;
            keep(index);
            const WalkBounds::Within before_it = within(completion.load);
            const Money* arcs = &into_[to_index(customer) * nodes];
            for (Node previous = 1; previous < static_cast<Node>(nodes); ++previous) {
                const auto from = to_index(previous);
                const Money cost = completion.cost + arcs[from];
                const Money before = before_it.before(previous, customer);
                // Most are too expensive: there is no need to look at anything else.
                if (before + cost >= query.threshold || arcs[from] >= no_way ||
                    previous == customer ||
                    (completion.memory & neighbourhoods.bit(customer, previous)) != 0)
                    continue;
                Completion longer;
                longer.cost = cost;
                bool fits = true;
                for (std::size_t r = 0; r < resources_.size(); ++r) {
                    longer.load[r] = completion.load[r] + resources_[r].use[from];
                    fits = fits && longer.load[r] <= resources_[r].limit;
                }
                if (!fits) continue;
                Money least = before;
                if (bucket > half) {
                    const std::size_t room = bucket_of(resources_[0].limit - longer.load[0]);
                    const BestBeginning& entry = beginnings_[room * nodes + from];
                    least = std::max(least, entry.previous == customer ? entry.second : entry.best);
                    if (least + longer.cost >= query.threshold) continue;
                }
                longer.latest = always;
                if (data_.has_windows) {
                    longer.latest = std::min(data_.latest_arrival(windows.due[from]),
                                             completion.latest - windows.service[from] -
                                                 data_.duration_between(previous, customer));
                    if (windows.ready[from] > data_.latest_arrival(longer.latest)) continue;
                }
                if (limited && !spend(previous, customer, spent_by(index))) continue;
                if (query.only_some && visits(completion, previous)) continue;
                if (words_ > 0) {
                    const auto* after = &states_[to_index(index) * words_];
                    std::copy(after, after + words_, state.begin());
                    longer.cost += rows.visit(previous, state.data());
                    if (least + longer.cost >= query.threshold) continue;
                }
                longer.customer = previous;
                longer.memory = neighbourhoods.carried(completion.memory, customer, previous) |
                                neighbourhoods.visit(previous, customer) |
                                neighbourhoods.visit(previous, previous);
                longer.next = index;
                keep_for_later(longer);
            }
        }
    }
    label_count_ = static_cast<std::int64_t>(labels_.size());

    prepare_search();
    find_cheapest_walks(costs, query.threshold);
    return Outcome::complete;
}

void Completions::find_cheapest_walks(const ArcCosts& costs, Money threshold) {
    least_ = no_way;
    cheapest_walks_.clear();
    for (Node customer = 1; customer < static_cast<Node>(data_.nodes); ++customer) {
        const Money start = costs[to_index(customer)];
        if (start >= no_way) continue;
        const Completion* cheapest = nullptr;
        for (const CompletionKey& key : at(customer)) {
            const Completion& completion = (*this)[key];
            if (completion.next < 0 && !data_.single_customer_routes) continue;
            if (data_.has_windows) {
                const double arrival =
                    std::max(data_.windows.ready[to_index(customer)],
                             data_.windows.ready[0] + data_.duration_between(0, customer));
                if (arrival > data_.latest_arrival(completion.latest)) continue;
            }
            cheapest = &completion;
            break;  // the others cost more
        }
        if (cheapest == nullptr || start + cheapest->cost >= threshold) continue;
        least_ = std::min(least_, start + cheapest->cost);
        Path& walk = cheapest_walks_.emplace_back();
        while (cheapest != nullptr) {
            walk.push_back(cheapest->customer);
            cheapest = cheapest->next < 0 ? nullptr : &labels_[to_index(cheapest->next)];
        }
    }
}

}  // namespace tailgate::pricing
