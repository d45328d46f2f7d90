#include "drop_search.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>

#include "failed_states.hpp"
#include "level.hpp"
#include "skyline.hpp"

namespace tailgate::packing {

namespace {

struct Child {
    std::int32_t type = 0;  // which kind of item of the current stop
    Position position;
    Area lost = 0;  // floor that became useless by this move
    Length top = 0;
    std::int32_t level = 0;
    std::uint32_t first_step = 0;  // its skyline in Frame::steps
    std::uint32_t step_count = 0;
};

struct Frame {
    std::int32_t level = 0;
    Skyline skyline;
    Area usable = 0;
    std::vector<Child> children;
    std::vector<Step> steps;
    std::size_t next = 0;
};

}  // namespace

class DropSearch::Implementation {
  public:
    Implementation(const Problem& problem, std::size_t memo_bytes)
        : problem_(problem), levels_(problem), failed_(problem.width, memo_bytes) {}

    Verdict run(const Budget& budget) {
        if (settled_ != Verdict::unknown) return settled_;
        const std::int64_t last_node = nodes_ + budget.max_nodes;
        depth_ = 0;
        if (!open_root()) return settled_ = Verdict::infeasible;
        if (levels_[frames_[0].level].is_final()) return settled_ = Verdict::feasible;
        expand(frames_[0]);
        while (true) {
            Frame& frame = frames_[depth_];
            if (frame.next == frame.children.size()) {
                failed_.insert(frame.level, frame.skyline);
                if (depth_ == 0) return settled_ = Verdict::infeasible;
                --depth_;
                continue;
            }
            const Child& child = frame.children[frame.next++];
            if (levels_[child.level].is_final()) return settled_ = Verdict::feasible;
            Frame& below = frame_at(depth_ + 1);
            const Frame& here = frames_[depth_];
            const Child& move = here.children[here.next - 1];
            below.level = move.level;
            below.skyline.assign(here.steps.begin() + move.first_step,
                                 here.steps.begin() + move.first_step + move.step_count);
            // A sibling's subtree may have shown meanwhile that this one is hopeless.
            if (failed_.contains(below.level, below.skyline)) continue;
            below.usable = usable_area(below.level, below.skyline);
            static long long tried=0,cut=0;
            if (getenv("WEIGH")) { tried++;
            if (!levels_[below.level].passes_weighings(below.skyline, problem_.width, problem_.length)) { failed_.insert(below.level, below.skyline); cut++; continue; }
            if (tried%10000000==0) fprintf(stderr,"weigh %lld cut %lld\n",tried,cut); }
            if (nodes_ >= last_node) return Verdict::unknown;
            if ((nodes_ & 63) == 0 && budget.expired && budget.expired()) return Verdict::unknown;
            ++depth_;
            expand(frames_[depth_]);
        }
    }

    std::int64_t nodes() const { return nodes_; }

    Layout layout() const {
        Layout layout(problem_.stops.size());
        std::vector<std::vector<bool>> used(problem_.stops.size());
        for (std::size_t stop = 0; stop < problem_.stops.size(); ++stop) {
            layout[stop].resize(problem_.stops[stop].size());
            used[stop].resize(problem_.stops[stop].size());
        }
        for (std::size_t depth = 0; depth <= depth_ && !frames_.empty(); ++depth) {
            const Frame& frame = frames_[depth];
            if (frame.next == 0) continue;
            const Child& move = frame.children[frame.next - 1];
            const Level& level = levels_[frame.level];
            const auto stop = static_cast<std::size_t>(level.stop);
            const Rectangle item = level.types[static_cast<std::size_t>(move.type)].item;
            for (std::size_t i = 0; i < problem_.stops[stop].size(); ++i) {
                if (used[stop][i] || !(problem_.stops[stop][i] == item)) continue;
                used[stop][i] = true;
                layout[stop][i] = move.position;
                break;
            }
        }
        return layout;
    }

  private:
    Frame& frame_at(std::size_t depth) {
        if (frames_.size() <= depth) frames_.resize(depth + 1);
        return frames_[depth];
    }

    bool open_root() {
        Frame& root = frame_at(0);
        root.level = levels_.first();
        root.skyline.assign(1, Step{0, 0});
        if (levels_[root.level].is_final()) return true;
        raise_useless(root.level, root.skyline);
        root.usable = usable_area(root.level, root.skyline);
        return root.usable >= levels_[root.level].area && fits(root.level, root.skyline) &&
               !failed_.contains(root.level, root.skyline);
    }

