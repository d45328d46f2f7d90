#include "corner_filling_search.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>
#include <utility>

#include "bit_range.hpp"

namespace tailgate::packing {

namespace {

constexpr Length max_side = word_bits - 1;
constexpr std::size_t max_items = word_bits;
constexpr std::size_t nobody = max_items;
constexpr std::int64_t least_kept_nodes = 64;     // below a skyline that is worth its memory
constexpr std::int64_t nodes_between_looks = 64;  // at the clock

std::size_t take_first(std::uint64_t& set) {
    const auto first = to_index(std::countr_zero(set));
    set &= set - 1;
    return first;
}

std::size_t at(Length column) {
    return to_index(column);
}

}  // namespace

bool CornerFillingSearch::can_search(const Problem& problem) {
    return std::max(problem.width, problem.length) <= max_side &&
           problem.count_shapes() <= max_items && problem.stops.size() <= max_items &&
           !problem.has_oversized_item();
}

CornerFillingSearch::CornerFillingSearch(const Problem& problem, std::size_t memo_bytes)
    : width_(problem.width),
      length_(problem.length),
      stop_count_(problem.stops.size()),
      may_stay_empty_(Area{problem.width} * problem.length),
      half_memo_bytes_(memo_bytes / 2),
      failed_(half_memo_bytes_),
      failed_before_(0),
      key_(sizeof(Bits) + 3 * at(problem.width) + KeySet::word) {
    for (std::size_t stop = 0; stop < problem.stops.size(); ++stop) {
        const auto& own = problem.stops[stop];
        stop_sizes_.push_back(own.size());
        for (std::size_t i = 0; i < own.size(); ++i) {
            const Shapes shapes = problem.shapes(stop, i);
            may_stay_empty_ -= shapes.least_area();
            const auto list = [&](const Rectangle& shape, const Rectangle& other) {
                items_.push_back({shape.width, shape.length, static_cast<Height>(stop), i, other,
                                  !(shape == own[i]), 0, 0});
            };
            list(shapes.one, shapes.other);
            if (shapes.is_free()) list(shapes.other, shapes.one);
        }
    }
    // Large items are tried first.
    std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
        return std::tuple(-a.width * a.length, a.width, a.stop, a.index) <
               std::tuple(-b.width * b.length, b.width, b.stop, b.index);
    });
    for (std::size_t i = 0; i < items_.size(); ++i) {
        Bits alike = 0;
        items_[i].same_item = bit(i);
        for (std::size_t j = 0; j < items_.size(); ++j) {
            const Item &one = items_[i], &other = items_[j];
            if (i == j || one.stop != other.stop) continue;
            if (one.index == other.index)
                items_[i].same_item |= bit(j);
            else if (one.width == other.width && one.length == other.length &&
                     one.other == other.other)
                alike |= bit(j);
        }
        items_[i].equals_before = alike & (bit(i) - 1);
        if (alike == 0 && on_the_left_ == 0) on_the_left_ = items_[i].same_item;
        if ((items_[i].same_item & (bit(i) - 1)) == 0) first_shapes_ |= bit(i);
    }
}

