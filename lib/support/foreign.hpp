// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// C++ functions that programs call, by number. A number is good for the life of the process.
#pragma once

#include <sinter/detail/scalar.hpp>

#include "support/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sinter {

/// A manifest array of scalars.
struct ForeignArray {
    detail::Scalar scalar;
    std::vector<std::int64_t> shape;
    BufferRef buffer;
};

/// Thread-safe, as the programs that call it may run on several threads.
using ForeignFunction = std::function<std::vector<ForeignArray>(std::span<const ForeignArray>)>;

std::size_t register_foreign(ForeignFunction function);
/// The function may leave the thread's floating-point environment as it likes: its end brings back the library's.
std::vector<ForeignArray> call_foreign(std::size_t number, std::span<const ForeignArray> arguments);

}  // namespace sinter
