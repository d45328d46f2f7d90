// Questions that were put down at a limit, to be taken up again where they were.
#pragma once

#include <cstdint>
#include <list>
#include <vector>

#include "decide.hpp"
#include "route_cache.hpp"

namespace tailgate::packing {

// The latest ones, as far as they fit into memory: asked with a little more effort each time, a
// hard question is not begun anew each time.
class OpenQuestions {
  public:
    explicit OpenQuestions(std::size_t max_bytes) : max_bytes_(max_bytes) {}

    // The question of this route, if it is among them, or a new one; it is no longer kept.
    template <typename MakeProblem>
    [[nodiscard]] Question take(const Sequence& route, MakeProblem make_problem) {
        for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
            if (entry->route != route) continue;
            Question question = std::move(entry->question);
            bytes_ -= entry->bytes;
            entries_.erase(entry);
            return question;
        }
        return Question(make_problem());
    }
    void put(const Sequence& route, Question question);

    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    void clear();

  private:
    struct Entry {
        Sequence route;
        Question question;
        std::size_t bytes = 0;
    };

    std::size_t max_bytes_;
    std::size_t bytes_ = 0;
    std::list<Entry> entries_;  // the latest first
};

}  // namespace tailgate::packing
