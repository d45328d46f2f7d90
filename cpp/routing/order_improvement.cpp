#include "order_improvement.hpp"

#include <algorithm>
#include <functional>

namespace tailgate::routing {

namespace {

constexpr double least_saving = 1e-9;  // of the cost of the tour

struct Move {
    double saving;
    std::size_t first, middle, last;  // rotate, or reverse if middle == first
};

std::vector<Place> moved(const std::vector<Place>& stops, const Move& move) {
    std::vector<Place> order = stops;
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(move.first - 1);
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(move.middle - 1);
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(move.last);
    if (move.middle == move.first) {
        std::reverse(begin, end);
    } else {
        std::rotate(begin, middle, end);
    }
    return order;
}

// Those whose arcs cost less by more than `least`.
std::vector<Move> moves_by_arcs(const RoutingProblem& problem, const std::vector<Place>& stops,
                                double least) {
    const auto at = [&](std::size_t index) {
        return index == 0 || index > stops.size() ? Place{0} : stops[index - 1];
    };
    const auto cost = [&](std::size_t a, std::size_t b) {
        return problem.cost_between(at(a), at(b));
    };
    std::vector<Move> moves;
    const std::size_t count = stops.size();
    // Indices count the depot as 0. Reversal of first .. last, and exchange of two neighbouring
    // blocks, one of them short (a string that moves).
    constexpr std::size_t longest_block = 3;
    for (std::size_t first = 1; first <= count; ++first) {
        double inside = 0.0;
        double inside_reversed = 0.0;  // may be infinite, what is driven now is not
        for (std::size_t last = first + 1; last <= count; ++last) {
            const double outside = cost(first - 1, first) + cost(last, last + 1);
            inside += cost(last - 1, last);
            inside_reversed += cost(last, last - 1);
            const double saving = outside - cost(first - 1, last) - cost(first, last + 1) +
                                  (inside - inside_reversed);
            if (saving > least) moves.push_back({saving, first, first, last});
            for (std::size_t middle = first + 1; middle <= last; ++middle) {
                if (middle - first > longest_block && last + 1 - middle > longest_block) continue;
                const double exchanged = outside + cost(middle - 1, middle) -
                                         cost(first - 1, middle) - cost(last, first) -
                                         cost(middle - 1, last + 1);
                if (exchanged > least) moves.push_back({exchanged, first, middle, last});
            }
        }
    }
    return moves;
}

// False if there is none.
bool find_cheaper_order(Workspace& work, std::size_t tour) {
    const VehicleKind& kind = work.kind_of(tour);
    const std::vector<Place> stops = work.tours[tour].stops;
    const double cost = work.tours[tour].cost;
    const double least = least_saving * std::max(1.0, cost);
    // At best a move saves all the waiting besides.
    const double cost_of_waiting =
        kind.rules.has_waiting_cost ? kind.problem.waiting_cost * work.tours[tour].waiting : 0.0;
    std::vector<Move> moves = moves_by_arcs(kind.problem, stops, least - cost_of_waiting);
    if (kind.rules.has_waiting_cost) {
        for (Move& move : moves) move.saving = cost - kind.problem.cost(moved(stops, move));
        std::erase_if(moves, [least](const Move& move) { return move.saving <= least; });
    }
    std::ranges::stable_sort(moves, std::greater{}, &Move::saving);
    for (const Move& move : moves) {
        if (work.was_cut_off()) return false;
        const std::vector<Place> order = moved(stops, move);
        if (!kind.keeps_limits(order)) continue;
        if (!work.loading_of(tour).might_load(order, work.random) ||
            !work.prove(work.tours.kind_of(tour), order))
            continue;
        work.tours.reorder(tour, order);
        return true;
    }
    return false;
}

}  // namespace

void improve_order(Workspace& work, std::size_t tour) {
    const std::vector<Place>& stops = work.tours[tour].stops;
    const std::size_t kind = work.tours.kind_of(tour);
    // Two stops in the other order are the reverse.
    const std::size_t least_stops = work.kinds[kind].rules.has_directed_costs ? 2 : 3;
    while (!work.was_cut_off() && stops.size() >= least_stops && !work.is_polished(kind, stops)) {
        if (find_cheaper_order(work, tour)) continue;
        if (!work.was_cut_off()) work.mark_polished(kind, stops);
        return;
    }
}

}  // namespace tailgate::routing
