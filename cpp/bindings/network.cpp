// The network at the border between Python and the core: conversions only, no logic.
#include <nanobind/stl/shared_ptr.h>

#include <stdexcept>

#include "modules.hpp"
#include "network/route_predictor.hpp"

using namespace tailgate::network;

namespace tailgate::bindings {

namespace {

using Array = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;
using Lists = std::vector<std::vector<float>>;

std::shared_ptr<Network> make_network(const std::map<std::string, Array>& tensors,
                                      bool step_per_customer, std::size_t heads) {
    Tensors copies;
    for (const auto& [name, array] : tensors) {
        Tensor& copy = copies[name];
        for (std::size_t i = 0; i < array.ndim(); ++i) copy.shape.push_back(array.shape(i));
        copy.values.assign(array.data(), array.data() + array.size());
    }
    return std::make_shared<Network>(copies, step_per_customer ? Step::customer : Step::item,
                                     heads);
}

RoutePredictor* make_predictor(std::shared_ptr<Network> network, const Lists& items,
                               const Lists& features, const Lists& terms) {
    if (items.size() != features.size() || items.size() != terms.size())
        throw std::invalid_argument("items, features and terms are not of as many customers");
    std::vector<CustomerInput> customers;
    for (std::size_t i = 0; i < items.size(); ++i)
        customers.push_back({items[i], features[i], terms[i]});
    return new RoutePredictor(std::move(network), customers);
}

}  // namespace

void bind_network(nb::module_& module) {
    nb::class_<Network>(module, "Network", "Guesses whether routes can be loaded.")
        .def(nb::new_(&make_network), "tensors"_a, "step_per_customer"_a, "heads"_a,
             "Arrays of 32-bit floats by name; a ValueError names the one that does not fit.")
        .def_prop_ro("customer_features", &Network::customer_features)
        .def_prop_ro("route_features", &Network::route_features);

    nb::class_<RoutePredictor>(
        module, "RoutePredictor",
        "The network for the routes of one instance. Not to be shared between threads.")
        .def(nb::new_(&make_predictor), "network"_a, "items"_a, "features"_a, "terms"_a,
             "One list of numbers per customer each: width and length of every item, features, and "
             "terms whose sums are the features of a route.")
        .def("logit", &RoutePredictor::logit, "route"_a, "Customers 1..n in visiting order.")
        .def("logits", &RoutePredictor::logits, "routes"_a, "Of many, with less work.")
        .def_prop_ro("steps", &RoutePredictor::steps)
        .def_prop_ro("steps_saved", &RoutePredictor::steps_saved);
}

}  // namespace tailgate::bindings
