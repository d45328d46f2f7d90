#include "layers.hpp"

#include <algorithm>
#include <cmath>

#include "activations.hpp"

namespace tailgate::network {

constexpr float norm_epsilon = 1e-5F;  // torch's default

Linear::Linear(TensorReader& reader, const std::string& weight, const std::string& bias,
               std::size_t outputs, std::size_t inputs)
    : inputs_(inputs), by_input_(outputs * inputs), bias_(reader.take(bias, {outputs})) {
    const std::vector<float>& by_output = reader.take(weight, {outputs, inputs});
    for (std::size_t output = 0; output < outputs; ++output)
        for (std::size_t input = 0; input < inputs; ++input)
            by_input_[input * outputs + output] = by_output[output * inputs + input];
}

void Linear::apply(const float* __restrict x, float* __restrict y) const {
    const std::size_t count = bias_.size();
    std::copy(bias_.begin(), bias_.end(), y);
    const float* __restrict weights = by_input_.data();
    std::size_t input = 0;
    // Four at once, so that the sums are fetched and stored a quarter as often.
    for (; input + 4 <= inputs_; input += 4, weights += 4 * count) {
        const float a = x[input];
        const float b = x[input + 1];
        const float c = x[input + 2];
        const float d = x[input + 3];
        for (std::size_t output = 0; output < count; ++output)
            y[output] += (weights[output] * a + weights[count + output] * b) +
                         (weights[2 * count + output] * c + weights[3 * count + output] * d);
    }
    for (; input < inputs_; ++input, weights += count)
        for (std::size_t output = 0; output < count; ++output)
            y[output] += weights[output] * x[input];
}

LayerNorm::LayerNorm(TensorReader& reader, const std::string& name, std::size_t size)
    : weight_(reader.take(name + ".weight", {size})), bias_(reader.take(name + ".bias", {size})) {}

void LayerNorm::apply(float* x) const {
    const std::size_t size = weight_.size();
    float mean = 0.0F;
    for (std::size_t i = 0; i < size; ++i) mean += x[i];
    mean /= static_cast<float>(size);
    float variance = 0.0F;
    for (std::size_t i = 0; i < size; ++i) variance += (x[i] - mean) * (x[i] - mean);
    variance /= static_cast<float>(size);
    const float scale = 1.0F / std::sqrt(variance + norm_epsilon);
    for (std::size_t i = 0; i < size; ++i) x[i] = (x[i] - mean) * scale * weight_[i] + bias_[i];
}

AttentionLayer::AttentionLayer(TensorReader& reader, const std::string& name, std::size_t size,
                               std::size_t heads)
    : size_(size),
      heads_(heads),
      in_projection_(reader, name + ".attention.in_proj_weight", name + ".attention.in_proj_bias",
                     3 * size, size),
      out_projection_(reader, name + ".attention.out_proj.weight",
                      name + ".attention.out_proj.bias", size, size),
      norm1_(reader, name + ".norm1", size) {
    const std::size_t inner = reader.rows(name + ".linear1.weight");
    linear1_ = Linear(reader, name + ".linear1.weight", name + ".linear1.bias", inner, size);
    linear2_ = Linear(reader, name + ".linear2.weight", name + ".linear2.bias", size, inner);
    norm2_ = LayerNorm(reader, name + ".norm2", size);
}

void AttentionLayer::apply(std::vector<float>& items) const {
    attend(items);
    std::vector<float> inner(linear1_.outputs());
    std::vector<float> outer(size_);
    for (std::size_t start = 0; start < items.size(); start += size_) {
        float* item = &items[start];
        norm1_.apply(item);
        linear1_.apply(item, inner.data());
        std::transform(inner.begin(), inner.end(), inner.begin(), rectified);
        linear2_.apply(inner.data(), outer.data());
        for (std::size_t i = 0; i < size_; ++i) item[i] += outer[i];
        norm2_.apply(item);
    }
}

void AttentionLayer::attend(std::vector<float>& items) const {
    const std::size_t count = items.size() / size_;
    const std::size_t head_size = size_ / heads_;
    const float scale = 1.0F / std::sqrt(static_cast<float>(head_size));
    std::vector<float> projected(count * 3 * size_);
    for (std::size_t item = 0; item < count; ++item)
        in_projection_.apply(&items[item * size_], &projected[item * 3 * size_]);
    std::vector<float> shares(count);
    std::vector<float> mixture(size_);
    std::vector<float> added(size_);
    for (std::size_t item = 0; item < count; ++item) {
        std::fill(mixture.begin(), mixture.end(), 0.0F);
        for (std::size_t head = 0; head < heads_; ++head) {
            const float* query = &projected[item * 3 * size_ + head * head_size];
            for (std::size_t other = 0; other < count; ++other) {
                const float* key = &projected[other * 3 * size_ + size_ + head * head_size];
                float product = 0.0F;
                for (std::size_t i = 0; i < head_size; ++i) product += query[i] * key[i];
                shares[other] = product * scale;
            }
            const float largest = *std::max_element(shares.begin(), shares.end());
            float sum = 0.0F;
            for (float& share : shares) {
                share = std::exp(share - largest);
                sum += share;
            }
            for (std::size_t other = 0; other < count; ++other) {
                const float* value = &projected[other * 3 * size_ + 2 * size_ + head * head_size];
                for (std::size_t i = 0; i < head_size; ++i)
                    mixture[head * head_size + i] += shares[other] / sum * value[i];
            }
        }
        out_projection_.apply(mixture.data(), added.data());
        for (std::size_t i = 0; i < size_; ++i) items[item * size_ + i] += added[i];
    }
}

}  // namespace tailgate::network
