// The layers that the network is made of, named as torch names their parts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tensor.hpp"

namespace tailgate::network {

// A linear map with an offset: y = W x + b.
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

class LayerNorm {
  public:
    LayerNorm() = default;
    LayerNorm(TensorReader& reader, const std::string& name, std::size_t size);

    void apply(float* x) const;

  private:
    std::vector<float> weight_;
    std::vector<float> bias_;
};

// One layer of the item encoder: attention over the items of one customer, then a network on each
// item, both with a shortcut and normalised afterwards (Vaswani et al. 2017; torch's
// TransformerEncoderLayer with norm_first=False).
class AttentionLayer {
  public:
    // `name` is what the names of its tensors begin with, such as "layers.0".
    AttentionLayer(TensorReader& reader, const std::string& name, std::size_t size,
                   std::size_t heads);

    // Replaces the vectors of all items, which stand one after another.
    void apply(std::vector<float>& items) const;

  private:
    void attend(std::vector<float>& items) const;

    std::size_t size_;
    std::size_t heads_;
    Linear in_projection_;  // queries, keys, values
    Linear out_projection_;
    LayerNorm norm1_;
    Linear linear1_;
    Linear linear2_;
    LayerNorm norm2_;
};

}  // namespace tailgate::network
