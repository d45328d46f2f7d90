// Paths that have been seen, for searches in which the order of the customers does not matter to
// what may follow but by time and distance: of two paths to the same customer over the same others,
// one that is better in all respects will do.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "route_data.hpp"
#include "subset_rows.hpp"
#include "timetable.hpp"

namespace tailgate::pricing {

// What waiting for a unit of time costs, in the fixed point of either cost.
struct WaitingRates {
    double reduced = 0.0;
    double true_cost = 0.0;
};

class SeenPaths {
  public:
    explicit SeenPaths(std::size_t nodes);

    // With a timetable, whose limits count, merits have timings.
    void clear(const SubsetRows& rows, const Timetable* timetable = nullptr,
               WaitingRates rates = {});

    // The customers of the path at hand, in whatever order they were added.
    void push(Node customer);
    void pop(Node customer) {
        push(customer);  // the other way round is the same
    }

    struct Merits {
        Money reduced_cost = 0;
        Money cost = 0;
        double departure = 0.0;
        const SubsetRows::Word* halves = nullptr;  // of subset rows, that the path carries
        Timing timing;                             // costs include its waiting
    };
    // Is a path that was seen before at least as good as this one in all respects? If not, this
    // one is noted.
    bool is_known(Node last, const Merits& merits);

  private:
    // Beyond, nothing more is noted: the search goes on with less help.
    static constexpr std::size_t max_entries = 4'000'000;

    struct Entry {
        Money reduced_cost = 0;
        Money cost = 0;
        double departure = 0.0;
        std::int32_t next = -1;  // another one with the same key
    };
    std::vector<std::uint64_t> keys_;       // by node
    std::vector<std::uint64_t> customers_;  // as a set of bits
    std::uint64_t key_ = 0;
    std::vector<Entry> entries_;
    std::vector<std::uint64_t> sets_;  // by entry: the customers, and the last one
    std::vector<SubsetRows::Word> halves_;
    std::unordered_map<std::uint64_t, std::int32_t> first_;
    std::vector<Timing> timings_;  // by entry, if they count
    const SubsetRows* rows_ = nullptr;
    const Timetable* timetable_ = nullptr;
    WaitingRates rates_;
};

}  // namespace tailgate::pricing