Verdict CornerFillingSearch::run(const Budget& budget) {
    if (verdict_ != Verdict::unknown) return verdict_;
    if (!started_) {
        started_ = true;
        Skyline skyline;
        skyline.waiting = range(0, static_cast<Length>(items_.size()));
        descend(skyline, 1, nobody, {});
    }
    const std::int64_t last = nodes_ + budget.max_nodes;
    while (verdict_ == Verdict::unknown) {
        if (path_.empty()) {
            verdict_ = Verdict::infeasible;
            break;
        }
        if (nodes_ >= last) break;
        if (nodes_ % nodes_between_looks == 0 && budget.expired && budget.expired()) break;
        Node& node = path_.back();
        const Valley& valley = node.corner.valley;
        if (node.corner.fitting != 0) {
            const std::size_t chosen = take_first(node.corner.fitting);
            const Item& item = items_[chosen];
            const Length x = node.corner.at_end ? valley.end - item.width : valley.begin;
            Skyline next = node.skyline;
            for (Length column = x; column < x + item.width; ++column) {
                next.heights[at(column)] = static_cast<Height>(valley.height + item.length);
                next.stops[at(column)] = item.stop;
            }
            next.waiting &= ~item.same_item;
            next.empty += item.area() - item.least_area();
            descend(next, node.share, chosen, {x, valley.height});
        } else if (node.may_stay_empty) {
            node.may_stay_empty = false;
            Length begin = valley.begin, end = valley.end;
            if (!node.corner.whole_valley) {
                if (node.corner.at_end)
                    begin = end - 1;
                else
                    end = begin + 1;
            }
            Skyline next = node.skyline;
            for (Length column = begin; column < end; ++column)
                next.heights[at(column)] =
                    static_cast<Height>(valley.height + node.corner.given_up);
            next.empty += Area{node.corner.given_up} * (end - begin);
            descend(next, node.share, nobody, {});
        } else {
            if (nodes_ - node.begun_at >= least_kept_nodes) keep_failed(node.skyline);
            path_.pop_back();
        }
    }
    return verdict_;
}

// Goes on from a skyline, unless nothing can come of it.
void CornerFillingSearch::descend(Skyline skyline, double share, std::size_t item,
                                  Position position) {
    ++nodes_;
    Node node;
    node.item = item;
    node.position = position;
    if (skyline.waiting == 0) {
        path_.push_back(node);
        keep_layout();
        verdict_ = Verdict::feasible;
        return;
    }
    if (!choose_corner(skyline, node.corner) || !leaves_room(skyline) || has_failed(skyline)) {
        progress_ += share;
        return;
    }
    const Corner& corner = node.corner;
    const Length columns = corner.whole_valley ? corner.valley.end - corner.valley.begin : 1;
    node.may_stay_empty = skyline.empty + Area{corner.given_up} * columns <= may_stay_empty_;
    node.share = share / (std::popcount(corner.fitting) + (node.may_stay_empty ? 1 : 0));
    node.skyline = skyline;
    node.begun_at = nodes_;
    path_.push_back(node);
}

// Gives up valleys that nobody fits into, and chooses the corner with the fewest possibilities.
// False: too much stays empty, or a corner can be neither filled nor left empty.
bool CornerFillingSearch::choose_corner(Skyline& skyline, Corner& best) const {
    bool changed = true;
    int fewest = 0;
    while (changed) {
        changed = false;
        fewest = static_cast<int>(max_items) + 2;
        for (Length begin = 0, end = 0; begin < width_; begin = end) {
            const Length height = skyline.heights[at(begin)];
            while (end < width_ && skyline.heights[at(end)] == height) ++end;
            const Length before = begin > 0 ? skyline.heights[at(begin - 1)] : length_;
            const Length after = end < width_ ? skyline.heights[at(end)] : length_;
            if (height >= std::min(before, after)) continue;
            const Valley valley{begin, end, height, std::min(before, after)};
            const Bits fitting = fitting_into(skyline, valley);
            if (fitting == 0) {
                skyline.empty += Area{valley.lower_side - height} * (end - begin);
                if (skyline.empty > may_stay_empty_) return false;
                for (Length column = begin; column < end; ++column)
                    skyline.heights[at(column)] = static_cast<Height>(valley.lower_side);
                changed = true;
                break;
            }
            Bits at_begin = 0, at_end = 0;
            Length shortest = length_ + 1;  // that leaves a column free
            for (Bits rest = fitting; rest != 0;) {
                const std::size_t index = take_first(rest);
                const Item& item = items_[index];
                if (item.width < end - begin) shortest = std::min(shortest, item.length);
                if ((item.equals_before & skyline.waiting) != 0) continue;
                const bool is_free = (on_the_left_ & bit(index)) == 0;
                if (fits(skyline, item, begin, height) &&
                    (is_free || 2 * begin <= width_ - item.width))
                    at_begin |= bit(index);
                if (fits(skyline, item, end - item.width, height) &&
                    (is_free || 2 * (end - item.width) <= width_ - item.width))
                    at_end |= bit(index);
            }
            const bool whole = shortest > length_;
            const Length given_up = std::min(valley.lower_side - height, shortest);
            const Area empty = Area{given_up} * (whole ? end - begin : 1);
            const int stays_empty = skyline.empty + empty <= may_stay_empty_ ? 1 : 0;
            for (const bool last : {false, true}) {
                const Bits choice = last ? at_end : at_begin;
                const int count = std::popcount(choice) + stays_empty;
                if (count >= fewest) continue;
                fewest = count;
                best = {valley, last, choice, given_up, whole};
            }
            if (fewest == 0) return false;
        }
    }
    return fewest <= static_cast<int>(max_items) + 1;  // otherwise the floor is full
}

