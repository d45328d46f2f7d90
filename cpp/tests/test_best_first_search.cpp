#include <set>

#include "pricing/best_first_search.hpp"
#include "pricing/path_search.hpp"
#include "searched_routes.hpp"

using namespace tailgate::pricing;
using namespace tailgate::tests;

namespace {

using Outcome = BestFirstSearch::Outcome;

// A search that is interrupted again and again, beside a list of all routes.
class Watched {
  public:
    Watched(TinyProblems& dice, std::size_t customers, const RouteRules& rules, Money threshold,
            std::size_t rows)
        : made_(dice, customers, rules, threshold, rows),
          all_(cheapest_first(all_routes(made_.data), made_.costs, made_.data.nodes,
                              made_.data.is_symmetric(), threshold, made_.priced_rows)),
          search_(made_.data, made_.resources, made_.data.is_symmetric()) {
        search_.start(made_.query(1, no_limit, never));
        CHECK(search_.is_open() && search_.is_for(threshold) && !search_.is_for(threshold - 1));
    }

    // Takes some more routes; returns how many. Each is the cheapest of those that are left.
    std::size_t take(std::size_t max_routes, std::int64_t content_after_paths) {
        std::vector<PricedRoute> found;
        const Outcome outcome =
            search_.run(made_.query(max_routes, content_after_paths, never), found);
        check_bound();
        std::vector<PricedRoute> left = wanted();
        for (const PricedRoute& route : found) {
            CHECK(!left.empty() && route.reduced_cost == left.front().reduced_cost);
            const auto at = std::ranges::find(left, route.customers, &PricedRoute::customers);
            CHECK(at != left.end() && at->reduced_cost == route.reduced_cost);
            if (at != left.end()) left.erase(at);
            returned_.insert(route.customers);
        }
        CHECK(found.size() <= max_routes);
        if (outcome == Outcome::complete) CHECK(left.empty());
        if (outcome == Outcome::content) CHECK(!returned_.empty());
        CHECK(outcome == Outcome::complete || outcome == Outcome::content);
        return found.size();
    }

    void forbid(const Path& sequence) {
        made_.forbidden.add(sequence);
        forbidden_.push_back(sequence);
        search_.learn();
    }
    void set_incompatible(Node a, Node b) {
        made_.neighbourhoods.set_incompatible(a, b);
        apart_.push_back({a, b});
        search_.learn();
    }
    void defer(const Path& sequence) {
        made_.deferred.add(sequence);
        deferred_.push_back(sequence);
        search_.learn();
    }
    void release() {
        made_.deferred.clear();
        deferred_.clear();
        search_.release();
    }
    void begin_pass() {
        search_.begin_pass();
        returned_.clear();
    }
    // Once more the same routes as a search from the depot that knows all that is known now.
    void check_against_new_search() {
        begin_pass();
        std::vector<PricedRoute> resumed;
        CHECK(search_.run(made_.query(plenty_, no_limit, never), resumed) == Outcome::complete);
        PathSearch from_scratch(made_.data, made_.resources, made_.data.is_symmetric());
        std::vector<PricedRoute> expected;
        CHECK(from_scratch.run(made_.query(plenty_, no_limit, never), expected) ==
              PathSearch::Outcome::complete);
        std::ranges::sort(resumed, is_cheaper);
        CHECK(resumed.size() == expected.size());
        for (std::size_t i = 0; i < std::min(resumed.size(), expected.size()); ++i) {
            CHECK(resumed[i].customers == expected[i].customers);
            CHECK(resumed[i].reduced_cost == expected[i].reduced_cost);
        }
        if (deferred_.empty())
            CHECK(search_.least() ==
                  (expected.empty() ? made_.threshold : expected.front().reduced_cost));
    }

    [[nodiscard]] bool is_lifo() const { return made_.data.lifo; }

  private:
    static constexpr std::size_t plenty_ = 9'999;

