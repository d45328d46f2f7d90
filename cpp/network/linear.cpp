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

void Linear::apply(const float* x, float* y) const {
    const std::size_t count = bias_.size();
    std::copy(bias_.begin(), bias_.end(), y);
    for (std::size_t input = 0; input < inputs_; ++input) {
        const float factor = x[input];
        const float* weights = &by_input_[input * count];
        for (std::size_t output = 0; output < count; ++output)
            y[output] += weights[output] * factor;
    }
}

}  // namespace tailgate::network
