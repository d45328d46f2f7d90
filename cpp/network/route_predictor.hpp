// The network for the routes of one instance.
//
// What the customers bring is computed once. The states along the last route are kept: routes that
// begin alike, as those of one pricing do, share the steps of their beginning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "network.hpp"

namespace tailgate::network {

using Route = std::vector<std::int32_t>;  // customers 1..n in visiting order

struct CustomerInput {
    std::vector<float> items;     // width and length of each, as shares of the floor's
    std::vector<float> features;  // into the GRU, beside the items
    std::vector<float> terms;     // a feature of a route is the sum of its customers' terms
};

// Not to be shared between threads.
class RoutePredictor {
  public:
    // Throws std::invalid_argument if there are not as many features as the network takes.
    RoutePredictor(std::shared_ptr<const Network> network,
                   const std::vector<CustomerInput>& customers);

    // How much speaks for a route: feasible where positive, if the network is right. Throws
    // std::out_of_range if there is no such customer.
    float logit(const Route& route);
    // Of many, in an order that shares the most work; the answers are in the order of the routes.
    std::vector<float> logits(const std::vector<Route>& routes);

    // How many steps of the GRU were made, and how many the kept states have saved.
    [[nodiscard]] std::int64_t steps() const { return steps_; }
    [[nodiscard]] std::int64_t steps_saved() const { return steps_saved_; }

  private:
    [[nodiscard]] std::size_t steps_of(std::int32_t customer) const {
        return blocks_[static_cast<std::size_t>(customer)].size() / network_->block_size();
    }

    std::shared_ptr<const Network> network_;
    Workspace workspace_;
    std::vector<std::vector<float>> blocks_;  // by customer
    std::vector<std::vector<float>> terms_;
    Route last_;
    std::size_t stride_;         // of a state with the sums of the terms
    std::vector<float> states_;  // before the first stop of the last route, and after each
    std::int64_t steps_ = 0;
    std::int64_t steps_saved_ = 0;
};

}  // namespace tailgate::network
