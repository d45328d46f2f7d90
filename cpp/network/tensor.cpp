#include "tensor.hpp"

#include <numeric>
#include <stdexcept>

namespace tailgate::network {

namespace {

std::string text(const std::vector<std::size_t>& shape) {
    std::string result = "[";
    for (const std::size_t extent : shape) {
        if (result.size() > 1) result += ", ";
        result += std::to_string(extent);
    }
    return result + "]";
}

}  // namespace

const Tensor& TensorReader::find(const std::string& name) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) throw std::invalid_argument("the tensor " + name + " is missing");
    return found->second;
}

std::size_t TensorReader::extent(const std::string& name, std::size_t dimension) const {
    const Tensor& tensor = find(name);
    if (tensor.shape.size() != 2)
        throw std::invalid_argument("the tensor " + name + " has the shape " + text(tensor.shape) +
                                    " instead of two dimensions");
    return tensor.shape[dimension];
}

const std::vector<float>& TensorReader::take(const std::string& name,
                                             const std::vector<std::size_t>& shape) {
    const Tensor& tensor = find(name);
    const std::size_t count =
        std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    if (tensor.shape != shape || tensor.values.size() != count)
        throw std::invalid_argument("the tensor " + name + " has the shape " + text(tensor.shape) +
                                    " instead of " + text(shape));
    taken_[name] = true;
    return tensor.values;
}

void TensorReader::expect_all_taken() const {
    for (const auto& [name, tensor] : tensors_)
        if (!taken_.contains(name))
            throw std::invalid_argument("the tensor " + name + " has no place in this network");
}

}  // namespace tailgate::network
