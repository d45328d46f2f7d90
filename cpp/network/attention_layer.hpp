// One layer of the item encoder: attention over the items of one customer, then a network on each
// item, both with a shortcut and normalised afterwards (Vaswani et al. 2017; torch's
// TransformerEncoderLayer with norm_first=False).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "linear.hpp"
#include "tensor.hpp"

namespace tailgate::network {

class LayerNorm {
  public:
    LayerNorm() = default;
    LayerNorm(TensorReader& reader, const std::string& name, std::size_t size);

    void apply(float* x) const;

  private:
    std::vector<float> weight_;
    std::vector<float> bias_;
};

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
