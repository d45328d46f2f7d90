#include "drop_search.hpp"

#include <algorithm>
#include <compare>

#include "failed_states.hpp"
#include "level.hpp"
#include "skyline.hpp"

namespace tailgate::packing {

namespace {

// Preparing the weighings of a level does not pay for a question that is settled at once.
constexpr std::int64_t nodes_before_weighing = 40;

constexpr std::size_t types_between_looks = 4;

// Without a memory of failed states the search is slow, without levels it cannot go on.
constexpr std::size_t min_level_bytes = std::size_t{16} << 20;

// Room for the moves of a node, so that growing does not cost more than the node itself.
constexpr std::size_t usual_moves = 32;
constexpr std::size_t usual_steps = 192;

struct Move {
    std::int32_t type = 0;   // index of Level::types
    std::int32_t level = 0;  // what remains afterwards
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
    std::int32_t level = 0;
    Skyline skyline;
    Expansion expansion;
    std::size_t next = 0;
};

// A state in the beam, with the way back to its beginning.
struct BeamState {
    std::int32_t level = 0;
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

class DropSearch::Implementation {
  public:
    Implementation(const Problem& problem, std::size_t memo_bytes)
        : problem_(problem),
          memo_bytes_(memo_bytes),
          step_score_(std::max<Area>(1, Area{problem.width} * problem.length / steps_per_floor)),
          levels_(problem, std::max(memo_bytes, min_level_bytes)),
          failed_(problem.width, problem.length, memo_bytes) {}

    Verdict run(const Budget& budget) {
        if (settled_ != Verdict::unknown || !open()) return settled_;
        return settled_ = search(budget);
    }

    // Keeps the most promising states at each depth: finds plans for full trucks that a
    // depth-first search misses, proves nothing.
    Verdict run_beam(std::size_t width, Places places, const Budget& budget) {
        if (settled_ != Verdict::unknown || !open()) return settled_;
        const std::int64_t last_node = nodes_ + budget.max_nodes;
        narrowed_ = false;
        std::vector<BeamState> history;  // all waves so far
        history.resize(1);
        history[0].level = frames_[0].level;
        history[0].skyline = frames_[0].skyline;
        std::vector<Expansion> expansions;
        std::vector<Candidate> candidates;
        for (std::size_t first = 0; first < history.size();) {
            const std::size_t end = history.size();
            if (expansions.size() < end - first) expansions.resize(end - first);
            candidates.clear();
            for (std::size_t i = first; i < end; ++i) {
                const BeamState& state = history[i];
                const Level& level = levels_[state.level];
                if (nodes_ > nodes_before_weighing && !level.weighings_hold(state.skyline))
                    continue;
                if (nodes_ >= last_node || must_stop(budget)) return Verdict::unknown;
                Expansion& expansion = expansions[i - first];
                if (!expand(state.level, state.skyline, places, expansion, budget)) {
                    return Verdict::unknown;
                }
                for (const Move& move : expansion.moves) {
                    if (levels_[move.level].is_final()) {
                        remember_plan(history, i, move);
                        return settled_ = Verdict::feasible;
                    }
                    candidates.push_back(
                        {state.lost + move.score, i, &move - expansion.moves.data()});
                }
            }
            std::sort(candidates.begin(), candidates.end());
            FailedStates seen(problem_.width, problem_.length, memo_bytes_);
            for (const Candidate& candidate : candidates) {
                const Expansion& expansion = expansions[candidate.parent - first];
                const Move& move = expansion.moves[static_cast<std::size_t>(candidate.move)];
                expansion.copy_skyline(move, after_);
                if (width > 1 && !seen.insert(move.level, after_)) continue;
                if (width > 1 && levels_.can_narrow_places(move.level) &&
                    !levels_.narrow_places(move.level, after_))
                    continue;
                const Area lost = history[candidate.parent].lost + move.lost;
                history.push_back({move.level, after_, lost, candidate.parent, move});
                if (history.size() - end == width) break;
            }
            first = end;
        }
        return Verdict::unknown;
    }

