#include "walk_bounds.hpp"

#include <algorithm>
#include <numeric>

namespace tailgate::pricing {

WalkBounds::WalkBounds(const RouteData& data, const std::vector<Resource>& resources)
    : nodes_(data.nodes) {
    for (const Resource& resource : resources) {
        std::int64_t divisor = 0;
        for (const std::int64_t use : resource.use) divisor = std::gcd(divisor, use);
        divisor = std::max<std::int64_t>(divisor, 1);
        Table table;
        table.unit = divisor * std::max<std::int64_t>(
                                   1, (resource.limit / divisor + max_steps - 1) / max_steps);
        table.steps.assign(nodes_, 0);
        for (std::size_t node = 1; node < nodes_; ++node) {
            table.steps[node] = resource.use[node] / table.unit;
            if (table.steps[node] > 0) continue;
            // A load of no step would let walks go on for ever: it counts one, and the limit grows.
            table.steps[node] = 1;
            ++table.small_customers;
        }
        table.limit = resource.limit / table.unit + table.small_customers;
        tables_.push_back(std::move(table));
    }
}

void WalkBounds::compute(const ArcCosts& costs) {
    least_ = -no_way;
    tightest_ = 0;
    for (std::size_t index = 0; index < tables_.size(); ++index) {
        compute(tables_[index], costs);
        const Money cheapest = cheapest_way_back(tables_[index], costs);
        if (cheapest <= least_) continue;
        least_ = cheapest;
        tightest_ = index;
    }
}

Money WalkBounds::cheapest_way_back(const Table& table, const ArcCosts& costs) const {
    Money cheapest = no_way;
    const Entry* row = &table.entries[to_index(table.limit) * nodes_];
    for (std::size_t node = 1; node < nodes_; ++node) {
        const Money back = costs[node * nodes_];
        if (back >= no_way || row[node].best >= no_way) continue;
        cheapest = std::min(cheapest, row[node].best + back);
    }
    return cheapest;
}

std::vector<Path> WalkBounds::cheapest_walks(const ArcCosts& costs) const {
    std::vector<Path> walks;
    const Table& table = tables_[tightest_];
    const Entry* row = &table.entries[to_index(table.limit) * nodes_];
    for (std::size_t node = 1; node < nodes_; ++node) {
        if (costs[node * nodes_] >= no_way || row[node].best >= no_way) continue;
        walks.push_back(walk_to(static_cast<Node>(node), table, costs));
    }
    return walks;
}

// Looks step by step for a customer from which the cost comes about.
Path WalkBounds::walk_to(Node last, const Table& table, const ArcCosts& costs) const {
    Path walk;
    std::int64_t load = table.limit;
    Node node = last;
    Node next = 0;
    const auto cost_of = [&](std::int64_t at, Node customer, Node after) {
        const Entry& entry = table.entries[to_index(at) * nodes_ + to_index(customer)];
        return after != 0 && entry.previous == after ? entry.second : entry.best;
    };
    while (node != 0) {
        const auto here = to_index(node);
        const Money cost = cost_of(load, node, next);
        while (load > 1 && cost_of(load - 1, node, next) == cost) --load;
        walk.push_back(node);
        load -= table.steps[here];
        Node previous = 0;
        if (costs[here] != cost) {
            for (std::size_t from = 1; from < nodes_; ++from) {
                const auto candidate = static_cast<Node>(from);
                if (candidate == next || costs[from * nodes_ + here] >= no_way) continue;
                const Money so_far = cost_of(load, candidate, node);
                if (so_far >= no_way || so_far + costs[from * nodes_ + here] != cost) continue;
                previous = candidate;
                break;
            }
        }
        next = node;
        node = previous;
    }
    std::ranges::reverse(walk);
    return walk;
}

void WalkBounds::compute(Table& table, const ArcCosts& costs) const {
    const auto rows = to_index(table.limit) + 1;
    table.entries.assign(rows * nodes_, Entry{});
    // Costs into a node, one after the other in memory.
    std::vector<Money> into(nodes_ * nodes_);
    for (std::size_t from = 0; from < nodes_; ++from) {
        for (std::size_t to = 0; to < nodes_; ++to)
            into[to * nodes_ + from] = costs[from * nodes_ + to];
    }
    const auto improve = [](Entry& entry, Money cost, Node previous) {
        if (cost < entry.best) {
            if (previous != entry.previous) entry.second = entry.best;
            entry.best = cost;
            entry.previous = previous;
        } else if (cost < entry.second && previous != entry.previous) {
            entry.second = cost;
        }
    };
    for (std::size_t load = 1; load < rows; ++load) {
        Entry* row = &table.entries[load * nodes_];
        const Entry* below = row - nodes_;
        for (std::size_t node = 1; node < nodes_; ++node) {
            row[node] = below[node];
            const auto steps = to_index(table.steps[node]);
            if (steps > load) continue;
            const Money* costs_into = &into[node * nodes_];
            const Entry* before = &table.entries[(load - steps) * nodes_];
            if (costs_into[0] < no_way) improve(row[node], costs_into[0], 0);
            const auto self = static_cast<Node>(node);
            for (std::size_t from = 1; from < nodes_; ++from) {
                const Money so_far =
                    before[from].previous == self ? before[from].second : before[from].best;
                const Money cost = so_far + costs_into[from];
                if (cost < row[node].second && so_far < no_way && costs_into[from] < no_way)
                    improve(row[node], cost, static_cast<Node>(from));
            }
        }
    }
}

WalkBounds::Within WalkBounds::within(const std::int64_t* room) const {
    Within within;
    for (std::size_t index = 0; index < tables_.size(); ++index) {
        const Table& table = tables_[index];
        const std::int64_t load =
            std::min(room[index] / table.unit + table.small_customers, table.limit);
        if (load <= 0) {
            within.least_ = no_way;
            return within;
        }
        within.rows_[within.count_++] = &table.entries[to_index(load) * nodes_];
    }
    return within;
}

}  // namespace tailgate::pricing
