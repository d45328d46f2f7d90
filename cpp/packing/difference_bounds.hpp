// Least differences between coordinates, which follow from each other: the longest paths in a graph
// that gets an edge at a time, in 64 bits. No grid, so that the unit of length does not matter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "problem.hpp"

namespace tailgate::packing {

// Coordinates are numbered from 1; 0 is the wall at zero.
class DifferenceBounds {
  public:
    explicit DifferenceBounds(std::size_t coordinates)
        : nodes_(coordinates + 1), least_(nodes_ * nodes_, unbounded) {
        for (std::size_t i = 0; i < nodes_; ++i) least_[i * nodes_ + i] = 0;
    }

    // What `to` exceeds `from` by at least; unbounded if nothing is known.
    [[nodiscard]] std::int64_t least(std::size_t from, std::size_t to) const {
        return least_[from * nodes_ + to];
    }
    // Can `to` exceed `from` by so much?
    [[nodiscard]] bool allows(std::size_t from, std::size_t to, std::int64_t difference) const {
        return least(to, from) + difference <= 0;
    }

    // From now on `to` exceeds `from` by at least so much; false if that cannot be.
    bool require(std::size_t from, std::size_t to, std::int64_t difference) {
        if (least(from, to) >= difference) return true;
        if (!allows(from, to, difference)) return false;
        for (std::size_t one = 0; one < nodes_; ++one) {
            const std::int64_t head = least(one, from);
            if (head == unbounded || least(one, to) >= head + difference) continue;
            for (std::size_t other = 0; other < nodes_; ++other) {
                const std::int64_t tail = least(to, other);
                if (tail == unbounded) continue;
                raise(one * nodes_ + other, head + difference + tail);
            }
        }
        return true;
    }

    // All that has been required since `changes` was so much is taken back.
    [[nodiscard]] std::size_t changes() const { return trail_.size(); }
    void take_back(std::size_t changes) {
        while (trail_.size() > changes) {
            least_[trail_.back().entry] = trail_.back().before;
            trail_.pop_back();
        }
    }

  private:
    // Far from overflow, also when a sum of all lengths is added.
    static constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::min() / 4;
    struct Change {
        std::size_t entry = 0;
        std::int64_t before = 0;
    };

    void raise(std::size_t entry, std::int64_t value) {
        if (least_[entry] >= value) return;
        trail_.push_back({entry, least_[entry]});
        least_[entry] = value;
    }

    std::size_t nodes_;
    std::vector<std::int64_t> least_;  // [from][to]
    std::vector<Change> trail_;
};

}  // namespace tailgate::packing
