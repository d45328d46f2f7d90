#include "skyline_search.hpp"

#include <algorithm>
#include <compare>

#include "failed_states.hpp"
#include "remaining_items.hpp"
#include "skyline.hpp"

namespace tailgate::packing {

namespace {

// Preparing these bounds does not pay for a query that is decided at once.
constexpr std::int64_t nodes_before_bounds = 40;

constexpr std::size_t types_between_looks = 4;

// Without a memory of failed states the search is slow, without the table it cannot go on.
constexpr std::size_t min_table_bytes = std::size_t{16} << 20;

// Room for the moves of a node, so that growing does not cost more than the node itself.
constexpr std::size_t usual_moves = 32;
constexpr std::size_t usual_steps = 192;

struct Move {
    std::int32_t type = 0;       // index of RemainingItems::types
    std::int32_t remaining = 0;  // what remains afterwards
    Position position;
    Area lost = 0;                 // floor that has become useless
    Area score = 0;                // small is promising
    std::uint32_t first_step = 0;  // the skyline afterwards, in Expansion::steps
    std::uint32_t step_count = 0;
};

// Everything that can be done next from one state.
struct Expansion {
    std::vector<Move> moves;
    std::vector<Step> steps;

    void copy_skyline(const Move& move, Skyline& to) const {
        const auto first = steps.begin() + move.first_step;
        to.assign(first, first + move.step_count);
    }
};

struct Frame {
    std::int32_t remaining = 0;
    Skyline skyline;
    Expansion expansion;
    std::size_t next = 0;
};

// A state in the beam, with the way back to its beginning.
struct BeamState {
    std::int32_t remaining = 0;
    Skyline skyline;
    Area lost = 0;
    std::size_t parent = 0;  // in the history, whose first state has none
    Move move;
};

// A state that may come into the next wave of the beam.
struct Candidate {
    Area score = 0;
    std::size_t parent = 0;
    std::ptrdiff_t move = 0;  // in the parent's expansion
    friend auto operator<=>(const Candidate&, const Candidate&) = default;
};

}  // namespace

class SkylineSearch::Implementation {
  public:
    Implementation(const Problem& problem, std::size_t memo_bytes)
        : problem_(problem),
          memo_bytes_(memo_bytes),
          step_score_(std::max<Area>(1, Area{problem.width} * problem.length / steps_per_floor)),
          table_(problem, std::max(memo_bytes, min_table_bytes)),
          failed_(problem.width, problem.length, memo_bytes) {}

    Verdict run(const Budget& budget) {
        if (verdict_ != Verdict::unknown || !open()) return verdict_;
        return verdict_ = search(budget);
    }

    // Keeps the most promising states at each depth: finds plans for full trucks that a
    // depth-first search misses, proves nothing.
    Verdict run_beam(std::size_t width, Places places, const Budget& budget) {
        if (verdict_ != Verdict::unknown || !open()) return verdict_;
        const std::int64_t last_node = nodes_ + budget.max_nodes;
        narrowed_ = false;
        std::vector<BeamState> history;  // all waves so far
        history.resize(1);
        history[0].remaining = frames_[0].remaining;
        history[0].skyline = frames_[0].skyline;
        std::vector<Expansion> expansions;
        std::vector<Candidate> candidates;
        for (std::size_t first = 0; first < history.size();) {
            const std::size_t end = history.size();
            if (expansions.size() < end - first) expansions.resize(end - first);
            candidates.clear();
            for (std::size_t i = first; i < end; ++i) {
                const BeamState& state = history[i];
                const RemainingItems& remaining = table_[state.remaining];
                if (nodes_ > nodes_before_bounds &&
                    !remaining.dual_feasible_bounds_hold(state.skyline))
                    continue;
                if (nodes_ >= last_node || must_stop(budget)) return Verdict::unknown;
                Expansion& expansion = expansions[i - first];
                if (!expand(state.remaining, state.skyline, places, expansion, budget)) {
                    return Verdict::unknown;
                }
                for (const Move& move : expansion.moves) {
                    if (table_[move.remaining].is_final()) {
                        remember_plan(history, i, move);
                        return verdict_ = Verdict::feasible;
                    }
                    candidates.push_back(
                        {state.lost + move.score, i, &move - expansion.moves.data()});
                }
            }
            std::sort(candidates.begin(), candidates.end());
            FailedStates seen(problem_.width, problem_.length, memo_bytes_);
            for (const Candidate& candidate : candidates) {
                const Expansion& expansion = expansions[candidate.parent - first];
                const Move& move = expansion.moves[to_index(candidate.move)];
                expansion.copy_skyline(move, after_);
                if (width > 1 && !seen.insert(move.remaining, after_)) continue;
                if (width > 1 && table_.can_narrow_places(move.remaining) &&
                    !table_.narrow_places(move.remaining, after_))
                    continue;
                const Area lost = history[candidate.parent].lost + move.lost;
                history.push_back({move.remaining, after_, lost, candidate.parent, move});
                if (history.size() - end == width) break;
            }
            first = end;
        }
        return Verdict::unknown;
    }

