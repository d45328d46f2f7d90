#include "order_search.hpp"

#include <algorithm>
#include <stdexcept>

namespace tailgate::pricing {

namespace {

constexpr std::int64_t orders_between_looks = 256;
// Beyond, the table of ways home takes too much memory and time.
constexpr std::size_t most_in_table = 15;
constexpr std::size_t most_in_subset = 64;

std::size_t lowest(std::uint64_t subset) {
    return to_index(__builtin_ctzll(subset));
}

}  // namespace

OrderSearch::OrderSearch(const RouteData& data, const TrueCosts& costs,
                         const ForbiddenSequences& forbidden, bool symmetric)
    : timetable_(data),
      costs_(costs),
      forbidden_(forbidden),
      symmetric_(symmetric),
      visits_(data.nodes) {}

OrderSearch::Outcome OrderSearch::run(const Path& customers, const Stop& stop, Path& order) {
    customers_ = customers;
    std::ranges::sort(customers_);
    if (customers_.size() > most_in_subset)
        throw std::invalid_argument("a route of so many customers cannot be put in order");
    visits_.clear();
    best_.clear();
    best_cost_ = no_way;
    const std::size_t count = customers_.size();
    const Subset all = count == most_in_subset ? ~Subset{0} : (Subset{1} << count) - 1;
    bound_ways_home();
    if (!extend(stop, all, 0, timetable_.at_depot())) return Outcome::stopped;
    order = best_;
    return best_cost_ < no_way ? Outcome::found : Outcome::none;
}

// Without regard to times and loading: Held and Karp 1962.
void OrderSearch::bound_ways_home() {
    const std::size_t count = customers_.size();
    ways_home_.clear();
    cheapest_leave_.assign(count, no_way);
    for (std::size_t i = 0; i < count; ++i) {
        cheapest_leave_[i] = costs_.between(customers_[i], 0);
        for (std::size_t j = 0; j < count; ++j) {
            if (i == j) continue;
            cheapest_leave_[i] =
                std::min(cheapest_leave_[i], costs_.between(customers_[i], customers_[j]));
        }
    }
    if (count > most_in_table) return;
    ways_home_.assign((std::size_t{1} << count) * count, no_way);
    for (std::size_t last = 0; last < count; ++last)
        ways_home_[last] = costs_.between(customers_[last], 0);
    for (Subset left = 1; left < (Subset{1} << count); ++left) {
        for (std::size_t last = 0; last < count; ++last) {
            if ((left >> last & 1U) != 0) continue;
            Money least = no_way;
            for (Subset rest = left; rest != 0; rest &= rest - 1) {
                const std::size_t next = lowest(rest);
                const Money arc = costs_.between(customers_[last], customers_[next]);
                const Money home = ways_home_[(left ^ Subset{1} << next) * count + next];
                if (arc < no_way && home < no_way) least = std::min(least, arc + home);
            }
            ways_home_[left * count + last] = least;
        }
    }
}

Money OrderSearch::way_home(std::size_t last, Subset left) const {
    if (!ways_home_.empty()) return ways_home_[left * customers_.size() + last];
    Money least = cheapest_leave_[last];
    for (Subset rest = left; rest != 0 && least < no_way; rest &= rest - 1)
        least += cheapest_leave_[lowest(rest)];
    return std::min(least, no_way);
}

bool OrderSearch::is_worth(Money least) const {
    const Path& path = visits_.path();
    if (least != best_cost_) return least < best_cost_;
    return !std::lexicographical_compare(best_.begin(),
                                         best_.begin() + static_cast<std::ptrdiff_t>(path.size()),
                                         path.begin(), path.end());
}

// The cost includes the waiting so far. False if it was stopped.
bool OrderSearch::extend(const Stop& stop, Subset left, Money cost, const Timing& timing) {
    if (++paths_ % orders_between_looks == 0 && stop()) return false;
    const Path& path = visits_.path();
    const Node at = path.empty() ? Node{0} : path.back();
    const bool timed = timetable_.is_needed();
    const double rate = costs_.waiting_rate();
    const Money waited = rate > 0.0 ? waiting_money(timing.waiting(), rate) : 0;
    if (left == 0) {
        Timing home = timing;
        if (costs_.between(at, 0) >= no_way || (timed && !timetable_.advance(home, at, 0)))
            return true;
        cost += costs_.between(at, 0);
        if (rate > 0.0) cost += waiting_money(home.waiting(), rate) - waited;
        if (cost < best_cost_ || (cost == best_cost_ && path < best_)) {
            best_ = path;
            best_cost_ = cost;
        }
        return true;
    }
    // Of an order and its reverse the one that begins with the smaller number is enough.
    if (symmetric_ && !path.empty() && (left >> first_) == 0) return true;
    struct Extension {
        std::size_t next;
        Money cost;
        Money least;
        Timing timing;
    };
    std::vector<Extension> extensions;
    for (Subset rest = left; rest != 0; rest &= rest - 1) {
        const std::size_t next = lowest(rest);
        const Node customer = customers_[next];
        const Money arc = costs_.between(at, customer);
        const Money home = way_home(next, left ^ Subset{1} << next);
        if (arc >= no_way || home >= no_way || cost + arc + home > best_cost_) continue;
        Extension extension{next, cost + arc, cost + arc + home, timing};
        if (timed && !timetable_.advance(extension.timing, at, customer)) continue;
        if (rate > 0.0) {
            const Money more = waiting_money(extension.timing.waiting(), rate) - waited;
            extension.cost += more;
            extension.least += more;
            if (extension.least > best_cost_) continue;
        }
        if (forbidden_.forbids(visits_, customer)) continue;
        extensions.push_back(extension);
    }
    std::ranges::stable_sort(extensions, {}, &Extension::least);
    for (const Extension& extension : extensions) {
        const Node customer = customers_[extension.next];
        if (path.empty()) first_ = extension.next;
        visits_.push(customer);
        const bool complete =
            !is_worth(extension.least) ||
            extend(stop, left ^ Subset{1} << extension.next, extension.cost, extension.timing);
        visits_.pop();
        if (!complete) return false;
    }
    return true;
}

}  // namespace tailgate::pricing
