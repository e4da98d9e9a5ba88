// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a target provides: kernels compiled from loop IR and launched on buffers.
#pragma once

#include "lower/kernel.hpp"
#include "run/execute/sort.hpp"
#include "support/buffer.hpp"
#include "support/text/debug_output.hpp"
#include "support/threads/run_control.hpp"

#include <sinter/error.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sinter::runtime {

/// An operation of the user's program.
struct UserOperation {
    ir::SiteId site;
    std::string name;  ///< where the site has none
};

/// A kernel that is legal, but needs more than its code may take. Backend::compile and texts throw it, and a kernel's
/// launch, bind and prepare; the engine adds which operation it is, and the user's line.
class CodeTooLarge : public Limitation {
  public:
    explicit CodeTooLarge(const std::string& problem, UserOperation operation = {})
        : Limitation(problem, location()), operation_(std::move(operation)) {}
    /// Once it is known.
    const UserOperation& operation() const { return operation_; }

  private:
    UserOperation operation_;
};

/// Where generated code leaves the first failed check. It never throws through a generated frame: the engine looks here.
struct ErrorSlot {
    std::atomic<std::uint32_t> check{0};  ///< 0: none; else the kernel's check id + 1. Whoever sets it writes the rest.
    std::int64_t index = 0;               ///< the offending index (index checks), the segment's number (lengths)
    std::int64_t extent = 0;
    DebugPlace debug = {};  ///< of what the kernel prints
};

/// One execution of a kernel. Pointers are valid until launch returns.
struct Launch {
    void* const* buffers;       ///< one a kernel buffer
    const std::int64_t* sizes;  ///< one an entry of the kernel's size table
    ErrorSlot* error;
    int threads;                  ///< at most this many
    const void* guard = nullptr;  ///< a flag of a Lookahead: if it is not set when the kernel's turn comes, nothing happens
    void* record = nullptr;       ///< of a Lookahead: where a failed check is left, in place of `error`
    const RunControl* control = nullptr;  ///< when it stops, work may be left out; then what is written means nothing
};

/// Launches ahead of the conditions that decide whether they are wanted: the device itself looks at flags that earlier
/// kernels have written, and the host asks for the outcome of many at once. Its memory is the device's.
class Lookahead {
  public:
    virtual ~Lookahead() = default;
    /// A byte, 0 until a kernel writes it.
    virtual void* flag(std::size_t k) const = 0;
    virtual void* record(std::size_t k) const = 0;
    /// Waits for all that was launched; then the following are known.
    virtual void finish() = 0;
    virtual bool is_set(std::size_t flag) const = 0;
    /// Whether a check has failed; which one is left in `error`.
    virtual bool has_failed(std::size_t record, ErrorSlot& error) const = 0;
};

/// Texts explain() shows.
struct KernelTexts {
    std::string schedule;  ///< how the kernel runs on arrays of usual sizes, and why
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
    /// Whether a launch with these sizes may have a guard.
    virtual bool may_be_guarded(const std::int64_t* /*sizes*/) const { return false; }
    /// How a launch with these sizes runs, and why, in one line; empty where there is nothing to say.
    virtual std::string schedule(const std::int64_t* /*sizes*/, int /*threads*/) const { return {}; }
    /// Makes what a launch with these sizes would make first.
    virtual void prepare(const std::int64_t* /*sizes*/) const {}
};

/// Bound kernels, launched one after another again and again. Thread-safe.
class Sequence {
  public:
    virtual ~Sequence() = default;
    /// `arrays`: memory of the kernels' buffers, by position. False: nothing was done, they have to be launched one by one.
    /// Throws std::bad_alloc.
    virtual bool launch(std::span<void* const> arrays) const = 0;
};

/// A kernel of a sequence.
struct SequenceItem {
    const BoundKernel* kernel;
    std::vector<std::size_t> buffers;  ///< positions in the arrays
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
    /// Flags, all 0, and records for launches with guards. Throws std::bad_alloc.
    virtual std::unique_ptr<Lookahead> look_ahead(std::size_t /*flags*/, std::size_t /*records*/) { return nullptr; }
    /// For kernels of this backend that outlive it; null where it would gain nothing.
    virtual std::unique_ptr<const Sequence> sequence(std::vector<SequenceItem> /*items*/) { return nullptr; }
    /// Between arrays of this backend's, a launch like any other. False: nothing was done, the host has to do it.
    virtual bool copy(void* /*to*/, const void* /*from*/, std::size_t /*bytes*/) { return false; }
    /// Until the host may read what kernels have written, and write memory that allocate gave. A launch, and an execution,
    /// may return before.
    virtual void finish() {}
    /// A few bytes that kernels may have written, to the host.
    virtual void read(void* to, const void* from, std::size_t bytes) {
        finish();
        std::memcpy(to, from, bytes);
    }
    /// Null where launches take the host's time.
    virtual std::unique_ptr<Stopwatch> stopwatch() { return nullptr; }
    /// Of copying its memory, measured once; 0 where that is the host's.
    virtual double copy_bandwidth() { return 0; }
};

/// What runs the kernels that a backend leaves to the host: the host's backend, made when it is first asked for.
using HostBackend = std::function<Backend&()>;

}  // namespace sinter::runtime
