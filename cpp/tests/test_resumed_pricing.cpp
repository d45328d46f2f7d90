#include <set>

#include "pricing_questions.hpp"

using namespace tailgate::pricing;
using namespace tailgate::tests;

namespace {

// Two pricers that learn the same: one goes on where it was left, one begins anew at every call.
class Twins {
  public:
    explicit Twins(const RouteData& data)
        : data_(data),
          symmetric_(tightened(data).is_symmetric()),
          routes_(known_routes(data)),
          resumed_(data),
          anew_(data, {.resumed_search = false}) {}

    void ask(const Question& question, double threshold) {
        question_ = &question;
        threshold_ = threshold;
        for (Pricer* pricer : {&resumed_, &anew_}) {
            pricer->set_forbidden_edges(question.forbidden);
            pricer->set_duals(question.duals);
        }
    }

    void forbid(const Path& sequence) {
        resumed_.forbid(sequence);
        anew_.forbid(sequence);
        std::erase_if(routes_, [&](const KnownRoute& route) {
            return contains(route.customers, sequence, data_.lifo);
        });
    }
    void defer(const Path& sequence) {
        resumed_.defer(sequence);
        anew_.defer(sequence);
        deferred_.push_back(sequence);
    }
    void release() {
        resumed_.release_all();
        anew_.release_all();
        deferred_.clear();
        last_ = -no_way;  // cheaper ones may come now
    }

    // Begins with the cheapest again; returns how many routes there were.
    std::size_t price(std::size_t max_routes) {
        const Pricing found = resumed_.price(threshold_, max_routes, never);
        const Pricing expected = anew_.price(threshold_, max_routes, never);
        CHECK(found.routes.empty() == expected.routes.empty());
        if (!found.routes.empty() && !expected.routes.empty())
            CHECK(found.routes.front().reduced_cost == expected.routes.front().reduced_cost);
        returned_.clear();
        last_ = -no_way;
        look_at(found, max_routes);
        if (deferred_.empty())
            CHECK(resumed_.to_double(found.bound) >= std::min(least_left(), threshold_));
        return found.routes.size();
    }
    std::size_t price_more(std::size_t max_routes) {
        const Pricing found = resumed_.price_more(max_routes, never);
        look_at(found, max_routes);
        return found.routes.size();
    }

  private:
    // The cheapest route that is neither forbidden nor deferred.
    [[nodiscard]] double least_left() const {
        double least = unlimited;
        for (const KnownRoute& route : routes_) {
            if (question_->allows(route.customers) &&
                !contains_any(route.customers, deferred_, data_.lifo) &&
                !(symmetric_ && route.customers.front() > route.customers.back()))
                least = std::min(least, question_->cost(route));
        }
        return least;
    }

    void look_at(const Pricing& found, std::size_t max_routes) {
        CHECK(found.complete);
        CHECK(found.routes.size() <= max_routes);
        double least = unlimited;
        for (const KnownRoute& route : routes_) {
            if (question_->allows(route.customers)) least = std::min(least, question_->cost(route));
        }
        CHECK(resumed_.to_double(found.bound) <= least);
        for (const PricedRoute& route : found.routes) {
            const auto at = std::ranges::find(routes_, route.customers, &KnownRoute::customers);
            CHECK(at != routes_.end() && question_->allows(route.customers));
            if (at != routes_.end())
                CHECK(resumed_.to_double(route.reduced_cost) == question_->cost(*at));
            CHECK(!contains_any(route.customers, deferred_, data_.lifo));
            CHECK(returned_.insert(route.customers).second);
            CHECK(route.reduced_cost >= last_);
            last_ = route.reduced_cost;
        }
    }

    RouteData data_;
    bool symmetric_;
    std::vector<KnownRoute> routes_;  // that are not forbidden
    Pricer resumed_;
    Pricer anew_;
    const Question* question_ = nullptr;
    double threshold_ = 0.0;
    std::vector<Path> deferred_;
    std::set<Path> returned_;
    Money last_ = -no_way;
};

TEST(a_search_that_goes_on_finds_what_one_that_begins_anew_finds) {
    TinyProblems dice(1);
    std::size_t found = 0;
    std::size_t found_later = 0;
    for (int round = 0; round < 200; ++round) {
        const auto customers = static_cast<std::size_t>(dice.draw(2, 6));
        Twins twins(tiny_road_data(dice, customers, RoadRules::drawn(dice)));
        for (int step = 0; step < 3; ++step) {
            const Question question(dice, customers);
            twins.ask(question, dice.draw(-60, 20));
            for (int part = 0; part < 5; ++part) {
                found += twins.price(static_cast<std::size_t>(dice.draw(1, 3)));
                for (int call = dice.draw(0, 4); call > 0; --call) {
                    const auto size = static_cast<std::size_t>(dice.draw(2, 4));
                    const Path sequence = draw_sequence(dice, customers, size);
                    const int choice = dice.draw(0, 5);
                    if (choice == 0 && sequence.size() > 1) twins.forbid(sequence);
                    if (choice == 1) twins.defer(sequence);
                    if (choice == 2) twins.release();
                    found_later += twins.price_more(static_cast<std::size_t>(dice.draw(1, 3)));
                }
                if (dice.draw(0, 1) == 0) twins.release();
            }
        }
    }
    CHECK(found > 500);
    CHECK(found_later > 300);
}

TEST(what_was_found_at_once_is_returned_in_parts_too) {
    TinyProblems dice(2);
    const RouteData data = tiny_route_data(dice, 6, {});
    Pricer pricer(data, {.resumed_search = false});
    pricer.set_duals(std::vector<double>(6, 40.0), 1.0);
    const Pricing all = pricer.price(0.0, plenty, never);
    CHECK(all.routes.size() > 6);
    std::vector<PricedRoute> parts = pricer.price(0.0, 2, never).routes;
    CHECK(parts.size() == 2);
    for (;;) {
        const Pricing more = pricer.price_more(3, never);
        CHECK(more.complete && more.bound <= all.routes.front().reduced_cost);
        if (more.routes.empty()) break;
        CHECK(more.routes.size() <= 3);
        parts.insert(parts.end(), more.routes.begin(), more.routes.end());
    }
    CHECK(parts.size() == all.routes.size());
    for (std::size_t i = 0; i < std::min(parts.size(), all.routes.size()); ++i)
        CHECK(parts[i].customers == all.routes[i].customers);
    // Other duals: what is left belongs to those before.
    CHECK(!pricer.price(0.0, 2, never).routes.empty());
    pricer.set_duals(std::vector<double>(6, 0.0), 1.0);
    CHECK(pricer.price_more(2, never).routes.empty());
}

}  // namespace
