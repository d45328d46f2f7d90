// Finds elementary routes below a threshold, the cheapest first, and goes on where it was left:
// after some of them were refused, the work of finding them is not done again.
//
// What is not finished waits in a heap, by the cheapest route that it may become. Every route below
// the threshold that is not forbidden is at any moment in one of three places: it may come of a
// path in the heap; it may come of a path that is deferred; or it has been returned. So the least
// of all these is a bound on every such route, whenever the search is interrupted.
#pragma once

#include <vector>

#include "partial_path.hpp"

namespace tailgate::pricing {

class BestFirstSearch {
  public:
    BestFirstSearch(const RouteData& data, const std::vector<Resource>& resources, bool symmetric)
        : path_(data, resources, symmetric) {}

    // Begins anew: costs, completions and threshold may be others than before.
    void start(const RouteQuery& query);
    void forget();
    // May it go on? Then costs and completions must be those of the start.
    [[nodiscard]] bool is_open() const { return started_; }
    [[nodiscard]] bool is_for(Money threshold) const { return started_ && threshold == threshold_; }
    [[nodiscard]] Money threshold() const { return threshold_; }
    // Something has been forbidden or deferred: what was found before is looked at once more.
    void learn() { ++knowledge_; }
    // Nothing is deferred any more.
    void release();
    // What was returned may be returned again, if it is neither forbidden nor deferred by now; and
    // the search is content anew.
    void begin_pass();

    enum class Outcome {
        complete,  // there are no others below the threshold
        content,   // with some routes in this pass, after so many paths, or with `max_routes` now
        too_many,  // paths are waiting: the search must be forgotten
        stopped
    };
    // Up to `max_routes` more routes, which cost no less than those before in the same pass.
    Outcome run(const RouteQuery& query, std::vector<PricedRoute>& routes);

    // No route below the threshold costs less unless it was forbidden before the last run; the
    // threshold itself if there is none.
    [[nodiscard]] Money least() const;

    [[nodiscard]] std::int64_t paths() const { return paths_; }

  private:
    // Beyond, its memory is needed for something else.
    static constexpr std::size_t max_steps = 4'000'000;

    // A path, as its last step.
    struct Step {
        Money cost = 0;            // up to the customer, not paid for subset rows there
        std::int32_t before = -1;  // the path without it; -1: the depot
        Node customer = 0;
        std::int32_t known = 0;  // how much was known when it was looked at; `ruled_out`: it is
    };
    static constexpr std::int32_t ruled_out = -1;
    struct Entry {
        Money best = 0;          // no route that it becomes costs less
        std::int32_t step = -1;  // of the path; -1: at the depot
        bool is_route = false;   // it is one itself, and nothing else will become of it here
    };
    enum class Finding { open, forbidden, deferred };

    static bool comes_later(const Entry& a, const Entry& b) {
        if (a.best != b.best) return a.best > b.best;
        if (a.is_route != b.is_route) return b.is_route;
        return a.step < b.step;  // deeper paths are nearer to being routes
    }
    void push(const Entry& entry);
    Entry pop();
    void put_aside(const Entry& entry);
    void drop_forbidden(const RouteQuery& query);
    Finding follow(const RouteQuery& query, std::int32_t step, PartialPath::State& state);
    void expand(const RouteQuery& query, const Entry& entry, const PartialPath::State& state);

    PartialPath path_;
    bool started_ = false;
    Money threshold_ = 0;
    std::int32_t knowledge_ = 1;
    std::vector<Step> steps_;
    std::vector<Entry> heap_;
    std::vector<Entry> deferred_;
    Money least_deferred_ = no_way;
    std::vector<Entry> returned_;              // in this pass
    std::int32_t returned_as_known_ = 0;       // they are not forbidden by what was known then
    std::vector<std::int32_t> steps_of_path_;  // scratch
    std::vector<PartialPath::Extension> extensions_;  // scratch
    std::int64_t paths_ = 0;
    std::int64_t pass_began_at_ = 0;
    bool pass_found_any_ = false;
    std::int64_t content_at_ = 0;
};

}  // namespace tailgate::pricing
