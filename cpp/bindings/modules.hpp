// The parts of the extension, one file each, and what all of them use.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "signal_watch.hpp"

namespace tailgate::bindings {

namespace nb = nanobind;
using namespace nb::literals;
using Statistics = std::map<std::string, double>;

// Numbers by rows, copied as one block: a table of a thousand places has a million.
using Table = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
inline std::vector<double> numbers_of(const Table& table) {
    return {table.data(), table.data() + table.size()};
}

void bind_network(nb::module_& module);
void bind_pricing(nb::module_& module);
void bind_routing(nb::module_& module);

}  // namespace tailgate::bindings
