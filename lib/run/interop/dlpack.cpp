// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sinter/dlpack.hpp>

#include "ir/sizes/size_arithmetic.hpp"

#include <fmt/format.h>

namespace sinter::detail {
namespace {

std::string print_type(TensorType type, int lanes) {
    const char* name = type.code == dlpack::kDLInt       ? "int"
                       : type.code == dlpack::kDLUInt    ? "uint"
                       : type.code == dlpack::kDLFloat   ? "float"
                       : type.code == dlpack::kDLComplex ? "complex"
                       : type.code == dlpack::kDLBool    ? "bool"
                                                         : nullptr;
    std::string text =
        name ? fmt::format("{}{}", name, type.bits) : fmt::format("type code {} of {} bits", type.code, type.bits);
    return lanes == 1 ? text : fmt::format("{} lanes of {}", lanes, text);
}

}  // namespace

void check_tensor(std::int32_t device, TensorType type, std::uint16_t lanes, std::int32_t rank, const std::int64_t* shape,
                  TensorType expected_type, std::int32_t expected_rank, location where) {
    if (device != dlpack::kDLCPU && device != dlpack::kDLCUDAHost)
        throw UsageError(fmt::format("from_dlpack: the tensor is on a device of type {}, not in host memory", device),
                         where);
    if (type != expected_type || lanes != 1)
        throw UsageError(fmt::format("from_dlpack: the tensor's elements are {}, expected {}", print_type(type, lanes),
                                     print_type(expected_type, 1)),
                         where);
    if (rank != expected_rank)
        throw ShapeError(fmt::format("from_dlpack: the tensor has rank {}, expected {}", rank, expected_rank), where);
    for (std::int32_t k = 0; k < rank; ++k) {
        if (shape[k] < 0)
            throw ShapeError(fmt::format("from_dlpack: the tensor has extent {} on axis {}", shape[k], k), where);
    }
    const std::string problem = ir::describe_bad_shape({shape, static_cast<std::size_t>(rank)});
    if (!problem.empty()) throw ShapeError("from_dlpack: " + problem, where);
}

bool is_compact(const std::int64_t* shape, const std::int64_t* strides, std::size_t rank) {
    if (!strides) return true;
    std::int64_t step = 1;
    for (std::size_t k = rank; k-- > 0;) {
        if (shape[k] != 1 && strides[k] != step) return false;
        step = ir::sizes::mul(step, shape[k]);
    }
    return true;
}

bool are_booleans(const char* bytes, std::size_t count) {
    unsigned char all = 0;
    for (std::size_t k = 0; k < count; ++k) all |= static_cast<unsigned char>(bytes[k]);
    return all <= 1;
}

}  // namespace sinter::detail