    Area usable_area(std::int32_t level_index, const Skyline& skyline) const {
        return levels_[level_index].usable_area(skyline, problem_.width, problem_.length);
    }
    void raise_useless(std::int32_t level_index, Skyline& skyline) const {
        levels_[level_index].raise_useless(skyline, problem_.width, problem_.length);
    }
    bool fits(std::int32_t level_index, const Skyline& skyline) const {
        return levels_[level_index].every_item_fits(skyline, problem_.width, problem_.length);
    }

    void expand(Frame& frame) {
        ++nodes_;
        frame.children.clear();
        frame.steps.clear();
        frame.next = 0;
        const std::size_t type_count = levels_[frame.level].types.size();
        for (std::size_t type = 0; type < type_count; ++type) expand_type(frame, type);
        std::sort(frame.children.begin(), frame.children.end(), [](const Child& a, const Child& b) {
            if (a.lost != b.lost) return a.lost < b.lost;
            if (a.top != b.top) return a.top < b.top;
            if (a.type != b.type) return a.type < b.type;
            return a.position.x < b.position.x;
        });
    }

    void expand_type(Frame& frame, std::size_t type) {
        const Rectangle item = levels_[frame.level].types[type].item;
        const std::int32_t child_level = levels_.next(frame.level, type);
        levels_.positions(frame.level, type, frame.skyline, positions_);
        const Area slack = frame.usable - levels_[frame.level].area;
        const Skyline& skyline = frame.skyline;
        std::size_t begin = 0;
        for (const Length x : positions_) {
            while (begin + 1 < skyline.size() && skyline[begin + 1].x <= x) ++begin;
            Length y = 0;
            const Length right = x + item.width;
            std::size_t end = begin;
            for (; end < skyline.size() && skyline[end].x < right; ++end) y = std::max(y, skyline[end].height);
            if (y + item.length > problem_.length) continue;
            Area hole = 0;
            for (std::size_t i = begin; i < end; ++i) {
                const Length from = std::max(skyline[i].x, x);
                const Length to = i + 1 < skyline.size() ? std::min(skyline[i + 1].x, right) : right;
                hole += Area{to - from} * (y - skyline[i].height);
            }
            if (hole > slack) continue;
            drop(skyline, begin, end, x, right, y + item.length, scratch_);
            const bool final = levels_[child_level].is_final();
            Area lost = 0;
            if (!final) {
                raise_useless(child_level, scratch_);
                const Area usable = usable_area(child_level, scratch_);
                lost = frame.usable - item.area() - usable;
                if (usable < levels_[child_level].area || !fits(child_level, scratch_)) continue;
                if (failed_.contains(child_level, scratch_)) continue;
            }
            Child child;
            child.type = static_cast<std::int32_t>(type);
            child.position = {x, y};
            child.lost = lost;
            child.top = y + item.length;
            child.level = child_level;
            child.first_step = static_cast<std::uint32_t>(frame.steps.size());
            child.step_count = static_cast<std::uint32_t>(scratch_.size());
            frame.steps.insert(frame.steps.end(), scratch_.begin(), scratch_.end());
            frame.children.push_back(child);
            if (final) return;
        }
    }

    void drop(const Skyline& skyline, std::size_t begin, std::size_t end, Length left, Length right,
              Length top, Skyline& result) const {
        result.assign(skyline.begin(), skyline.begin() + static_cast<std::ptrdiff_t>(begin));
        if (skyline[begin].x < left) result.push_back(skyline[begin]);
        result.push_back({left, top});
        const Length covered_to = end < skyline.size() ? skyline[end].x : problem_.width;
        if (right < covered_to) result.push_back({right, skyline[end - 1].height});
        result.insert(result.end(), skyline.begin() + static_cast<std::ptrdiff_t>(end), skyline.end());
    }

    Problem problem_;
    Levels levels_;
    FailedStates failed_;
    std::vector<Frame> frames_;
    std::size_t depth_ = 0;
    std::int64_t nodes_ = 0;
    Verdict settled_ = Verdict::unknown;
    std::vector<Length> positions_;
    Skyline scratch_;
};

DropSearch::DropSearch(const Problem& problem, std::size_t memo_bytes)
    : implementation_(std::make_unique<Implementation>(problem, memo_bytes)) {}
DropSearch::~DropSearch() = default;
DropSearch::DropSearch(DropSearch&&) noexcept = default;
DropSearch& DropSearch::operator=(DropSearch&&) noexcept = default;
Verdict DropSearch::run(const Budget& budget) { return implementation_->run(budget); }
std::int64_t DropSearch::nodes() const { return implementation_->nodes(); }
Layout DropSearch::layout() const { return implementation_->layout(); }

}  // namespace tailgate::packing
