#include "network.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "activations.hpp"

namespace tailgate::network {

constexpr std::size_t item_numbers = 2;  // width and length

Network::Network(const Tensors& tensors, Step step, std::size_t heads) : step_(step) {
    TensorReader reader(tensors);
    const std::size_t size = reader.rows("embed.weight");
    if (heads == 0 || size == 0 || size % heads != 0)
        throw std::invalid_argument("embed.weight: " + std::to_string(size) +
                                    " numbers cannot be shared out between " +
                                    std::to_string(heads) + " heads");
    embedding_ = Linear(reader, "embed.weight", "embed.bias", size, item_numbers);
    for (std::size_t layer = 0;; ++layer) {
        const std::string name = "layers." + std::to_string(layer);
        if (!reader.has(name + ".norm1.weight")) break;
        layers_.emplace_back(reader, name, size, heads);
    }
    state_size_ = reader.columns("gru.weight_hh");
    const std::size_t inputs = reader.columns("gru.weight_ih");
    if (inputs < size || (step == Step::item && inputs != size))
        throw std::invalid_argument("gru.weight_ih takes " + std::to_string(inputs) +
                                    " numbers, and an embedding has " + std::to_string(size));
    gru_input_ = Linear(reader, "gru.weight_ih", "gru.bias_ih", 3 * state_size_, inputs);
    gru_state_ = Linear(reader, "gru.weight_hh", "gru.bias_hh", 3 * state_size_, state_size_);
    const std::size_t head_inputs = reader.columns("head.0.weight");
    const std::size_t head_inner = reader.rows("head.0.weight");
    if (head_inputs < state_size_)
        throw std::invalid_argument("head.0.weight takes " + std::to_string(head_inputs) +
                                    " numbers, and a state has " + std::to_string(state_size_));
    head1_ = Linear(reader, "head.0.weight", "head.0.bias", head_inner, head_inputs);
    head2_ = Linear(reader, "head.2.weight", "head.2.bias", 1, head_inner);
    reader.expect_all_taken();
}

Workspace Network::make_workspace() const {
    return {std::vector<float>(block_size()), std::vector<float>(head1_.inputs()),
            std::vector<float>(head1_.outputs())};
}

std::vector<float> Network::blocks(const std::vector<float>& items,
                                   const std::vector<float>& features) const {
    if (items.size() % item_numbers != 0)
        throw std::invalid_argument("an item has a width and a length");
    if (features.size() != customer_features())
        throw std::invalid_argument("a customer has " + std::to_string(features.size()) +
                                    " features, and the network takes " +
                                    std::to_string(customer_features()));
    const std::size_t count = items.size() / item_numbers;
    if (count == 0) return {};
    const std::size_t size = embedding_.outputs();
    std::vector<float> embedded(count * size);
    for (std::size_t item = 0; item < count; ++item)
        embedding_.apply(&items[item * item_numbers], &embedded[item * size]);
    for (const AttentionLayer& layer : layers_) layer.apply(embedded);
    if (step_ == Step::customer) {
        std::vector<float> mean(size, 0.0F);
        for (std::size_t i = 0; i < embedded.size(); ++i) mean[i % size] += embedded[i];
        for (float& number : mean) number /= static_cast<float>(count);
        embedded = std::move(mean);
        embedded.insert(embedded.end(), features.begin(), features.end());
    }
    const std::size_t steps = embedded.size() / gru_input_.inputs();
    std::vector<float> result(steps * block_size());
    for (std::size_t i = 0; i < steps; ++i)
        gru_input_.apply(&embedded[i * gru_input_.inputs()], &result[i * block_size()]);
    return result;
}

void Network::step(const float* block, float* state, Workspace& workspace) const {
    const std::size_t size = state_size_;
    float* gates = workspace.gates.data();
    gru_state_.apply(state, gates);
    for (std::size_t i = 0; i < 2 * size; ++i) gates[i] = sigmoid(block[i] + gates[i]);
    const float* reset = gates;
    const float* update = gates + size;
    float* candidate = gates + 2 * size;
    for (std::size_t i = 0; i < size; ++i)
        candidate[i] = hyperbolic_tangent(block[2 * size + i] + reset[i] * candidate[i]);
    for (std::size_t i = 0; i < size; ++i)
        state[i] = candidate[i] + update[i] * (state[i] - candidate[i]);
}

float Network::logit(const float* state, const float* route_features, Workspace& workspace) const {
    auto& [gates, input, inner] = workspace;
    const auto end = std::copy(state, state + state_size_, input.begin());
    std::copy(route_features, route_features + this->route_features(), end);
    head1_.apply(input.data(), inner.data());
    std::transform(inner.begin(), inner.end(), inner.begin(), rectified);
    float result = 0.0F;
    head2_.apply(inner.data(), &result);
    return result;
}

}  // namespace tailgate::network
