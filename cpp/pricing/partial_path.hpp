// A path from the depot on, and how it may go on: what the searches for routes have in common.
#pragma once

#include <vector>

#include "completions.hpp"
#include "forbidden_sequences.hpp"
#include "neighbourhoods.hpp"
#include "route_data.hpp"
#include "subset_rows.hpp"
#include "timetable.hpp"
#include "together_groups.hpp"

namespace tailgate::pricing {

struct PricedRoute {
    Path customers;
    Money reduced_cost = 0;
};

inline bool is_cheaper(const PricedRoute& a, const PricedRoute& b) {
    return a.reduced_cost != b.reduced_cost ? a.reduced_cost < b.reduced_cost
                                            : a.customers < b.customers;
}

// Routes that are wanted, and what is known that helps to find them.
struct RouteQuery {
    const ArcCosts& costs;
    const SubsetRows& rows;
    const Completions& completions;
    const Neighbourhoods& neighbourhoods;
    const ForbiddenSequences& forbidden;
    const ForbiddenSequences& deferred;
    Money threshold;  // they cost less
    std::size_t max_routes;
    std::int64_t content_after_paths;
    const Stop& stop;
    double waiting_rate = 0.0;  // what waiting for a unit of time costs
};

class PartialPath {
  public:
    // All of them must outlive it.
    PartialPath(const RouteData& data, const std::vector<Resource>& resources, bool symmetric);

    struct State {
        Money cost = 0;  // of the path, with its waiting and the subset rows that it pays for
        Load load{};
        Timing timing;
    };
    struct Extension {
        Node customer = 0;
        Money cost = 0;  // of the path up to the customer, which is not paid for subset rows yet
        Money best = 0;  // of the cheapest route it may become
        bool deferred = false;
    };

    // The path that has not left the depot.
    State clear(const RouteQuery& query);
    // Goes on to a customer; `cost` is that of the extension.
    void push(const RouteQuery& query, State& state, Node customer, Money cost);
    void pop() { visits_.pop(); }
    [[nodiscard]] const Visits& visits() const { return visits_; }
    // Of which rows it carries half a visit.
    [[nodiscard]] const SubsetRows::Word* row_state() const {
        return row_states_.data() + visits_.path().size() * words_;
    }

    // Those that some completion makes into a route below the threshold. If `any`, their `best` may
    // be that of any such route. Nothing if those who ride with its customers have no room.
    void find_extensions(const RouteQuery& query, const State& state, Money threshold, bool any,
                         std::vector<Extension>& extensions);
    // Does what is known rule out that the path goes on to this customer?
    [[nodiscard]] bool is_ruled_out(const RouteQuery& query, Node customer) const;
    // What the path costs as a route; `no_way` if it is none. Of a route and its reverse one is
    // enough, unless `both`.
    [[nodiscard]] Money cost_as_route(const RouteQuery& query, const State& state,
                                      bool both = false) const;

  private:
    [[nodiscard]] Money cheapest_rest(const RouteQuery& query, const State& state,
                                      const Extension& extension, const Timing& there,
                                      std::size_t first, Money threshold, bool any);
    [[nodiscard]] bool has_room_for_groups(const RouteQuery& query, const Load& load) const;

    const RouteData& data_;
    const std::vector<Resource>& resources_;
    bool symmetric_;
    TogetherGroups groups_;
    Timetable timetable_;
    Visits visits_;
    std::size_t words_ = 0;                     // of the state of subset rows
    std::vector<SubsetRows::Word> row_states_;  // by length of the path
    std::vector<SubsetRows::Word> carried_;     // to the customer that is being looked at
};

}  // namespace tailgate::pricing
