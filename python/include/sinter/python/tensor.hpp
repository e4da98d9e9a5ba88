// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// sinter.Array, what Python gets for an array: read without a copy through DLPack, NumPy's array interface or memoryview.
#pragma once

#include <sinter/python/elements.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <numeric>
#include <vector>

namespace sinter::python {

/// An immutable array of any element type and rank, row-major. Its memory lives as long as the Python object, and that as
/// long as what reads it.
struct Tensor {
    std::shared_ptr<const void> owner;
    const void* data;
    detail::TensorType type;
    std::vector<std::size_t> shape;

    std::size_t count() const { return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>()); }
};

inline nanobind::tuple shape_of(const Tensor& tensor) {
    nanobind::list extents;
    for (std::size_t extent : tensor.shape) extents.append(extent);
    return nanobind::tuple(extents);
}

/// The array behind `self` as nanobind exports it, which keeps `self` alive.
inline nanobind::object exported(nanobind::handle self) {
    const auto& tensor = nanobind::cast<const Tensor&>(self);
    nanobind::ndarray<nanobind::ro, nanobind::array_api> view(tensor.data, tensor.shape.size(), tensor.shape.data(), self,
                                                              nullptr, {tensor.type.code, tensor.type.bits, 1},
                                                              dlpack::kDLCPU);
    return nanobind::cast(view);
}

inline nanobind::dict array_interface(const Tensor& tensor) {
    nanobind::dict fields;
    fields["version"] = 3;
    fields["typestr"] = element_code(tensor.type);
    fields["shape"] = shape_of(tensor);
    fields["data"] = nanobind::make_tuple(reinterpret_cast<std::uintptr_t>(tensor.data), true);  // true: read only
    return fields;
}

/// Gives the package `sinter` its class Array, unless another module has.
inline void define_tensor() {
    namespace nb = nanobind;
    if (nb::type<Tensor>().is_valid()) return;
    nb::class_<Tensor>(nb::module_::import_("sinter"), "Array",
                       "An array computed by Sinter. It does not change; numpy.asarray(a), numpy.from_dlpack(a) and "
                       "torch.from_dlpack(a) read it in place.")
        .def("__dlpack__",
             [](nb::handle self, const nb::kwargs& options) { return exported(self).attr("__dlpack__")(**options); })
        .def("__dlpack_device__", [](const Tensor&) { return nb::make_tuple(static_cast<int>(dlpack::kDLCPU), 0); })
        .def_prop_ro("__array_interface__", &array_interface)
        .def_prop_ro("shape", &shape_of)
        .def_prop_ro("ndim", [](const Tensor& tensor) { return tensor.shape.size(); })
        .def_prop_ro("size", &Tensor::count)
        .def_prop_ro("dtype", [](const Tensor& tensor) { return element_name(tensor.type); })
        .def("__len__", [](const Tensor& tensor) { return tensor.shape.front(); })
        .def("__repr__", [](const Tensor& tensor) {
            return "sinter.Array(" + element_name(tensor.type) + ", shape " + nb::str(shape_of(tensor)).c_str() + ")";
        });
}

}  // namespace sinter::python
