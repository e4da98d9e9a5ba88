// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches of parts (schedule/steps/reach.hpp), for kernels that can do them.
#pragma once

#include "run/backend.hpp"
#include "schedule/steps/reach.hpp"

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

/// A kernel for one size table, whose launch ranks share: each executes a part of the points, or some of the chunks that a
/// reduce is cut into. Bits are those of the whole launch. A buffer's pointer is where its element 0 would be. Thread-safe.
class SharedKernel {
  public:
    virtual ~SharedKernel() = default;
    /// Vector instructions of the whole launch.
    virtual double work() const = 0;

    /// Parts along the outermost axis; not `possible` where there are none.
    virtual const schedule::PartFacts& points() const = 0;
    /// The fewest points along it that a part may have, unless it has none.
    virtual std::int64_t least_points() const = 0;
    virtual void launch_points(void* const* buffers, schedule::Interval points, ErrorSlot& error) const = 0;

    /// Parts along the reduced axis, which consist of chunks of this length; not `possible` where there is one chunk only.
    virtual const schedule::PartFacts& reduced() const = 0;
    virtual std::int64_t chunk_length() const = 0;
    /// By value that is reduced: the bytes of a chunk's partial results.
    virtual std::vector<std::size_t> partial_bytes() const = 0;
    /// Makes partial results. partials: by value, memory for those of all chunks, in their order.
    virtual void launch_chunks(void* const* buffers, void* const* partials, schedule::Interval chunks,
                               ErrorSlot& error) const = 0;
    /// Combines the partial results of all chunks, and writes the outputs.
    virtual void finish_chunks(void* const* buffers, void* const* partials, ErrorSlot& error) const = 0;
};

/// What a CompiledKernel may be besides. Thread-safe.
class LaunchedInParts {
  public:
    virtual ~LaunchedInParts() = default;
    /// Null where the kernel cannot run in parts with these sizes. Must not outlive this kernel.
    virtual std::unique_ptr<const PartKernel> bind_parts(const std::int64_t* sizes, int threads) const = 0;
    /// The same for ranks.
    virtual std::shared_ptr<const SharedKernel> bind_shared(const std::int64_t* sizes, int threads) const = 0;
};

}  // namespace sinter::runtime