bool CornerFillingSearch::fits(const Skyline& skyline, const Item& item, Length x, Length y) const {
    if (y + item.length > length_) return false;
    for (Length column = x; column < x + item.width; ++column) {
        if (skyline.stops[at(column)] > item.stop) return false;
    }
    return true;
}

// Items that can stand somewhere on the ground of a valley.
CornerFillingSearch::Bits CornerFillingSearch::fitting_into(const Skyline& skyline,
                                                            const Valley& valley) const {
    Bits fitting = 0;
    for (Bits rest = skyline.waiting; rest != 0;) {
        const std::size_t index = take_first(rest);
        const Item& item = items_[index];
        if (item.width > valley.end - valley.begin || valley.height + item.length > length_)
            continue;
        Length room = 0;
        for (Length column = valley.begin; column < valley.end && room < item.width; ++column)
            room = skyline.stops[at(column)] <= item.stop ? room + 1 : 0;
        if (room >= item.width) fitting |= bit(index);
    }
    return fitting;
}

bool CornerFillingSearch::leaves_room(const Skyline& skyline) const {
    return stops_find_room(skyline) && columns_can_be_filled(skyline) &&
           items_find_windows(skyline);
}

// What is loaded up to some stop can only stand in columns where no later stop stands.
bool CornerFillingSearch::stops_find_room(const Skyline& skyline) const {
    std::array<Area, max_items> spare{};
    for (Length column = 0; column < width_; ++column)
        spare[at(skyline.stops[at(column)])] += length_ - skyline.heights[at(column)];
    for (Bits rest = waiting_items(skyline); rest != 0;) {
        const Item& item = items_[take_first(rest)];
        spare[at(item.stop)] -= item.least_area();
    }
    Area sum = 0;
    for (std::size_t stop = 0; stop < stop_count_; ++stop) {
        sum += spare[stop];
        if (sum < 0) return false;
    }
    return true;
}

// Every item needs as many columns side by side as it is wide, with room for its length and nothing
// in them that is loaded later.
bool CornerFillingSearch::items_find_windows(const Skyline& skyline) const {
    std::array<Bits, max_items> by_stop;
    std::array<Bits, max_side + 1> by_length;
    Bits stops_seen = 0, lengths_seen = 0, without_window = 0;
    for (Bits rest = skyline.waiting; rest != 0;) {
        const std::size_t index = take_first(rest);
        const Item& item = items_[index];
        const std::size_t stop = at(item.stop), length = at(item.length);
        if ((stops_seen & bit(stop)) == 0) {
            stops_seen |= bit(stop);
            by_stop[stop] = 0;
            for (Length column = 0; column < width_; ++column)
                by_stop[stop] |= Bits{skyline.stops[at(column)] <= item.stop} << column;
        }
        if ((lengths_seen & bit(length)) == 0) {
            lengths_seen |= bit(length);
            by_length[length] = 0;
            for (Length column = 0; column < width_; ++column)
                by_length[length] |= Bits{skyline.heights[at(column)] + item.length <= length_}
                                     << column;
        }
        if (starts_of_runs(by_stop[stop] & by_length[length], item.width) != 0) continue;
        without_window |= bit(index);
        if ((item.same_item & ~without_window) == 0) return false;
    }
    return true;
}

