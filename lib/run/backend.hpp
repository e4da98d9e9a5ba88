// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a target provides: kernels compiled from loop IR and launched on buffers.
#pragma once

#include "lower/kernel.hpp"
#include "run/execute/sort.hpp"
#include "run/threads/thread_use.hpp"
#include "support/buffer.hpp"
#include "support/text/debug_output.hpp"
#include "support/threads/run_control.hpp"

#include <sinter/error.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
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

/// A kernel that is legal, but whose code would need more memory than it may have. Backend::compile and texts throw it, and
/// so do a kernel's launch, bind and prepare; the engine adds the operation and the user's line.
class CodeTooLarge : public Limitation {
  public:
    explicit CodeTooLarge(const std::string& problem, UserOperation operation = {})
        : Limitation(problem, location()), operation_(std::move(operation)) {}
    /// Returns the operation, once it is known.
    const UserOperation& operation() const { return operation_; }

  private:
    UserOperation operation_;
};

/// Where generated code leaves the first failed check. It never throws through a generated frame; the engine looks here.
struct ErrorSlot {
    std::atomic<std::uint32_t> check{0};  ///< 0: none; else the kernel's check id + 1. Whoever sets it writes the rest.
    std::int64_t index = 0;               ///< the offending index (index checks) or the segment's number (lengths)
    std::int64_t extent = 0;
    DebugPlace debug = {};  ///< for what the kernel prints
};

/// One execution of a kernel. Pointers are valid until launch returns.
struct Launch {
    void* const* buffers;       ///< one per buffer of the kernel
    const std::int64_t* sizes;  ///< one per entry of the kernel's size table
    ErrorSlot* error;
    int threads;                  ///< the largest number of threads
    const void* guard = nullptr;  ///< a flag of a Lookahead: if it is not set when it is the kernel's turn, nothing happens
    void* record = nullptr;       ///< of a Lookahead: where a failed check is left, instead of in `error`
    const RunControl* control = nullptr;  ///< when it stops, work may be left out; what is written then is meaningless
    bool may_branch = false;              ///< other launches of the plan do not depend on it, so they may run at once
    ThreadUse thread_use = ThreadUse::worthwhile;  ///< how long it has to take to be shared by threads
};

/// Launches made ahead of the conditions that decide whether they are wanted: the device itself looks at flags that earlier
/// kernels have written, and the host asks for the outcome of many launches at once. The memory belongs to the device.
class Lookahead {
  public:
    virtual ~Lookahead() = default;
    /// A byte that is 0 until a kernel writes it.
    virtual void* flag(std::size_t k) const = 0;
    virtual void* record(std::size_t k) const = 0;
    /// Waits for everything that was launched. After that, the functions below may be called.
    virtual void finish() = 0;
    virtual bool is_set(std::size_t flag) const = 0;
    /// True if a check has failed; the check is left in `error`.
    virtual bool has_failed(std::size_t record, ErrorSlot& error) const = 0;
};

/// Memory of a device that the host cannot address. Thread-safe.
class RemoteMemory {
  public:
    virtual ~RemoteMemory() = default;
    /// The device, for messages.
    virtual std::string device() const = 0;
    /// True if an array of this memory begins at the address.
    virtual bool contains(const void* memory) const = 0;
    /// Copies to the host what the memory contains when all earlier launches are done. Throws DeviceError.
    virtual void read(void* to, const void* from, std::size_t bytes) = 0;
    /// Copies from the host, after all earlier launches. When it returns, `from` may change or be freed. Throws DeviceError.
    virtual void write(void* to, const void* from, std::size_t bytes) = 0;
};

/// The texts that explain() shows.
struct KernelTexts {
    std::string schedule;  ///< how the kernel runs on arrays of usual sizes, and why
    std::string llvm_ir;
    std::string assembly;
};

/// A kernel for one size table and number of threads: everything that these decide has been decided. Thread-safe.
class BoundKernel {
  public:
    virtual ~BoundKernel() = default;
    virtual void launch(void* const* buffers, ErrorSlot& error) const = 0;
};

/// A kernel that one thread launches again and again, with sizes that change now and then.
class RepeatedKernel {
  public:
    virtual ~RepeatedKernel() = default;
    /// Before the first launch, and where sizes, or `among_shared`, have changed. `sizes`: the kernel's size table, which
    /// stays where it is. `among_shared`: launches before and after this one are shared by threads, which have their parts
    /// of the arrays in their caches.
    virtual void resize(const std::int64_t* sizes, bool among_shared) = 0;
    /// Returns true if threads shared the launch because of its own work. `control`, `thread_use`: as those of a Launch.
    virtual bool launch(void* const* buffers, ErrorSlot& error, const RunControl* control, ThreadUse thread_use) = 0;
    /// In vector instructions, for one thread, with the sizes that it has; 0 where that is not known.
    virtual double work() const { return 0; }
};

