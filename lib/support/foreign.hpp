// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// C++ functions that programs call.
#pragma once

#include <sinter/detail/scalar.hpp>

#include "support/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sinter {

/// A manifest array of scalars.
struct ForeignArray {
    detail::Scalar scalar;
    std::vector<std::int64_t> shape;
    BufferRef buffer;
};

/// A function and its captures. It lives as long as anything that may call it.
class ForeignFunction {
  public:
    virtual ~ForeignFunction() = default;
    /// The host may read the arrays returned. The function has to be thread-safe, because the programs that call it may run
    /// on several threads. It may change the thread's floating-point environment: the library's is restored at the end of
    /// the call.
    std::vector<ForeignArray> call(std::span<const ForeignArray> arguments) const;
    /// True if it is the same function: the same code with the same captures.
    virtual bool equals(const ForeignFunction& other) const = 0;

  private:
    virtual std::vector<ForeignArray> do_call(std::span<const ForeignArray> arguments) const = 0;
};

using ForeignRef = std::shared_ptr<const ForeignFunction>;

}  // namespace sinter
