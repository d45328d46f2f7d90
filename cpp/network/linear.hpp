// A linear map with an offset: y = W x + b.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tensor.hpp"

namespace tailgate::network {

class Linear {
  public:
    Linear() = default;
    // Named as torch names the parts of a layer.
    Linear(TensorReader& reader, const std::string& weight, const std::string& bias,
           std::size_t outputs, std::size_t inputs);

    [[nodiscard]] std::size_t outputs() const { return bias_.size(); }
    [[nodiscard]] std::size_t inputs() const { return inputs_; }

    void apply(const float* x, float* y) const;

  private:
    std::size_t inputs_ = 0;
    std::vector<float> by_input_;  // the weights of one input for all outputs stand together
    std::vector<float> bias_;
};

}  // namespace tailgate::network
