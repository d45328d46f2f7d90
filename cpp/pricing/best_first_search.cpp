#include "best_first_search.hpp"

#include <algorithm>

namespace tailgate::pricing {

namespace {

constexpr std::int64_t paths_between_looks_at_clock = 256;

}  // namespace

void BestFirstSearch::start(const RouteQuery& query) {
    forget();
    started_ = true;
    threshold_ = query.threshold;
    push({-no_way, -1, false});
    begin_pass();
}

void BestFirstSearch::forget() {
    started_ = false;
    steps_.clear();
    heap_.clear();
    deferred_.clear();
    returned_.clear();
    least_deferred_ = no_way;
}

void BestFirstSearch::release() {
    for (const Entry& entry : deferred_) push(entry);
    deferred_.clear();
    least_deferred_ = no_way;
}

void BestFirstSearch::begin_pass() {
    for (const Entry& entry : returned_) push(entry);
    returned_.clear();
    pass_began_at_ = content_at_ = paths_;
    pass_found_any_ = false;
}

void BestFirstSearch::push(const Entry& entry) {
    heap_.push_back(entry);
    std::push_heap(heap_.begin(), heap_.end(), comes_later);
}

BestFirstSearch::Entry BestFirstSearch::pop() {
    std::pop_heap(heap_.begin(), heap_.end(), comes_later);
    const Entry entry = heap_.back();
    heap_.pop_back();
    return entry;
}

void BestFirstSearch::put_aside(const Entry& entry) {
    deferred_.push_back(entry);
    least_deferred_ = std::min(least_deferred_, entry.best);
}

void BestFirstSearch::drop_forbidden(const RouteQuery& query) {
    if (returned_as_known_ == knowledge_) return;
    returned_as_known_ = knowledge_;
    PartialPath::State state;
    std::erase_if(returned_, [&](const Entry& entry) {
        return follow(query, entry.step, state) == Finding::forbidden;
    });
}

Money BestFirstSearch::least() const {
    Money least = std::min(threshold_, least_deferred_);
    if (!heap_.empty()) least = std::min(least, heap_.front().best);
    for (const Entry& entry : returned_) least = std::min(least, entry.best);
    return least;
}

// Goes along a path, and looks whether what was learned since has ruled it out.
BestFirstSearch::Finding BestFirstSearch::follow(const RouteQuery& query, std::int32_t last,
                                                 PartialPath::State& state) {
    steps_of_path_.clear();
    for (std::int32_t step = last; step >= 0; step = steps_[to_index(step)].before)
        steps_of_path_.push_back(step);
    state = path_.clear(query);
    for (std::size_t i = steps_of_path_.size(); i-- > 0;) {
        Step& step = steps_[to_index(steps_of_path_[i])];
        if (step.known == ruled_out) return Finding::forbidden;
        if (step.known != knowledge_) {
            if (path_.is_ruled_out(query, step.customer)) {
                step.known = ruled_out;
                return Finding::forbidden;
            }
            // It may be released: what is known of it stays as it was.
            if (query.deferred.forbids(path_.visits(), step.customer)) return Finding::deferred;
            step.known = knowledge_;
        }
        path_.push(query, state, step.customer, step.cost);
    }
    return Finding::open;
}

void BestFirstSearch::expand(const RouteQuery& query, const Entry& entry,
                             const PartialPath::State& state) {
    if (entry.step >= 0) {
        const Money cost = path_.cost_as_route(query, state);
        if (cost < threshold_) push({cost, entry.step, true});
    }
    path_.find_extensions(query, state, threshold_, false, extensions_);
    for (const PartialPath::Extension& extension : extensions_) {
        // What is deferred is looked at once more when it is released.
        steps_.push_back(
            {extension.cost, entry.step, extension.customer, extension.deferred ? 0 : knowledge_});
        // What the path before it may become is known, too.
        const Entry longer{std::max(entry.best, extension.best),
                           static_cast<std::int32_t>(steps_.size()) - 1, false};
        if (extension.deferred)
            put_aside(longer);
        else
            push(longer);
    }
}

BestFirstSearch::Outcome BestFirstSearch::run(const RouteQuery& query,
                                              std::vector<PricedRoute>& routes) {
    const std::size_t before = routes.size();
    drop_forbidden(query);
    while (!heap_.empty() && heap_.front().best < threshold_) {
        if (routes.size() - before == query.max_routes) return Outcome::content;
        if (pass_found_any_ && paths_ > content_at_ + query.content_after_paths)
            return Outcome::content;
        if (steps_.size() > max_steps) return Outcome::too_many;
        if (++paths_ % paths_between_looks_at_clock == 0 && query.stop()) return Outcome::stopped;
        const Entry entry = pop();
        PartialPath::State state;
        const Finding finding = follow(query, entry.step, state);
        if (finding == Finding::deferred) put_aside(entry);
        if (finding != Finding::open) continue;
        if (!entry.is_route) {
            expand(query, entry, state);
            continue;
        }
        // Where it took long to find the first, those near to it come cheap.
        if (!pass_found_any_) content_at_ += 2 * (paths_ - pass_began_at_);
        pass_found_any_ = true;
        routes.push_back({path_.visits().path(), entry.best});
        returned_.push_back(entry);
    }
    return Outcome::complete;
}

}  // namespace tailgate::pricing
