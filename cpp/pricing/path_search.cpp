#include "path_search.hpp"

#include <algorithm>
#include <limits>

namespace tailgate::pricing {

constexpr std::int64_t paths_between_looks = 256;
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

PathSearch::PathSearch(const RouteData& data, const std::vector<Resource>& resources,
                       bool symmetric)
    : timetable_(data),
      path_(data, resources, symmetric),
      extensions_(data.nodes),
      seen_(data.nodes) {}

void PathSearch::begin(const Query& query) {
    found_.clear();
    threshold_ = query.threshold;
    outcome_ = Outcome::complete;
    started_at_ = paths_;
    extend(query, path_.clear(query));
}

PathSearch::Outcome PathSearch::list(const Query& query, std::int64_t max_paths, const Look& look,
                                     const TrueCosts* only_best) {
    true_costs_ = only_best;
    true_cost_.assign(1, 0);
    if (only_best != nullptr) {
        seen_.clear(query.rows, timetable_.has_limits() ? &timetable_ : nullptr,
                    {query.waiting_rate, only_best->waiting_rate()});
    }
    content_at_ = never;
    give_up_at_ = paths_ + max_paths;
    look_ = &look;
    begin(query);
    true_costs_ = nullptr;
    seen_.clear(query.rows);
    return outcome_;
}

PathSearch::Outcome PathSearch::run(const Query& query, std::vector<PricedRoute>& routes) {
    content_at_ = paths_ + query.content_after_paths;
    give_up_at_ = never;
    look_ = nullptr;
    begin(query);
    std::sort(found_.begin(), found_.end(), is_cheaper);
    routes = std::move(found_);
    found_ = {};
    return outcome_;
}

// Has the search been at the same place, after the same customers, at no more cost?
bool PathSearch::is_known(const PartialPath::State& state) {
    const Timing& timing = state.timing;
    const Money true_cost =
        true_cost_.back() + waiting_money(timing.waiting(), true_costs_->waiting_rate());
    return seen_.is_known(path_.visits().path().back(),
                          {state.cost, true_cost, timing.end, path_.row_state(), timing});
}

bool PathSearch::extend(const Query& query, const PartialPath::State& state) {
    if (++paths_ % paths_between_looks == 0 && query.stop()) {
        outcome_ = Outcome::stopped;
        return false;
    }
    if (paths_ > content_at_ && !found_.empty()) {
        outcome_ = Outcome::content;
        return false;
    }
    if (paths_ > give_up_at_) {
        outcome_ = Outcome::too_many;
        return false;
    }
    const Path& path = path_.visits().path();
    if (!path.empty()) {
        if (true_costs_ != nullptr && is_known(state)) return true;
        if (!finish(query, state)) return false;
    }
    auto& extensions = extensions_[path.size()];
    // A list of all routes has no use for more than the knowledge that there is one.
    path_.find_extensions(query, state, threshold_, look_ != nullptr, extensions);
    const Node last = path.empty() ? Node{0} : path.back();
    for (std::size_t i = 0; i < extensions.size(); ++i) {
        const PartialPath::Extension extension = extensions[i];
        if (extension.best >= threshold_) break;  // it has sunk meanwhile
        if (extension.deferred) continue;
        if (true_costs_ != nullptr) {
            true_cost_.push_back(true_cost_.back() +
                                 true_costs_->between(last, extension.customer));
            seen_.push(extension.customer);
        }
        PartialPath::State longer = state;
        path_.push(query, longer, extension.customer, extension.cost);
        const bool complete = extend(query, longer);
        path_.pop();
        if (true_costs_ != nullptr) {
            true_cost_.pop_back();
            seen_.pop(extension.customer);
        }
        if (!complete) return false;
    }
    return true;
}

// Takes note of the path as a route. False if the search is to end.
bool PathSearch::finish(const Query& query, const PartialPath::State& state) {
    const Money cost = path_.cost_as_route(query, state, true_costs_ != nullptr);
    if (cost >= threshold_) return true;
    const Path& path = path_.visits().path();
    if (look_ != nullptr) {
        if ((*look_)(path)) return true;
        outcome_ = Outcome::too_many;
        return false;
    }
    // Where it took long to find the first, those near to it come cheap.
    if (found_.empty()) content_at_ += 2 * (paths_ - started_at_);
    found_.push_back({path, cost});
    std::push_heap(found_.begin(), found_.end(), is_cheaper);
    if (found_.size() > query.max_routes) {
        std::pop_heap(found_.begin(), found_.end(), is_cheaper);
        found_.pop_back();
    }
    if (found_.size() == query.max_routes) {
        threshold_ = std::min(threshold_, found_.front().reduced_cost);
    }
    return true;
}

}  // namespace tailgate::pricing
