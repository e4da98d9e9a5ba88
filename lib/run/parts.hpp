// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches of parts (schedule/steps/reach.hpp), for kernels that can do them.
#pragma once

#include "run/backend.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace sinter::runtime {

/// A kernel for one size table, of whose whole launch parts are executed. Thread-safe.
class PartKernel {
  public:
    virtual ~PartKernel() = default;
    /// Vector instructions of the whole launch.
    virtual double work() const = 0;
    /// Executes the points [begin, end) of the outermost parallel axis, at least one, on the caller's thread; bits are those
    /// of the whole launch. A buffer's pointer is where its element 0 would be, and need not point to memory where the part
    /// touches other elements only. `kept`: what is written is read soon, and goes to the caches however large it all is.
    virtual void launch(void* const* buffers, std::int64_t begin, std::int64_t end, bool kept, ErrorSlot& error) const = 0;
};

/// What a CompiledKernel may be besides. Thread-safe.
class LaunchedInParts {
  public:
    virtual ~LaunchedInParts() = default;
    /// Null where the kernel cannot run in parts with these sizes. Must not outlive this kernel.
    virtual std::unique_ptr<const PartKernel> bind_parts(const std::int64_t* sizes, int threads) const = 0;
};

}  // namespace sinter::runtime
