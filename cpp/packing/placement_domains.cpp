#include "placement_domains.hpp"

#include <algorithm>
#include <bit>

#include "bit_range.hpp"

namespace tailgate::packing {

void PlacementDomains::read(const Skyline& skyline) {
    layers_.clear();
    free_.resize(to_index(width_));
    for (std::size_t i = 0; i < skyline.size(); ++i) {
        const Length right = i + 1 < skyline.size() ? skyline[i + 1].x : width_;
        const Length height = skyline[i].height;
        for (Length x = skyline[i].x; x < right; ++x) free_[to_index(x)] = length_ - height;
        std::size_t k = layers_.size();
        while (k > 0 && layers_[k - 1].height > height) --k;
        const Columns columns = range(skyline[i].x, right);
        if (k > 0 && layers_[k - 1].height == height) {
            layers_[k - 1].columns |= columns;
        } else {
            layers_.insert(layers_.begin() + static_cast<std::ptrdiff_t>(k), {height, columns});
        }
    }
    for (std::size_t k = 1; k < layers_.size(); ++k) layers_[k].columns |= layers_[k - 1].columns;
}

bool PlacementDomains::place_alone(const RemainingKind& outside, State& state) {
    const Rectangle item = outside.item;
    state = {item.width, item.length, outside.stop, outside.count, 0,   0,
             0,          0,           length_,      runs_.size(),  true};
    for (const Layer& layer : layers_) {
        if (layer.height + item.length > length_) break;
        runs_.push_back(starts_of_runs(layer.columns, item.width));
        if (state.places == 0) state.low = layer.height;
        state.places = runs_.back();
    }
    if (state.places == 0) return false;
    state.leftmost = std::countr_zero(state.places);
    state.rightmost = word_bits - 1 - std::countl_zero(state.places);
    return true;
}

Columns PlacementDomains::places_up_to(const State& state, Length height) const {
    Columns places = 0;
    const Columns* run = runs_.data() + state.first_run;
    for (const Layer& layer : layers_) {
        if (layer.height > height) break;
        places = *run++;
    }
    return places;
}

// Leaves the item only these places; false if there are none.
bool PlacementDomains::keep(State& state, Columns places) const {
    if ((state.places & ~places) == 0) return true;
    state.places &= places;
    if (state.places == 0) return false;
    state.leftmost = std::countr_zero(state.places);
    state.rightmost = word_bits - 1 - std::countl_zero(state.places);
    state.changed = true;
    const Columns* run = runs_.data() + state.first_run;
    for (const Layer& layer : layers_) {
        if ((*run++ & state.places) == 0) continue;
        state.low = std::max(state.low, layer.height);
        break;
    }
    return state.low + state.length <= state.high;
}

bool PlacementDomains::stand_behind(State& near_cab, State& near_door) const {
    const Length low = near_cab.low + near_cab.length;
    if (low > near_door.low) {
        near_door.low = low;
        near_door.changed = true;
        if (low + near_door.length > near_door.high) return false;
    }
    const Length high = near_door.high - near_door.length;
    if (high >= near_cab.high) return true;
    near_cab.high = high;
    near_cab.changed = true;
    return near_cab.low + near_cab.length <= high &&
           keep(near_cab, places_up_to(near_cab, high - near_cab.length));
}

// Strikes out the places of `item` that leave `other` none.
bool PlacementDomains::compare(State& item, State& other) const {
    // Here the item shares a column with every place of the other.
    const Columns in_the_way = item.places & range(std::max(0, other.rightmost - item.width + 1),
                                                   other.leftmost + other.width);
    if (in_the_way == 0) return true;
    const Length both = item.length + other.length;
    const bool never_beside = in_the_way == item.places;
    const bool behind = other.stop <= item.stop && other.low + both <= item.high;
    bool before = other.stop >= item.stop && item.low + both <= other.high;
    if (!behind) {
        const Columns stacked = before ? places_up_to(item, other.high - both) : 0;
        if (!keep(item, ~in_the_way | stacked)) return false;
    }
    if (!never_beside || behind == before) return true;
    return behind ? stand_behind(other, item) : stand_behind(item, other);
}

bool PlacementDomains::compare_pairs() {
    for (bool again = true; again;) {
        again = false;
        for (State& other : states_) {
            if (!other.changed) continue;
            other.changed = false;
            again = true;
            for (State& item : states_) {
                if (&item == &other && item.count < 2) continue;
                if (!compare(item, other)) return false;
            }
        }
    }
    return true;
}

bool PlacementDomains::reserve_columns() {
    reserved_.assign(to_index(width_), 0);
    Columns touched = 0;
    for (const State& state : states_) {
        const Length end = state.leftmost + state.width;
        for (Length x = state.rightmost; x < end; ++x)
            reserved_[to_index(x)] += state.length * state.count;
        touched |= range(state.rightmost, end);
    }
    for (State& state : states_) {
        const Columns own = range(state.rightmost, state.leftmost + state.width);
        Columns full = 0;
        for (Columns rest = touched; rest != 0; rest &= rest - 1) {
            const auto x = to_index(std::countr_zero(rest));
            const Length needed = reserved_[x] + (((own >> x) & 1U) != 0 ? 0 : state.length);
            if (needed > free_[x]) full |= Columns{1} << x;
        }
        if (full != 0 && !keep(state, starts_of_runs(~full, state.width))) return false;
    }
    return true;
}

bool PlacementDomains::narrow(std::span<const RemainingKind> items, const Skyline& skyline) {
    read(skyline);
    runs_.clear();
    states_.resize(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!place_alone(items[i], states_[i])) return false;
    }
    const auto any_changed = [this] {
        return std::any_of(states_.begin(), states_.end(),
                           [](const State& state) { return state.changed; });
    };
    while (any_changed()) {
        if (!compare_pairs() || !reserve_columns()) return false;
    }
    return true;
}

}  // namespace tailgate::packing