    [[nodiscard]] bool is_out_of_memory() const { return levels_.is_full(); }
    [[nodiscard]] std::int64_t nodes() const { return nodes_; }
    [[nodiscard]] std::size_t bytes() const { return levels_.bytes() + failed_.bytes(); }
    [[nodiscard]] const Layout& layout() const { return layout_; }

  private:
    Verdict search(const Budget& budget) {
        const std::int64_t last_node = nodes_ + budget.max_nodes;
        if (nodes_ >= last_node) return Verdict::unknown;
        std::size_t depth = 0;
        if (!narrow(frames_[0])) return Verdict::infeasible;
        if (!expand(frames_[0].level, frames_[0].skyline, Places::all, frames_[0].expansion,
                    budget))
            return Verdict::unknown;
        frames_[0].next = 0;
        while (true) {
            if (frames_[depth].next == frames_[depth].expansion.moves.size()) {
                failed_.insert(frames_[depth].level, frames_[depth].skyline);
                if (depth == 0) return Verdict::infeasible;
                --depth;
                continue;
            }
            if (frames_.size() <= depth + 1) frames_.resize(depth + 2);
            Frame& here = frames_[depth];
            Frame& below = frames_[depth + 1];
            const Move& move = here.expansion.moves[here.next++];
            if (levels_[move.level].is_final()) {
                remember_plan(depth);
                return Verdict::feasible;
            }
            below.level = move.level;
            here.expansion.copy_skyline(move, below.skyline);
            // Another way to the same state may have failed since the move was listed.
            if (failed_.contains(below.level, below.skyline)) continue;
            if (nodes_ > nodes_before_weighing &&
                !levels_[below.level].weighings_hold(below.skyline)) {
                failed_.insert(below.level, below.skyline);
                continue;
            }
            if (!narrow(below)) {
                failed_.insert(below.level, below.skyline);
                continue;
            }
            if (nodes_ >= last_node || must_stop(budget)) return Verdict::unknown;
            if (!expand(below.level, below.skyline, Places::all, below.expansion, budget))
                return Verdict::unknown;
            below.next = 0;
            ++depth;
        }
    }

    bool narrow(const Frame& frame) {
        narrowed_ = levels_.can_narrow_places(frame.level);
        return !narrowed_ || levels_.narrow_places(frame.level, frame.skyline);
    }

    // Puts the empty floor at the bottom of the stack; false if that settles the question.
    bool open() {
        if (frames_.empty()) frames_.resize(1);
        Frame& root = frames_[0];
        root.level = levels_.first();
        root.skyline.assign(1, Step{0, 0});
        const Level& level = levels_[root.level];
        if (level.is_final()) {
            layout_.resize(problem_.stops.size());
            settled_ = Verdict::feasible;
            return false;
        }
        level.raise_useless(root.skyline);
        if (level.usable_area(root.skyline) < level.area || !level.every_item_fits(root.skyline)) {
            settled_ = Verdict::infeasible;
            return false;
        }
        return true;
    }

    [[nodiscard]] bool must_stop(const Budget& budget) const {
        return levels_.is_full() || (budget.expired && budget.expired());
    }

    // Lists all moves from a state, the most promising first; false if time ran out meanwhile.
    bool expand(std::int32_t level, const Skyline& skyline, Places places, Expansion& expansion,
                const Budget& budget) {
        ++nodes_;
        expansion.moves.clear();
        expansion.steps.clear();
        expansion.moves.reserve(usual_moves);
        expansion.steps.reserve(usual_steps);
        const Area usable = levels_[level].usable_area(skyline);
        for (std::size_t type = 0; type < levels_[level].types.size(); ++type) {
            // On a wide floor with many kinds of items a single node can take long.
            if (type > 0 && type % types_between_looks == 0 && must_stop(budget)) return false;
            list_moves(level, skyline, usable, type, places, expansion);
        }
        std::sort(expansion.moves.begin(), expansion.moves.end(), [](const Move& a, const Move& b) {
            if (a.score != b.score) return a.score < b.score;
            if (a.position.y != b.position.y) return a.position.y < b.position.y;
            if (a.type != b.type) return a.type < b.type;
            return a.position.x < b.position.x;
        });
        return true;
    }

