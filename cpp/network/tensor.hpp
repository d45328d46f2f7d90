// Named arrays of numbers, as a file of weights holds them.
#pragma once

#include <cstddef>
#include <map>
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
    const std::vector<float>& take(const std::string& name, const std::vector<std::size_t>& shape);
    // Of a tensor with two dimensions.
    [[nodiscard]] std::size_t rows(const std::string& name) const { return extent(name, 0); }
    [[nodiscard]] std::size_t columns(const std::string& name) const { return extent(name, 1); }
    // Throws std::invalid_argument if a tensor was never taken: it belongs to something else.
    void expect_all_taken() const;

  private:
    [[nodiscard]] std::size_t extent(const std::string& name, std::size_t dimension) const;
    [[nodiscard]] const Tensor& find(const std::string& name) const;

    const Tensors& tensors_;
    std::map<std::string, bool> taken_;
};

}  // namespace tailgate::network
