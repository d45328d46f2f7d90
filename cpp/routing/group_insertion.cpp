#include "group_insertion.hpp"

#include <algorithm>
#include <utility>

namespace tailgate::routing {

namespace {

// Inserts a customer where the tour is cheapest, if it can among the places that break no limit.
void insert_where_cheapest(const VehicleKind& kind, Place customer, std::vector<Place>& stops) {
    std::pair<bool, double> best{true, infinity};  // breaks a limit, costs
    std::vector<Place> best_order;
    std::vector<Place> order = stops;
    order.insert(order.begin(), customer);
    for (std::size_t position = 0; position <= stops.size(); ++position) {
        if (position > 0) std::swap(order[position - 1], order[position]);
        const std::pair<bool, double> now{!kind.keeps_limits(order), kind.problem.cost(order)};
        if (!best_order.empty() && now >= best) continue;
        best = now;
        best_order = order;
    }
    stops = std::move(best_order);
}

bool has_a_clash(const LoadingCheck& loading, const std::vector<Place>& stops,
                 const std::vector<Place>& members) {
    return std::ranges::any_of(members, [&](Place member) {
        return std::ranges::any_of(
            stops, [&](Place stop) { return loading.are_known_to_clash(member, stop); });
    });
}

}  // namespace

std::vector<GroupInsertion> insertions_of(Workspace& work, const Group& group, double most_cost) {
    std::vector<Place> others(group.members.begin() + static_cast<std::ptrdiff_t>(group.head.size()),
                              group.members.end());
    work.random.shuffle(others);
    std::vector<GroupInsertion> found;
    std::vector<bool> has_seen_free(work.kinds.size(), false);
    for (std::size_t tour = 0; tour < work.tours.count(); ++tour) {
        const VehicleKind& kind = work.kind_of(tour);
        std::vector<Place> stops = work.tours[tour].stops;
        if (stops.empty()) {
            if (has_seen_free[work.tours.kind_of(tour)]) continue;
            has_seen_free[work.tours.kind_of(tour)] = true;
        } else if (!group.head.empty()) {
            continue;
        }
        stops.insert(stops.end(), group.head.begin(), group.head.end());
        for (const Place member : others) insert_where_cheapest(kind, member, stops);
        if (!kind.may_take(stops)) continue;
        const double cost = kind.problem.cost(stops) - work.tours[tour].cost;
        if (cost > most_cost || has_a_clash(work.loading_of(tour), stops, group.members)) continue;
        found.push_back({cost, tour, std::move(stops)});
    }
    std::ranges::stable_sort(found, {}, &GroupInsertion::cost);
    return found;
}

}  // namespace tailgate::routing