    [[nodiscard]] bool is_out_of_memory() const { return table_.is_full(); }
    [[nodiscard]] std::int64_t nodes() const { return nodes_; }
    [[nodiscard]] std::size_t bytes() const { return table_.bytes() + failed_.bytes(); }
    [[nodiscard]] const Layout& layout() const { return layout_; }

  private:
    Verdict search(const Budget& budget) {
        const std::int64_t last_node = nodes_ + budget.max_nodes;
        if (nodes_ >= last_node) return Verdict::unknown;
        std::size_t depth = 0;
        if (!narrow(frames_[0])) return Verdict::infeasible;
        if (!expand(frames_[0].remaining, frames_[0].skyline, Places::all, frames_[0].expansion,
                    budget))
            return Verdict::unknown;
        frames_[0].next = 0;
        while (true) {
            if (frames_[depth].next == frames_[depth].expansion.moves.size()) {
                failed_.insert(frames_[depth].remaining, frames_[depth].skyline);
                if (depth == 0) return Verdict::infeasible;
                --depth;
                continue;
            }
            if (frames_.size() <= depth + 1) frames_.resize(depth + 2);
            Frame& here = frames_[depth];
            Frame& below = frames_[depth + 1];
            const Move& move = here.expansion.moves[here.next++];
            if (table_[move.remaining].is_final()) {
                remember_plan(depth);
                return Verdict::feasible;
            }
            below.remaining = move.remaining;
            here.expansion.copy_skyline(move, below.skyline);
            // Another way to the same state may have failed since the move was listed.
            if (failed_.contains(below.remaining, below.skyline)) continue;
            if (nodes_ > nodes_before_bounds &&
                !table_[below.remaining].dual_feasible_bounds_hold(below.skyline)) {
                failed_.insert(below.remaining, below.skyline);
                continue;
            }
            if (!narrow(below)) {
                failed_.insert(below.remaining, below.skyline);
                continue;
            }
            if (nodes_ >= last_node || must_stop(budget)) return Verdict::unknown;
            if (!expand(below.remaining, below.skyline, Places::all, below.expansion, budget))
                return Verdict::unknown;
            below.next = 0;
            ++depth;
        }
    }

    bool narrow(const Frame& frame) {
        narrowed_ = table_.can_narrow_places(frame.remaining);
        return !narrowed_ || table_.narrow_places(frame.remaining, frame.skyline);
    }

