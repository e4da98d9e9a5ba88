// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Elements as NumPy and DLPack name them.
#pragma once

#include <sinter/dlpack.hpp>

#include <string>

namespace sinter::python {

/// An element's name as NumPy's: "float32", "complex128", "bool".
inline std::string element_name(detail::TensorType type, int lanes = 1) {
    if (lanes != 1) return "vectors of " + std::to_string(lanes) + " elements";
    const std::string bits = std::to_string(type.bits);
    switch (type.code) {
        case dlpack::kDLInt:
            return "int" + bits;
        case dlpack::kDLUInt:
            return "uint" + bits;
        case dlpack::kDLFloat:
            return "float" + bits;
        case dlpack::kDLComplex:
            return "complex" + bits;
        case dlpack::kDLBool:
            return "bool";
        case 4:
            return "bfloat" + bits;
        default:
            return "elements of DLPack's type code " + std::to_string(type.code);
    }
}

/// The same as the array interface of NumPy writes it: "<f4".
inline std::string element_code(detail::TensorType type) {
    const std::string bytes = std::to_string(type.bits / 8);
    switch (type.code) {
        case dlpack::kDLInt:
            return "<i" + bytes;
        case dlpack::kDLUInt:
            return "<u" + bytes;
        case dlpack::kDLFloat:
            return "<f" + bytes;
        case dlpack::kDLComplex:
            return "<c" + bytes;
        default:
            return "|b1";
    }
}

/// "float32" of T.
template <class T>
std::string element_name() {
    return element_name(detail::tensor_type<T>());
}

}  // namespace sinter::python
