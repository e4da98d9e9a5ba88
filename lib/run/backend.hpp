// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a target provides: kernels compiled from loop IR and launched on buffers.
#pragma once

#include "lower/kernel.hpp"
#include "run/sort.hpp"
#include "support/buffer.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sinter::runtime {

/// Where generated code leaves the first failed check. It never throws through a generated frame: the engine looks here.
struct ErrorSlot {
    std::atomic<std::uint32_t> check{0};  ///< 0: none; else the kernel's check id + 1. Whoever sets it writes the rest.
    std::int64_t index = 0;               ///< the offending index (index checks)
    std::int64_t extent = 0;
};

/// One execution of a kernel. Pointers are valid until launch returns.
struct Launch {
    void* const* buffers;       ///< one a kernel buffer
    const std::int64_t* sizes;  ///< one an entry of the kernel's size table
    ErrorSlot* error;
    int threads;  ///< at most this many
};

/// Texts explain() shows.
struct KernelTexts {
    std::string llvm_ir;
    std::string assembly;
};

/// A kernel for one size table and number of threads: all that these decide has been decided. Thread-safe.
class BoundKernel {
  public:
    virtual ~BoundKernel() = default;
    virtual void launch(void* const* buffers, ErrorSlot& error) const = 0;
};

/// Thread-safe: one compiled kernel may be launched by many threads at once.
class CompiledKernel {
  public:
    virtual ~CompiledKernel() = default;
    virtual void launch(const Launch& launch) const = 0;
    /// For launches again and again; must not outlive this kernel.
    virtual std::unique_ptr<const BoundKernel> bind(std::vector<std::int64_t> sizes, int threads) const;
    /// Makes what a launch with these sizes would make first.
    virtual void prepare(const std::int64_t* /*sizes*/) const {}
};

/// A device's own clock.
class Stopwatch {
  public:
    virtual ~Stopwatch() = default;
    /// From when it was made to the end of what this device does now, which is waited for. Once.
    virtual double seconds() = 0;
};

/// Thread-safe.
class Backend {
  public:
    virtual ~Backend() = default;
    /// Everything beside the kernel's text that decides the generated code: target, features, versions.
    virtual std::string identity() const = 0;
    /// The same for people: what, and its value.
    virtual std::vector<std::pair<std::string, std::string>> description() const { return {}; }
    virtual std::unique_ptr<CompiledKernel> compile(const lower::Kernel& kernel) = 0;
    virtual KernelTexts texts(const lower::Kernel& kernel) = 0;
    /// Whether kernels may have local buffers.
    virtual bool has_local_buffers() const { return true; }
    /// What starting a kernel costs, in bytes that kernels could have moved meanwhile.
    virtual double launch_bytes() const = 0;
    /// Whether kernels use the host's memory and have run when launch returns.
    virtual bool immediate() const { return false; }
    /// Memory for an array that kernels write. The host may use it too, once it has waited for it. Throws std::bad_alloc.
    virtual BufferRef allocate(std::size_t bytes) { return sinter::allocate(bytes); }
    /// An array where this backend's kernels reach it without another copy: itself, or a copy that is kept with it. Throws
    /// std::bad_alloc.
    virtual BufferRef resident(const BufferRef& array) { return array; }
    /// sort_rows on the arrays' own side; a launch like any other. False: nothing was done, the host has to do it. Throws
    /// std::bad_alloc.
    virtual bool sort(std::span<const SortColumn> /*columns*/, std::size_t /*keys*/, bool /*descending*/,
                      std::int64_t /*rows*/, std::int64_t /*count*/) {
        return false;
    }
    /// Until the host may read what kernels have written, and write memory that allocate gave. A launch, and an execution,
    /// may return before.
    virtual void finish() {}
    /// Null where launches take the host's time.
    virtual std::unique_ptr<Stopwatch> stopwatch() { return nullptr; }
    /// Of copying its memory, measured once; 0 where that is the host's.
    virtual double copy_bandwidth() { return 0; }
};

}  // namespace sinter::runtime