    // Puts the empty floor at the bottom of the stack; false if that decides the query.
    bool open() {
        if (frames_.empty()) frames_.resize(1);
        Frame& root = frames_[0];
        root.remaining = table_.first();
        root.skyline.assign(1, Step{0, 0});
        const RemainingItems& remaining = table_[root.remaining];
        if (remaining.is_final()) {
            layout_.resize(problem_.stops.size());
            verdict_ = Verdict::feasible;
            return false;
        }
        remaining.raise_useless(root.skyline);
        if (remaining.usable_area(root.skyline) < remaining.area ||
            !remaining.every_item_fits(root.skyline)) {
            verdict_ = Verdict::infeasible;
            return false;
        }
        return true;
    }

    [[nodiscard]] bool must_stop(const Budget& budget) const {
        return table_.is_full() || (budget.expired && budget.expired());
    }

    // Lists all moves from a state, the most promising first; false if time ran out meanwhile.
    bool expand(std::int32_t remaining, const Skyline& skyline, Places places, Expansion& expansion,
                const Budget& budget) {
        ++nodes_;
        expansion.moves.clear();
        expansion.steps.clear();
        expansion.moves.reserve(usual_moves);
        expansion.steps.reserve(usual_steps);
        const Area usable = table_[remaining].usable_area(skyline);
        for (std::size_t type = 0; type < table_[remaining].types.size(); ++type) {
            // On a wide floor with many kinds of items a single node can take long.
            if (type > 0 && type % types_between_looks == 0 && must_stop(budget)) return false;
            list_moves(remaining, skyline, usable, type, places, expansion);
        }
        std::sort(expansion.moves.begin(), expansion.moves.end(), [](const Move& a, const Move& b) {
            if (a.score != b.score) return a.score < b.score;
            if (a.position.y != b.position.y) return a.position.y < b.position.y;
            if (a.type != b.type) return a.type < b.type;
            return a.position.x < b.position.x;
        });
        return true;
    }

    void list_moves(std::int32_t remaining_index, const Skyline& skyline, Area usable,
                    std::size_t type, Places places, Expansion& expansion) {
        const std::int32_t next_index = table_.next(remaining_index, type);
        table_.positions(remaining_index, type, skyline, places, positions_);
        const RemainingItems& remaining = table_[remaining_index];
        const RemainingItems& rest = table_[next_index];
        const Rectangle item = remaining.types[type].item;
        // Only the area by columns may be compared with a hole: by rows, part of the hole may be
        // counted as lost already.
        const Area slack = remaining.free_area(skyline) - remaining.area;
        std::size_t begin = 0;
        for (const Length x : positions_) {
            if (narrowed_ && table_.is_struck_out(type, x)) continue;
            while (begin + 1 < skyline.size() && skyline[begin + 1].x <= x) ++begin;
            const Length right = x + item.width;
            Length y = 0;
            std::size_t end = begin;
            for (; end < skyline.size() && skyline[end].x < right; ++end)
                y = std::max(y, skyline[end].height);
            if (y + item.length > problem_.length) continue;
            Area hole = 0;
            for (std::size_t i = begin; i < end; ++i) {
                const Length from = std::max(skyline[i].x, x);
                const Length to =
                    i + 1 < skyline.size() ? std::min(skyline[i + 1].x, right) : right;
                hole += Area{to - from} * (y - skyline[i].height);
            }
            if (hole > slack) continue;
            drop(skyline, begin, end, x, right, y + item.length);
            // When only this stop is left its items can be loaded in the order of y: what lies
            // lower than the item loaded last is lost.
            if (remaining.is_last_stop) {
                for (Step& step : after_) step.height = std::max(step.height, y);
            }
            Move move;
            move.type = static_cast<std::int32_t>(type);
            move.remaining = next_index;
            move.position = {x, y};
            if (!rest.is_final()) {
                rest.raise_useless(after_);
                const Area usable_after = rest.usable_area(after_);
                if (usable_after < rest.area || !rest.every_item_fits(after_)) continue;
                move.lost = usable - item.area() - usable_after;
                move.score = move.lost + step_score_ * static_cast<Area>(after_.size());
            }
            move.first_step = static_cast<std::uint32_t>(expansion.steps.size());
            move.step_count = static_cast<std::uint32_t>(after_.size());
            expansion.steps.insert(expansion.steps.end(), after_.begin(), after_.end());
            expansion.moves.push_back(move);
            if (rest.is_final()) return;
        }
    }

