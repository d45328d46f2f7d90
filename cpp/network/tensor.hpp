// Named arrays of numbers, as a file of weights holds them.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailgate::network {

struct Tensor {
    std::vector<std::size_t> shape;
    std::vector<float> values;  // by rows
};

using Tensors = std::map<std::string, Tensor>;

// Hands out tensors and sees to it that each has the shape that is asked for. Errors name the
// tensor: the caller may have the wrong file.
class TensorReader {
  public:
    explicit TensorReader(const Tensors& tensors) : tensors_(tensors) {}

    [[nodiscard]] bool has(const std::string& name) const { return tensors_.contains(name); }
    // Throws std::invalid_argument if it is missing or has another shape.
    const std::vector<float>& take(const std::string& name, const std::vector<std::size_t>& shape) {
        const Tensor& tensor = find(name);
        const std::size_t count =
            std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
        if (tensor.shape != shape || tensor.values.size() != count)
            throw std::invalid_argument("the tensor " + name + " has the shape " +
                                        text(tensor.shape) + " instead of " + text(shape));
        taken_[name] = true;
        return tensor.values;
    }
    // Of a tensor with two dimensions.
    [[nodiscard]] std::size_t rows(const std::string& name) const { return extent(name, 0); }
    [[nodiscard]] std::size_t columns(const std::string& name) const { return extent(name, 1); }
    // Throws std::invalid_argument if a tensor was never taken: it belongs to something else.
    void expect_all_taken() const {
        for (const auto& [name, tensor] : tensors_)
            if (!taken_.contains(name))
                throw std::invalid_argument("the tensor " + name + " has no place in this network");
    }

  private:
    static std::string text(const std::vector<std::size_t>& shape) {
        std::string result = "[";
        for (const std::size_t extent : shape) {
            if (result.size() > 1) result += ", ";
            result += std::to_string(extent);
        }
        return result + "]";
    }
    [[nodiscard]] std::size_t extent(const std::string& name, std::size_t dimension) const {
        const Tensor& tensor = find(name);
        if (tensor.shape.size() != 2)
            throw std::invalid_argument("the tensor " + name + " has the shape " +
                                        text(tensor.shape) + " instead of two dimensions");
        return tensor.shape[dimension];
    }
    [[nodiscard]] const Tensor& find(const std::string& name) const {
        const auto found = tensors_.find(name);
        if (found == tensors_.end())
            throw std::invalid_argument("the tensor " + name + " is missing");
        return found->second;
    }

    const Tensors& tensors_;
    std::map<std::string, bool> taken_;
};

}  // namespace tailgate::network