    void list_moves(std::int32_t level_index, const Skyline& skyline, Area usable, std::size_t type,
                    Places places, Expansion& expansion) {
        const std::int32_t next_level = levels_.next(level_index, type);
        levels_.positions(level_index, type, skyline, places, positions_);
        const Level& level = levels_[level_index];
        const Level& rest = levels_[next_level];
        const Rectangle item = level.types[type].item;
        // Only the area by columns may be compared with a hole: by rows, part of the hole may be
        // counted as lost already.
        const Area slack = level.free_area(skyline) - level.area;
        std::size_t begin = 0;
        for (const Length x : positions_) {
            if (narrowed_ && levels_.is_struck_out(type, x)) continue;
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
            if (level.is_last_stop) {
                for (Step& step : after_) step.height = std::max(step.height, y);
            }
            Move move;
            move.type = static_cast<std::int32_t>(type);
            move.level = next_level;
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
            place(frames_[i].level, frames_[i].expansion.moves[frames_[i].next - 1]);
        }
    }

    void remember_plan(const std::vector<BeamState>& history, std::size_t last, const Move& move) {
        clear_plan();
        place(history[last].level, move);
        for (; last > 0; last = history[last].parent) {
            place(history[history[last].parent].level, history[last].move);
        }
    }

    void clear_plan() {
        layout_.assign(problem_.stops.size(), {});
        for (std::size_t stop = 0; stop < problem_.stops.size(); ++stop) {
            layout_[stop].assign(problem_.stops[stop].size(), Position{-1, -1});
        }
    }

    // Gives the position to an item of this kind that has none yet.
    void place(std::int32_t level_index, const Move& move) {
        const Level& level = levels_[level_index];
        const auto& items = problem_.stops[static_cast<std::size_t>(level.stop)];
        auto& positions = layout_[static_cast<std::size_t>(level.stop)];
        const Rectangle item = level.types[static_cast<std::size_t>(move.type)].item;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (positions[i].x >= 0 || !(items[i] == item)) continue;
            positions[i] = move.position;
            return;
        }
    }

    Problem problem_;
    std::size_t memo_bytes_;
    Area step_score_;
    Levels levels_;
    FailedStates failed_;
    std::vector<Frame> frames_;
    std::int64_t nodes_ = 0;
    bool narrowed_ = false;  // Levels::is_struck_out holds for the node that is expanded
    Verdict settled_ = Verdict::unknown;
    Layout layout_;
    std::vector<Length> positions_;
    Skyline after_;
};

DropSearch::DropSearch(const Problem& problem, std::size_t memo_bytes)
    : implementation_(std::make_unique<Implementation>(problem, memo_bytes)) {}
DropSearch::~DropSearch() = default;
DropSearch::DropSearch(DropSearch&&) noexcept = default;
DropSearch& DropSearch::operator=(DropSearch&&) noexcept = default;
Verdict DropSearch::run(const Budget& budget) {
    return implementation_->run(budget);
}
Verdict DropSearch::run_beam(std::size_t width, const Budget& budget) {
    return implementation_->run_beam(width, Places::all, budget);
}
Verdict DropSearch::run_corner_beam(std::size_t width, const Budget& budget) {
    return implementation_->run_beam(width, Places::corners, budget);
}
bool DropSearch::is_out_of_memory() const {
    return implementation_->is_out_of_memory();
}
std::int64_t DropSearch::nodes() const {
    return implementation_->nodes();
}
std::size_t DropSearch::bytes() const {
    return implementation_->bytes();
}
const Layout& DropSearch::layout() const {
    return implementation_->layout();
}

}  // namespace tailgate::packing
