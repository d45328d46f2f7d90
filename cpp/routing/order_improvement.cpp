#include "order_improvement.hpp"

#include <algorithm>
#include <functional>

namespace tailgate::routing {

namespace {

constexpr double least_saving = 1e-9;  // of the cost of the tour

// False if there is none.
bool find_cheaper_order(Workspace& work, std::size_t tour) {
    struct Move {
        double saving;
        std::size_t first, middle, last;  // rotate, or reverse if middle == first
    };
    const std::vector<Place> stops = work.tours[tour].stops;
    const auto at = [&](std::size_t index) {
        return index == 0 || index > stops.size() ? Place{0} : stops[index - 1];
    };
    const auto distance = [&](std::size_t a, std::size_t b) {
        return work.problem.distance(at(a), at(b));
    };
    const double least = least_saving * std::max(1.0, work.tours[tour].cost);
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
    std::ranges::stable_sort(moves, std::greater{}, &Move::saving);
    std::vector<Place> order;
    for (const Move& move : moves) {
        if (work.loading.was_cut_off()) return false;
        order = stops;
        const auto begin = order.begin() + static_cast<std::ptrdiff_t>(move.first - 1);
        const auto middle = order.begin() + static_cast<std::ptrdiff_t>(move.middle - 1);
        const auto end = order.begin() + static_cast<std::ptrdiff_t>(move.last);
        if (move.middle == move.first) {
            std::reverse(begin, end);
        } else {
            std::rotate(begin, middle, end);
        }
        if (work.has_windows && !work.problem.is_in_time(order)) continue;
        if (!work.loading.might_load(order, work.random) || !work.prove(order)) continue;
        work.tours.reorder(tour, order);
        return true;
    }
    return false;
}

}  // namespace

void improve_order(Workspace& work, std::size_t tour) {
    LoadingCheck& loading = work.loading;
    const std::vector<Place>& stops = work.tours[tour].stops;
    while (!loading.was_cut_off() && stops.size() > 2 && !loading.is_polished(stops)) {
        if (find_cheaper_order(work, tour)) continue;
        if (!loading.was_cut_off()) loading.mark_polished(stops);
        return;
    }
}

}  // namespace tailgate::routing
