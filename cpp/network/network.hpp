// The network that guesses whether a route can be loaded (docs/neural-column-generation.md).
//
// Items of one customer are embedded together by attention; a GRU goes along the route, first
// visited customer first; its last state becomes one number, the logit. Two forms of it:
// - a step per item, as in the paper;
// - a step per customer on the mean of its items: their order cannot matter.
#pragma once

#include <cstddef>
#include <vector>

#include "layers.hpp"
#include "tensor.hpp"

namespace tailgate::network {

enum class Step { item, customer };

// Room for what is computed on the way; one for each thread.
struct Workspace {
    std::vector<float> gates;
    std::vector<float> head_input;
    std::vector<float> head_inner;
};

class Network {
  public:
    // The tensors say how large everything is. Throws std::invalid_argument, naming the tensor, if
    // they do not fit one another.
    Network(const Tensors& tensors, Step step, std::size_t heads);

    // What a customer brings to the GRU: one block of `block_size()` numbers per step, none for a
    // customer without items. Depends on the customer alone, so it is made once.
    // Items are (width, length) as shares of the floor's. Throws std::invalid_argument if there
    // are not `customer_features()` features.
    [[nodiscard]] std::vector<float> blocks(const std::vector<float>& items,
                                            const std::vector<float>& features) const;
    [[nodiscard]] std::size_t block_size() const { return 3 * state_size_; }

    // The state of the GRU, which is zero before the first step.
    [[nodiscard]] std::size_t state_size() const { return state_size_; }
    void step(const float* block, float* state, Workspace& workspace) const;

    // Of a route that ends in this state; there must be `route_features()` of them.
    [[nodiscard]] float logit(const float* state, const float* route_features,
                              Workspace& workspace) const;

    [[nodiscard]] Workspace make_workspace() const;

    [[nodiscard]] std::size_t customer_features() const {
        return gru_input_.inputs() - embedding_.outputs();
    }
    [[nodiscard]] std::size_t route_features() const { return head1_.inputs() - state_size_; }

  private:
    Step step_;
    Linear embedding_;
    std::vector<AttentionLayer> layers_;
    // Blocks of rows: reset gate, update gate, candidate, as torch has them.
    Linear gru_input_;
    Linear gru_state_;
    Linear head1_;
    Linear head2_;
    std::size_t state_size_ = 0;
};

}  // namespace tailgate::network