    [[nodiscard]] bool is_forbidden(const Path& route) const {
        return contains_any(route, forbidden_, made_.data.lifo) ||
               contains_any(route, apart_, false);
    }
    [[nodiscard]] std::vector<PricedRoute> wanted() const {
        std::vector<PricedRoute> left = all_;
        std::erase_if(left, [&](const PricedRoute& route) {
            return returned_.contains(route.customers) || is_forbidden(route.customers) ||
                   contains_any(route.customers, deferred_, made_.data.lifo);
        });
        return left;
    }
    // It holds for all routes that are not forbidden: those in the heap, deferred and returned.
    void check_bound() const {
        Money least = made_.threshold;
        for (const PricedRoute& route : all_) {
            if (!is_forbidden(route.customers)) least = std::min(least, route.reduced_cost);
        }
        CHECK(search_.least() <= least);
    }

    SearchedRoutes made_;
    std::vector<PricedRoute> all_;
    BestFirstSearch search_;
    std::vector<Path> forbidden_;
    std::vector<Path> deferred_;
    std::vector<Path> apart_;
    std::set<Path> returned_;  // in this pass
};

TEST(whatever_is_learned_between_the_next_route_is_the_cheapest_that_is_left) {
    TinyProblems dice(1);
    std::size_t found = 0;
    std::size_t steps = 0;
    for (int round = 0; round < 256; ++round) {
        const std::size_t rows = round < 128 ? 0 : static_cast<std::size_t>(dice.draw(1, 80));
        const auto customers = static_cast<std::size_t>(dice.draw(2, 6));
        Watched search(dice, customers, RouteRules::of_round(round), dice.draw(-20, 60), rows);
        const auto draw = [&](int most) {
            return draw_sequence(dice, customers, static_cast<std::size_t>(dice.draw(2, most)));
        };
        for (int step = 0; step < 24; ++step, ++steps) {
            found += search.take(static_cast<std::size_t>(dice.draw(1, 4)),
                                 dice.draw(0, 1) == 0 ? no_limit : dice.draw(0, 9));
            switch (dice.draw(0, 7)) {
                case 0:
                    search.forbid(draw(4));
                    break;
                case 1:
                    search.defer(draw(3));
                    break;
                case 2:
                    search.release();
                    break;
                case 3:
                    search.begin_pass();
                    break;
                case 4: {
                    const Path pair = draw(2);
                    if (dice.draw(0, 3) == 0) search.set_incompatible(pair[0], pair[1]);
                    break;
                }
                default:
                    break;
            }
        }
        search.check_against_new_search();
        search.release();
        search.check_against_new_search();
    }
    CHECK(found > 1'000);
}

TEST(a_stop_leaves_a_bound_that_holds_and_the_search_goes_on_where_it_was) {
    TinyProblems dice(2);
    std::int64_t stops = 0;
    for (int round = 0; round < 6; ++round) {
        SearchedRoutes made(dice, roomy_route_data(dice), 100);
        const auto expected = cheapest_first(all_routes(made.data), made.costs, made.data.nodes,
                                             made.data.is_symmetric(), made.threshold);
        BestFirstSearch search(made.data, made.resources, made.data.is_symmetric());
        search.start(made.query(1, no_limit, never));
        std::vector<PricedRoute> found;
        const Stop at_once = [] { return true; };
        while (search.run(made.query(9'999, no_limit, at_once), found) == Outcome::stopped) {
            ++stops;
            CHECK(!expected.empty() && search.least() <= expected.front().reduced_cost);
        }
        CHECK(found.size() == expected.size());
        for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i)
            CHECK(found[i].reduced_cost == expected[i].reduced_cost);
    }
    CHECK(stops > 10);
}

TEST(what_is_forgotten_is_not_returned) {
    TinyProblems dice(3);
    SearchedRoutes made(dice, roomy_route_data(dice), 100);
    BestFirstSearch search(made.data, made.resources, made.data.is_symmetric());
    search.start(made.query(1, no_limit, never));
    std::vector<PricedRoute> first;
    CHECK(search.run(made.query(1, no_limit, never), first) == Outcome::content);
    search.forget();
    CHECK(!search.is_open());
    search.start(made.query(1, no_limit, never));
    std::vector<PricedRoute> again;
    CHECK(search.run(made.query(1, no_limit, never), again) == Outcome::content);
    CHECK(first.size() == 1 && again.size() == 1 &&
          first.front().reduced_cost == again.front().reduced_cost);
}

}  // namespace
