// Problems for the tests: tiny ones for comparison with brute force, and one too hard for any
// limit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "packing/problem.hpp"

namespace tailgate::tests {

// Tiny floors, nearly full, for comparisons. The engine is the same on every platform, and so are
// these draws, which the standard distributions would not guarantee.
class TinyProblems {
  public:
    explicit TinyProblems(std::uint32_t seed) : engine_(seed) {}

    packing::Problem next() {
        packing::Problem problem{draw(4, 12), draw(3, 7), {}};
        problem.stops.resize(static_cast<std::size_t>(draw(1, 4)));
        packing::Area room = packing::Area{problem.width} * problem.length;
        for (int count = draw(2, 6); count > 0; --count) {
            const packing::Rectangle item{draw(1, problem.width - 1),
                                          draw(1, (problem.length + 1) / 2)};
            if (item.area() > room) continue;
            room -= item.area();
            problem
                .stops[static_cast<std::size_t>(draw(1, static_cast<int>(problem.stops.size())) -
                                                1)]
                .push_back(item);
        }
        return problem;
    }

    // Some of the items may be turned, now and then all of them.
    packing::Problem next_with_turning() {
        packing::Problem problem = next();
        const int most = draw(1, 4);
        for (const auto& stop : problem.stops) {
            auto& own = problem.turned.emplace_back();
            for (const packing::Rectangle& item : stop) {
                const bool turns = item.width != item.length && draw(1, 4) <= most;
                own.push_back(turns ? item.exchanged() : packing::Rectangle{});
            }
        }
        return problem;
    }

    int draw(int low, int high) {
        return low + static_cast<int>(engine_() % static_cast<unsigned>(high - low + 1));
    }

  private:
    std::mt19937 engine_;
};

// All items in one stop; two of them equal, if so.
inline packing::Problem without_order(const packing::Problem& problem, bool with_twins = false) {
    packing::Problem result{problem.width, problem.length, {{}}};
    if (problem.may_turn()) result.turned = {{}};
    for (const auto& [from, to] :
         {std::pair(&problem.stops, &result.stops), std::pair(&problem.turned, &result.turned)}) {
        for (const auto& stop : *from) (*to)[0].insert((*to)[0].end(), stop.begin(), stop.end());
        if (with_twins && !to->empty() && (*to)[0].size() > 2) (*to)[0][1] = (*to)[0][2];
    }
    return result;
}

// A floor sawn into pieces, loaded from the cab to the door: full to the last cell, and feasible.
inline packing::Problem sawn_floor(TinyProblems& dice, packing::Length width,
                                   packing::Length length, int pieces) {
    struct Piece {
        packing::Position at;
        packing::Rectangle size;
    };
    std::vector<Piece> floor{{{0, 0}, {width, length}}};
    for (int cut = 1; cut < pieces; ++cut) {
        const auto largest = std::max_element(
            floor.begin(), floor.end(),
            [](const Piece& a, const Piece& b) { return a.size.area() < b.size.area(); });
        Piece rest = *largest;
        const bool across =
            packing::Area{rest.size.width} * length >= packing::Area{rest.size.length} * width;
        packing::Length& side = across ? largest->size.width : largest->size.length;
        packing::Length& rest_side = across ? rest.size.width : rest.size.length;
        if (side < 2) break;
        side = dice.draw(1, side - 1);
        rest_side -= side;
        (across ? rest.at.x : rest.at.y) += side;
        floor.push_back(rest);
    }
    // By distance from the cab: nothing is loaded behind what stands in its way.
    std::stable_sort(floor.begin(), floor.end(),
                     [](const Piece& a, const Piece& b) { return a.at.y < b.at.y; });
    packing::Problem problem{width, length, {{}}};
    for (const Piece& piece : floor) {
        if (!problem.stops.back().empty() && dice.draw(0, 1) == 1) problem.stops.emplace_back();
        problem.stops.back().push_back(piece.size);
    }
    return problem;
}

// Some thirty stops that nearly fill the floor, in an order that was never asked to work.
inline packing::Problem hard_problem() {
    packing::Problem problem{101, 401, {}};
    TinyProblems dice(9);
    packing::Area room = packing::Area{problem.width} * problem.length;
    while (room > 1'500) {
        const packing::Rectangle item{dice.draw(9, 41), dice.draw(17, 97)};
        if (item.area() > room) continue;
        room -= item.area();
        problem.stops.push_back({item});
    }
    return problem;
}

}  // namespace tailgate::tests
