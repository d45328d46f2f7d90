// Searches that were suspended at a limit, to be resumed where they were.
#pragma once

#include <list>
#include <utility>

#include "loading_search.hpp"
#include "route_cache.hpp"

namespace tailgate::packing {

// The latest ones, as far as they fit into memory: asked with a little more effort each time, a
// hard query is not begun anew each time.
class SuspendedSearches {
  public:
    explicit SuspendedSearches(std::size_t max_bytes) : max_bytes_(max_bytes) {}

    // The search for this route, if it is among them, or a new one; it is no longer kept.
    template <typename MakeProblem>
    [[nodiscard]] LoadingSearch take(const Sequence& route, MakeProblem make_problem) {
        for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
            if (entry->route != route) continue;
            LoadingSearch search = std::move(entry->search);
            bytes_ -= entry->bytes;
            entries_.erase(entry);
            return search;
        }
        return LoadingSearch(make_problem());
    }
    void put(const Sequence& route, LoadingSearch search) {
        const std::size_t bytes = search.bytes() + search_overhead;
        if (bytes > max_bytes_) return;  // it would drive out all others, and then itself
        entries_.push_front({route, std::move(search), bytes});
        bytes_ += bytes;
        while (bytes_ > max_bytes_ || entries_.size() > max_searches) {
            bytes_ -= entries_.back().bytes;
            entries_.pop_back();
        }
    }

    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    void clear() {
        entries_.clear();
        bytes_ = 0;
    }

  private:
    static constexpr std::size_t max_searches = 64;        // more are not looked through
    static constexpr std::size_t search_overhead = 4'096;  // the problem, and relative positions
    struct Entry {
        Sequence route;
        LoadingSearch search;
        std::size_t bytes = 0;
    };

    std::size_t max_bytes_;
    std::size_t bytes_ = 0;
    std::list<Entry> entries_;  // the latest first
};

}  // namespace tailgate::packing