/// A compiled kernel. Thread-safe: many threads may launch it at once.
class CompiledKernel {
  public:
    virtual ~CompiledKernel() = default;
    virtual void launch(const Launch& launch) const = 0;
    /// For repeated launches; the result must not outlive this kernel.
    virtual std::unique_ptr<const BoundKernel> bind(std::vector<std::int64_t> sizes, int threads) const;
    /// True if a launch with these sizes may have a guard.
    virtual bool may_be_guarded(const std::int64_t* /*sizes*/) const { return false; }
    /// One line on how a launch with these sizes runs, and why; empty if there is nothing to say.
    virtual std::string schedule(const std::int64_t* /*sizes*/, int /*threads*/) const { return {}; }
    /// Generates the code that any launch needs, on targets where the first launch would do it otherwise.
    virtual void prepare_certain() const {}
    /// Prepares everything that a launch with these sizes would otherwise prepare first; or many launches, if it repeats.
    virtual void prepare(const std::int64_t* /*sizes*/, bool /*repeats*/) const {}
    /// The work of a launch with these sizes for one thread, in vector instructions. Infinite if it is not known, or if
    /// parts of the launch are computed apart and then combined.
    virtual double work(const std::int64_t* /*sizes*/) const { return std::numeric_limits<double>::infinity(); }
    /// For launches again and again by one thread; must not outlive this kernel.
    virtual std::unique_ptr<RepeatedKernel> repeat(int threads) const;
};

/// Bound kernels that are launched one after another, again and again. Thread-safe.
class Sequence {
  public:
    virtual ~Sequence() = default;
    /// `arrays`: memory for the kernels' buffers, by position. Returns false if nothing was done and the kernels have to be
    /// launched one by one. Throws std::bad_alloc.
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
    /// Seconds from construction to the end of what this device does at the time of the call, for which it waits. May be
    /// called once.
    virtual double seconds() = 0;
};

class SharedKernel;

/// A target. Thread-safe.
class Backend {
  public:
    virtual ~Backend() = default;
    /// Everything that decides the generated code, other than the kernel's text: target, features, versions.
    virtual std::string identity() const = 0;
    /// The same for people: pairs of name and value.
    virtual std::vector<std::pair<std::string, std::string>> description() const { return {}; }
    virtual std::unique_ptr<CompiledKernel> compile(const lower::Kernel& kernel) = 0;
    virtual KernelTexts texts(const lower::Kernel& kernel) = 0;
    /// How ranks would share launches of the kernel with these sizes (run/parts.hpp); null where they do not. The result
    /// cannot launch anything: no code is made.
    virtual std::shared_ptr<const SharedKernel> describe_shared(const lower::Kernel& /*kernel*/,
                                                                const std::int64_t* /*sizes*/, int /*threads*/) {
        return nullptr;
    }
    /// True if kernels may have local buffers.
    virtual bool has_local_buffers() const { return true; }
    /// The cost of starting a kernel, in bytes that kernels could have moved in the same time.
    virtual double launch_bytes() const = 0;
    /// True if kernels use the host's memory and have run when launch returns.
    virtual bool immediate() const { return false; }
    /// Memory for an array that kernels write. Throws std::bad_alloc.
    virtual BufferRef allocate(std::size_t bytes) { return sinter::allocate(bytes); }
    /// The memory that allocate() gives, if the host cannot address it; else null.
    virtual RemoteMemory* remote() { return nullptr; }
    /// The array where this backend's kernels can reach it without another copy: itself, or a copy that is kept with it.
    /// Throws std::bad_alloc.
    virtual BufferRef resident(const BufferRef& array) { return on_host(array); }
    /// Sorts rows (sort_rows) where the arrays are; this is a launch like any other. Returns false if nothing was done and
    /// the host has to sort. Throws std::bad_alloc.
    virtual bool sort(std::span<const SortColumn> /*columns*/, std::size_t /*keys*/, bool /*descending*/,
                      std::int64_t /*rows*/, std::int64_t /*count*/) {
        return false;
    }
    /// Flags, all 0, and records for launches with guards; null if there are none. Throws std::bad_alloc.
    virtual std::unique_ptr<Lookahead> look_ahead(std::size_t /*flags*/, std::size_t /*records*/) { return nullptr; }
    /// A sequence of kernels of this backend, which outlive it; null if it would gain nothing.
    virtual std::unique_ptr<const Sequence> sequence(std::vector<SequenceItem> /*items*/) { return nullptr; }
    /// Copies between arrays of this backend; this is a launch like any other. Returns false if nothing was done and the
    /// host has to copy.
    virtual bool copy(void* /*to*/, const void* /*from*/, std::size_t /*bytes*/) { return false; }
    /// Waits until everything that was launched is done. Launches and executions may return before that.
    virtual void finish() {}
    /// Null if launches take the host's time.
    virtual std::unique_ptr<Stopwatch> stopwatch() { return nullptr; }
    /// Bytes per second of copying the device's memory, measured once; 0 if that is the host's memory.
    virtual double copy_bandwidth() { return 0; }
    /// True if kernels may have accumulators (lower/kernel.hpp), which outer folds need.
    virtual bool has_outer_folds() const { return true; }
};

/// The backend of the host, for kernels that another backend leaves to it; made on first use.
using HostBackend = std::function<Backend&()>;

}  // namespace sinter::runtime
