#include "linear.hpp"

#include <algorithm>

namespace tailgate::network {

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

}  // namespace tailgate::network
