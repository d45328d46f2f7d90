#include "route_predictor.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace tailgate::network {

RoutePredictor::RoutePredictor(std::shared_ptr<const Network> network,
                               const std::vector<CustomerInput>& customers)
    : network_(std::move(network)),
      workspace_(network_->make_workspace()),
      stride_(network_->state_size() + network_->route_features()),
      states_(stride_, 0.0F) {
    blocks_.emplace_back();
    terms_.emplace_back();
    for (const CustomerInput& customer : customers) {
        if (customer.terms.size() != network_->route_features())
            throw std::invalid_argument("a customer has terms of " +
                                        std::to_string(customer.terms.size()) +
                                        " route features, and the network takes " +
                                        std::to_string(network_->route_features()));
        blocks_.push_back(network_->blocks(customer.items, customer.features));
        terms_.push_back(customer.terms);
    }
}

float RoutePredictor::logit(const Route& route) {
    for (const std::int32_t customer : route)
        if (customer < 1 || static_cast<std::size_t>(customer) >= blocks_.size())
            throw std::out_of_range("customer " + std::to_string(customer) + " does not exist");
    const auto same = static_cast<std::size_t>(
        std::mismatch(route.begin(), route.end(), last_.begin(), last_.end()).first -
        route.begin());
    states_.resize((route.size() + 1) * stride_);
    for (std::size_t stop = 0; stop < route.size(); ++stop) {
        const std::size_t steps = steps_of(route[stop]);
        if (stop < same) {
            steps_saved_ += static_cast<std::int64_t>(steps);
            continue;
        }
        float* state = &states_[(stop + 1) * stride_];
        std::copy(state - stride_, state, state);
        const auto customer = static_cast<std::size_t>(route[stop]);
        for (std::size_t step = 0; step < steps; ++step)
            network_->step(&blocks_[customer][step * network_->block_size()], state, workspace_);
        float* sums = state + network_->state_size();
        for (std::size_t i = 0; i < terms_[customer].size(); ++i) sums[i] += terms_[customer][i];
        steps_ += static_cast<std::int64_t>(steps);
    }
    last_ = route;
    const float* state = &states_[route.size() * stride_];
    return network_->logit(state, state + network_->state_size(), workspace_);
}

std::vector<float> RoutePredictor::logits(const std::vector<Route>& routes) {
    std::vector<std::size_t> order(routes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return routes[a] < routes[b]; });
    std::vector<float> result(routes.size());
    for (const std::size_t index : order) result[index] = logit(routes[index]);
    return result;
}

}  // namespace tailgate::network
