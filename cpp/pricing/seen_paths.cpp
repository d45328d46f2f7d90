#include "seen_paths.hpp"

#include <algorithm>
#include <random>

namespace tailgate::pricing {

SeenPaths::SeenPaths(std::size_t nodes) : keys_(nodes), customers_(nodes / 64 + 1, 0) {
    std::mt19937_64 random(2);
    for (std::uint64_t& key : keys_) key = random();
}

void SeenPaths::clear(const SubsetRows& rows, const Timetable* timetable, WaitingRates rates) {
    rows_ = &rows;
    timetable_ = timetable;
    rates_ = rates;
    std::fill(customers_.begin(), customers_.end(), 0);
    key_ = 0;
    // Nothing of this is small: the memory is given back.
    entries_ = {};
    sets_ = {};
    halves_ = {};
    timings_ = {};
    first_ = {};
}

void SeenPaths::push(Node customer) {
    const auto node = to_index(customer);
    customers_[node / 64] ^= std::uint64_t{1} << node % 64;
    key_ ^= keys_[node];
}

bool SeenPaths::is_known(Node last, const Merits& merits) {
    const std::size_t words = rows_->words();
    const std::size_t size = customers_.size() + 1;
    const auto last_word = static_cast<std::uint64_t>(last);
    const std::uint64_t key = key_ * 0x9E3779B97F4A7C15ULL + last_word;
    const auto found = first_.find(key);
    const std::int32_t newest = found == first_.end() ? -1 : found->second;
    for (std::int32_t at = newest; at >= 0;) {
        const auto index = to_index(at);
        const Entry& entry = entries_[index];
        at = entry.next;
        if (entry.cost > merits.cost || entry.reduced_cost > merits.reduced_cost ||
            entry.departure > merits.departure)
            continue;
        Money advantage = merits.reduced_cost - entry.reduced_cost;
        if (timetable_ != nullptr) {
            const Timing& timing = timings_[index];
            if (!timetable_->is_no_tighter(timing, merits.timing) ||
                Timetable::advantage(entry.cost, timing, merits.cost, merits.timing,
                                     rates_.true_cost) < 0)
                continue;
            advantage = Timetable::advantage(entry.reduced_cost, timing, merits.reduced_cost,
                                             merits.timing, rates_.reduced);
            if (advantage < 0) continue;
        }
        const std::uint64_t* set = &sets_[index * size];
        if (set[size - 1] != last_word || !std::equal(customers_.begin(), customers_.end(), set))
            continue;
        if (words == 0 ||
            rows_->first_only(&halves_[index * words], merits.halves, advantage) <= advantage)
            return true;
    }
    if (entries_.size() == max_entries) return false;
    first_[key] = static_cast<std::int32_t>(entries_.size());
    entries_.push_back({merits.reduced_cost, merits.cost, merits.departure, newest});
    sets_.insert(sets_.end(), customers_.begin(), customers_.end());
    sets_.push_back(last_word);
    halves_.insert(halves_.end(), merits.halves, merits.halves + words);
    if (timetable_ != nullptr) timings_.push_back(merits.timing);
    return false;
}

}  // namespace tailgate::pricing