    // Steps `begin` to `end` lie under the item.
    void drop(const Skyline& skyline, std::size_t begin, std::size_t end, Length left, Length right,
              Length top) {
        after_.assign(skyline.begin(), skyline.begin() + static_cast<std::ptrdiff_t>(begin));
        if (skyline[begin].x < left) after_.push_back(skyline[begin]);
        after_.push_back({left, top});
        const Length covered_to = end < skyline.size() ? skyline[end].x : problem_.width;
        if (right < covered_to) after_.push_back({right, skyline[end - 1].height});
        after_.insert(after_.end(), skyline.begin() + static_cast<std::ptrdiff_t>(end),
                      skyline.end());
    }

    void remember_plan(std::size_t depth) {
        clear_plan();
        for (std::size_t i = 0; i <= depth; ++i) {
            place(frames_[i].remaining, frames_[i].expansion.moves[frames_[i].next - 1]);
        }
    }

    void remember_plan(const std::vector<BeamState>& history, std::size_t last, const Move& move) {
        clear_plan();
        place(history[last].remaining, move);
        for (; last > 0; last = history[last].parent) {
            place(history[history[last].parent].remaining, history[last].move);
        }
    }

    void clear_plan() {
        layout_.assign(problem_.stops.size(), {});
        for (std::size_t stop = 0; stop < problem_.stops.size(); ++stop) {
            layout_[stop].assign(problem_.stops[stop].size(), Position{-1, -1});
        }
    }

    // Gives the position to an item of this kind that has none yet.
    void place(std::int32_t remaining_index, const Move& move) {
        const RemainingItems& remaining = table_[remaining_index];
        const auto stop = to_index(remaining.stop);
        const ItemType& type = remaining.types[to_index(move.type)];
        const Shapes& kind = table_.kind(stop, type);
        auto& positions = layout_[stop];
        for (std::size_t i = 0; i < positions.size(); ++i) {
            if (positions[i].x >= 0 || !(problem_.shapes(stop, i) == kind)) continue;
            positions[i] = move.position;
            positions[i].turned = !(problem_.stops[stop][i] == type.item);
            return;
        }
    }

    Problem problem_;
    std::size_t memo_bytes_;
    Area step_score_;
    RemainingItemsTable table_;
    FailedStates failed_;
    std::vector<Frame> frames_;
    std::int64_t nodes_ = 0;
    bool narrowed_ =
        false;  // RemainingItemsTable::is_struck_out holds for the node that is expanded
    Verdict verdict_ = Verdict::unknown;
    Layout layout_;
    std::vector<Length> positions_;
    Skyline after_;
};

SkylineSearch::SkylineSearch(const Problem& problem, std::size_t memo_bytes)
    : implementation_(std::make_unique<Implementation>(problem, memo_bytes)) {}
SkylineSearch::~SkylineSearch() = default;
Verdict SkylineSearch::run(const Budget& budget) {
    return implementation_->run(budget);
}
Verdict SkylineSearch::run_beam(std::size_t width, const Budget& budget) {
    return implementation_->run_beam(width, Places::all, budget);
}
Verdict SkylineSearch::run_corner_beam(std::size_t width, const Budget& budget) {
    return implementation_->run_beam(width, Places::corners, budget);
}
bool SkylineSearch::is_out_of_memory() const {
    return implementation_->is_out_of_memory();
}
std::int64_t SkylineSearch::nodes() const {
    return implementation_->nodes();
}
std::size_t SkylineSearch::bytes() const {
    return implementation_->bytes();
}
const Layout& SkylineSearch::layout() const {
    return implementation_->layout();
}

}  // namespace tailgate::packing