// No column is filled better than by a total of lengths of items that may still stand in it.
bool CornerFillingSearch::columns_can_be_filled(const Skyline& skyline) const {
    std::array<Bits, max_items> totals;
    Bits of_later = 1;
    std::array<Bits, max_items> by_stop{};
    for (Bits rest = waiting_items(skyline); rest != 0;) {
        const std::size_t index = take_first(rest);
        by_stop[at(items_[index].stop)] |= bit(index);
    }
    for (std::size_t stop = stop_count_; stop-- > 0;) {
        for (Bits rest = by_stop[stop]; rest != 0;) {
            const Item& item = items_[take_first(rest)];
            const Bits without = of_later;
            of_later |= without << item.length;
            if (item.other.width > 0) of_later |= without << item.other.length;
        }
        totals[stop] = of_later;
    }
    Area empty = skyline.empty;
    for (Length column = 0; column < width_; ++column) {
        const Length room = length_ - skyline.heights[at(column)];
        const Bits reached = totals[at(skyline.stops[at(column)])] & range(0, room + 1);
        empty += room - (word_bits - 1 - std::countl_zero(reached));
        if (empty > may_stay_empty_) return false;
    }
    return true;
}

// The same for skylines of which the same can come.
KeySet::Key CornerFillingSearch::key_of(const Skyline& skyline) {
    // All that matters of a column is the first stop among those that wait that it still takes.
    std::array<std::uint8_t, max_items> takes{};
    std::array<bool, max_items> waits{};
    for (Bits rest = skyline.waiting; rest != 0;) waits[at(items_[take_first(rest)].stop)] = true;
    auto next = static_cast<std::uint8_t>(stop_count_);
    for (std::size_t stop = stop_count_; stop-- > 0;) {
        if (waits[stop]) next = static_cast<std::uint8_t>(stop);
        takes[stop] = next;
    }
    const auto column_at = [&](Length column) {
        const Height height = skyline.heights[at(column)];
        const std::uint8_t first = height < length_ ? takes[at(skyline.stops[at(column)])] : 0;
        return std::pair(static_cast<std::uint8_t>(height), first);
    };
    const bool is_mirrored = [&] {
        if ((skyline.waiting & on_the_left_) != 0) return false;
        for (Length left = 0, right = width_ - 1; left < right; ++left, --right) {
            const auto one = column_at(left), other = column_at(right);
            if (one != other) return other < one;
        }
        return false;
    }();
    std::memcpy(key_.data(), &skyline.waiting, sizeof(Bits));
    std::uint8_t* end = key_.data() + sizeof(Bits);
    for (Length column = 0; column < width_;) {
        const auto run = column_at(is_mirrored ? width_ - 1 - column : column);
        while (column < width_ && column_at(is_mirrored ? width_ - 1 - column : column) == run)
            ++column;
        *end++ = run.first;
        *end++ = run.second;
        *end++ = static_cast<std::uint8_t>(column);
    }
    while (to_index(end - key_.data()) % KeySet::word != 0) *end++ = 0;
    return {key_.data(), end};
}

bool CornerFillingSearch::has_failed(const Skyline& skyline) {
    if (failed_.empty() && failed_before_.empty()) return false;
    const KeySet::Key key = key_of(skyline);
    return failed_.contains(key) || failed_before_.contains(key);
}

void CornerFillingSearch::keep_failed(const Skyline& skyline) {
    const KeySet::Key key = key_of(skyline);
    failed_.insert(key);
    if (!failed_.is_full()) return;
    failed_before_ = std::exchange(failed_, KeySet(half_memo_bytes_));
    failed_.insert(key);
}

void CornerFillingSearch::keep_layout() {
    layout_.clear();
    for (const std::size_t size : stop_sizes_) layout_.emplace_back(size);
    for (const Node& node : path_) {
        if (node.item == nobody) continue;
        const Item& item = items_[node.item];
        layout_[at(item.stop)][item.index] = {node.position.x, node.position.y, item.turned};
    }
}

}  // namespace tailgate::packing
