// The parts of the extension, one file each.
#pragma once

#include <nanobind/nanobind.h>

namespace tailgate::bindings {

void bind_network(nanobind::module_& module);
void bind_pricing(nanobind::module_& module);
void bind_routing(nanobind::module_& module);

}  // namespace tailgate::bindings
