#include "route_cache.hpp"

#include <algorithm>

namespace tailgate::packing {

namespace {

constexpr std::size_t entry_overhead = 120;  // hash node, vector headers
constexpr std::size_t max_feasible_per_customer = 64;

std::uint64_t pair_key(std::int32_t a, std::int32_t b) {
    const auto [low, high] = std::minmax(a, b);
    return (static_cast<std::uint64_t>(low) << 32) | static_cast<std::uint32_t>(high);
}

bool is_subsequence(const Sequence& part, const Sequence& whole) {
    std::size_t matched = 0;
    for (const std::int32_t customer : whole) {
        if (matched < part.size() && part[matched] == customer) ++matched;
    }
    return matched == part.size();
}

Sequence backwards(const Sequence& route) {
    return {route.rbegin(), route.rend()};
}

std::size_t size_of(const RouteCache::Known& known) {
    std::size_t bytes = 0;
    for (const auto& stop : known.layout) bytes += sizeof(stop) + stop.size() * sizeof(Position);
    return bytes;
}

}  // namespace

std::size_t SequenceHash::operator()(const Sequence& sequence) const {
    std::uint64_t hash = sequence.size();
    for (const std::int32_t customer : sequence) {
        hash = (hash ^ static_cast<std::uint32_t>(customer)) * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 31;
    }
    return static_cast<std::size_t>(hash);
}

Layout Mirror::reversed(const Sequence& route, const Layout& layout) const {
    Layout result(layout.rbegin(), layout.rend());
    for (std::size_t stop = 0; stop < result.size(); ++stop) {
        const auto& items = (*customers)[to_index(route[route.size() - 1 - stop])];
        for (std::size_t i = 0; i < items.size(); ++i) {
            Position& position = result[stop][i];
            position.y = floor_length - position.y - items[i].placed(position).length;
        }
    }
    return result;
}

const RouteCache::Known* RouteCache::find(const Sequence& route) {
    if (const auto entry = young_.routes.find(route); entry != young_.routes.end())
        return &entry->second;
    const auto entry = old_.routes.find(route);
    return entry == old_.routes.end() ? nullptr : &entry->second;
}

void RouteCache::make_room() {
    if (young_.bytes * 2 <= max_bytes_) return;
    old_ = std::move(young_);
    young_ = Generation{};
}

void RouteCache::store(const Sequence& route, Known known) {
    make_room();
    const std::size_t bytes = entry_overhead + route.size() * sizeof(std::int32_t) + size_of(known);
    const bool feasible = known.verdict == Verdict::feasible;
    const auto [entry, is_new] = young_.routes.insert_or_assign(route, std::move(known));
    if (!is_new) return;
    young_.bytes += bytes;
    if (!feasible) return;
    for (const std::int32_t customer : route) {
        auto& routes = young_.feasible[customer];
        if (routes.size() >= max_feasible_per_customer) continue;
        routes.push_back(&entry->first);
        young_.bytes += sizeof(void*);
    }
}

std::optional<Sequence> RouteCache::find_infeasible_core(const Generation& generation,
                                                         const Sequence& route) const {
    if (!generation.infeasible_pairs.empty()) {
        for (std::size_t i = 0; i < route.size(); ++i) {
            for (std::size_t j = i + 1; j < route.size(); ++j) {
                if (generation.infeasible_pairs.contains(pair_key(route[i], route[j])))
                    return Sequence{route[i], route[j]};
            }
        }
    }
    if (generation.cores.empty()) return std::nullopt;
    const Sequence reversed_route = reversible_ ? backwards(route) : Sequence{};
    for (const std::int32_t customer : route) {
        const auto cores = generation.cores.find(customer);
        if (cores == generation.cores.end()) continue;
        for (const Sequence& core : cores->second) {
            if (core.size() > route.size()) continue;
            if (is_subsequence(core, route)) return core;
            if (reversible_ && is_subsequence(core, reversed_route)) return core;
        }
    }
    return std::nullopt;
}

std::optional<Sequence> RouteCache::find_infeasible_core(const Sequence& route) const {
    auto core = find_infeasible_core(young_, route);
    return core ? core : find_infeasible_core(old_, route);
}

void RouteCache::store_infeasible_core(const Sequence& core) {
    make_room();
    if (core.size() == 2) {
        if (young_.infeasible_pairs.insert(pair_key(core[0], core[1])).second)
            young_.bytes += entry_overhead / 2;
        return;
    }
    std::int32_t rarest = core.front();
    std::size_t fewest = SIZE_MAX;
    for (const std::int32_t customer : core) {
        const auto cores = young_.cores.find(customer);
        const std::size_t count = cores == young_.cores.end() ? 0 : cores->second.size();
        if (count < fewest) {
            fewest = count;
            rarest = customer;
        }
    }
    young_.cores[rarest].push_back(core);
    young_.bytes += entry_overhead + core.size() * sizeof(std::int32_t);
}

bool RouteCache::is_no_core(const Sequence& sequence, std::int64_t nodes) const {
    const Sequence reverse = reversible_ ? backwards(sequence) : sequence;
    const Sequence& key = std::min(sequence, reverse);
    for (const Generation* generation : {&young_, &old_}) {
        const auto tried = generation->no_cores.find(key);
        if (tried != generation->no_cores.end() && tried->second >= nodes) return true;
        const auto known = generation->routes.find(key);
        if (known != generation->routes.end() && known->second.verdict == Verdict::feasible)
            return true;
        if (find_longer_route(*generation, key) != nullptr) return true;
    }
    return false;
}

void RouteCache::store_no_core(const Sequence& sequence, std::int64_t nodes) {
    make_room();
    const Sequence reverse = reversible_ ? backwards(sequence) : sequence;
    const auto [entry, is_new] = young_.no_cores.try_emplace(std::min(sequence, reverse), nodes);
    entry->second = std::max(entry->second, nodes);
    if (is_new) young_.bytes += entry_overhead + sequence.size() * sizeof(std::int32_t);
}

std::int64_t RouteCache::effort(const Sequence& sequence) const {
    std::int64_t nodes = 0;
    for (const Generation* generation : {&young_, &old_}) {
        const auto known = generation->efforts.find(sequence);
        if (known != generation->efforts.end()) nodes += known->second;
    }
    return nodes;
}

void RouteCache::add_effort(const Sequence& sequence, std::int64_t nodes) {
    make_room();
    const auto [entry, is_new] = young_.efforts.try_emplace(sequence, 0);
    entry->second += nodes;
    if (is_new) young_.bytes += entry_overhead + sequence.size() * sizeof(std::int32_t);
}

const Sequence* RouteCache::find_longer_route(const Generation& generation,
                                              const Sequence& route) const {
    const std::vector<const Sequence*>* shortest = nullptr;
    for (const std::int32_t customer : route) {
        const auto routes = generation.feasible.find(customer);
        if (routes == generation.feasible.end()) return nullptr;
        if (shortest == nullptr || routes->second.size() < shortest->size())
            shortest = &routes->second;
    }
    if (shortest == nullptr) return nullptr;
    const Sequence reverse = reversible_ ? backwards(route) : Sequence{};
    for (const Sequence* longer : *shortest) {
        if (longer->size() <= route.size()) continue;
        if (is_subsequence(route, *longer)) return longer;
        if (reversible_ && is_subsequence(reverse, *longer)) return longer;
    }
    return nullptr;
}

std::optional<Layout> RouteCache::plan_from_longer_route(const Sequence& route,
                                                         const Mirror& mirror) const {
    for (const Generation* generation : {&young_, &old_}) {
        const Sequence* longer = find_longer_route(*generation, route);
        if (longer == nullptr) continue;
        const bool forward = is_subsequence(route, *longer);
        const Known& known = generation->routes.at(*longer);
        const Layout plan = forward ? known.layout : mirror.reversed(*longer, known.layout);
        const Sequence order = forward ? *longer : backwards(*longer);
        Layout cut;
        for (std::size_t stop = 0; stop < order.size(); ++stop) {
            if (cut.size() < route.size() && order[stop] == route[cut.size()])
                cut.push_back(plan[stop]);
        }
        return cut;
    }
    return std::nullopt;
}

void RouteCache::clear() {
    young_ = Generation{};
    old_ = Generation{};
}

}  // namespace tailgate::packing
