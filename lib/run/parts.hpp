// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches of parts (schedule/steps/reach.hpp), for kernels that can do them.
#pragma once

#include "run/backend.hpp"
#include "schedule/steps/reach.hpp"

#include <cstdint>
#include <memory>
#include <string>
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

/// A kernel for one size table, whose launch ranks share, or which is one of a cascade: each executes a part of the points,
/// or some of the chunks that a reduce is cut into. Bits are those of the whole launch. A buffer's pointer is where its
/// element 0 would be. Thread-safe.
class SharedKernel {
  public:
    virtual ~SharedKernel() = default;
    /// Vector instructions of the whole launch; and those of every part of points, however small it is.
    virtual double work() const = 0;
    virtual double work_of_part() const { return 0; }
    /// Whether parts of points need memory for partial results of the whole launch.
    virtual bool has_partials_of_points() const { return false; }

    /// Why it has no parts at all, for people; empty if it may have some.
    virtual std::string refusal() const { return {}; }

    /// Parts along the outermost axis; not `possible` where there are none.
    virtual const schedule::PartFacts& points() const = 0;
    /// The fewest points along it that a part may have, unless it has none.
    virtual std::int64_t least_points() const = 0;
    /// `kept`: what is written is read soon, and goes to the caches however large it all is.
    virtual void launch_points(void* const* buffers, schedule::Interval points, ErrorSlot& error,
                               bool kept = false) const = 0;

    /// What the loop is whose axis is cut into chunks.
    /// Updates have no loop of their own: their chunks are runs of points, each with copies of the arrays that it updates.
    enum class Loop : std::uint8_t { fold, scan, compact, update };
    virtual Loop loop() const = 0;
    /// Parts along this axis, which consist of chunks of this length; not `possible` where there is one chunk only.
    virtual const schedule::PartFacts& reduced() const = 0;
    virtual std::int64_t chunk_length() const = 0;
    /// Their number: the last one may be longer.
    virtual std::int64_t chunks() const = 0;
    /// The bytes of a chunk's partial results, by value: of a fold, of a scan as totals and again as what comes before the
    /// chunk, of a compact as the number of kept elements and of those before. Memory for them is that for all chunks, and
    /// one more, in their order; the functions below take its addresses.
    virtual std::vector<std::size_t> partial_bytes() const = 0;
    /// Of updates: the buffers of which there are copies, in the order of partial results; and whether the bits are the same
    /// in whatever order copies are combined.
    virtual std::vector<std::size_t> updated() const { return {}; }
    virtual bool joins_in_any_order() const { return false; }
    /// Of updates: combines these partial results, in their order, into the first of them.
    virtual void join_chunks(void* const* /*buffers*/, void* const* /*partials*/, schedule::Interval /*chunks*/,
                             ErrorSlot& /*error*/) const {}
    /// Makes partial results: of a fold, the totals of a scan, or updated copies.
    virtual void launch_chunks(void* const* buffers, void* const* partials, schedule::Interval chunks,
                               ErrorSlot& error) const = 0;
    /// Of a scan: finds what comes before each of all chunks.
    virtual void chain_chunks(void* const* buffers, void* const* partials, ErrorSlot& error) const = 0;
    /// Of a scan: writes the elements of these chunks.
    virtual void complete_chunks(void* const* buffers, void* const* partials, schedule::Interval chunks,
                                 ErrorSlot& error) const = 0;
    /// Of a compact: the buffer of the first kept value; the others follow.
    virtual std::size_t first_kept() const = 0;
    virtual std::size_t kept_values() const = 0;
    /// Of a compact: writes what is kept of these chunks side by side to where the buffers of kept values point, which have
    /// room for all elements of the chunks. Returns how many there are.
    virtual std::int64_t keep_chunks(void* const* buffers, schedule::Interval chunks, ErrorSlot& error) const = 0;
    /// Combines the partial results of all chunks, and writes the outputs that are not parts.
    virtual void finish_chunks(void* const* buffers, void* const* partials, ErrorSlot& error) const = 0;
};

/// What a CompiledKernel may be besides. Thread-safe.
class LaunchedInParts {
  public:
    virtual ~LaunchedInParts() = default;
    /// Null where the kernel cannot run in parts with these sizes. Must not outlive this kernel.
    virtual std::unique_ptr<const PartKernel> bind_parts(const std::int64_t* sizes, int threads) const = 0;
    /// The same for ranks and cascades.
    virtual std::shared_ptr<const SharedKernel> bind_shared(const std::int64_t* sizes, int threads) const = 0;
};

}  // namespace sinter::runtime
