// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A machine that executes blocks of threads: a card behind its driver (card.hpp), or the host in its place (emulator.hpp).
#pragma once

#include "jit/generator/card_code.hpp"
#include "run/backend.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace sinter::gpu {

/// Machine code of a module's kernels. Thread-safe.
class Program {
  public:
    virtual ~Program() = default;
    /// Starts `blocks` blocks of the kernel; `parameters` point at its parameters. What was started on the device before is
    /// done before.
    virtual void launch(const char* kernel, std::int64_t blocks, std::span<void*> parameters) const = 0;
    /// What a kernel takes of the device, for people.
    virtual std::string resources(const char* /*kernel*/) const { return {}; }
};

/// Launches and clears that were recorded, to be started again on the same memory. Not thread-safe.
class Recording {
  public:
    virtual ~Recording() = default;
    /// Behind what was started before, as one.
    virtual void start() = 0;
};

/// A place in the order in which a device does things.
class Mark {
  public:
    virtual ~Mark() = default;
    /// Until all before it is done.
    virtual void wait() = 0;
};

/// Thread-safe. Failures are DeviceErrors with the driver's own words.
class Device {
  public:
    virtual ~Device() = default;
    /// What decides the code that is executed.
    virtual std::string identity() const = 0;
    /// What decides what is generated.
    virtual std::string architecture() const { return identity(); }
    /// Blocks that keep all of it busy.
    virtual std::int64_t wanted_blocks() const = 0;

    /// Whether what is made of modules may be kept on disk.
    virtual bool is_cached() const { return true; }
    virtual std::string generate(const codegen::CardCode& code) = 0;
    /// Whether assemble does anything.
    virtual bool assembles() const { return false; }
    /// Makes of what was generated what can be loaded. `name`: the kernel's, for messages.
    virtual std::string assemble(const std::string& generated, const std::string& /*name*/) { return generated; }
    virtual std::unique_ptr<Program> load(const std::string& code, const std::string& name) = 0;
    /// Its LLVM IR, and its code as text.
    virtual runtime::KernelTexts texts(const codegen::CardCode& code) = 0;

    /// Memory that device and host may both address, though not at once. Null if there is none left.
    virtual void* allocate(std::size_t bytes) = 0;
    virtual void release(void* memory) = 0;
    /// Memory of the host's that the device reads by itself, whenever what was started comes to it. Null if there is none
    /// left.
    virtual void* allocate_pinned(std::size_t bytes) = 0;
    virtual void release_pinned(void* memory) = 0;
    /// Between memory of the device and any other, behind what was started before. Memory of the host's has to stay as it is
    /// until that is done; Memory::bring() asks for less.
    virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
    /// Sets bytes of the device's memory to 0, likewise.
    virtual void clear(void* memory, std::size_t bytes) = 0;
    /// Until all that was started is done. `name`: of the kernel that failed, for the message.
    virtual void wait(const std::string& name) = 0;

    /// What `start` launches and clears on this thread, recorded instead of started. It does nothing else with the device,
    /// and its programs have been launched before. Null where the device cannot.
    virtual std::unique_ptr<Recording> record(const std::function<void()>& /*start*/) { return nullptr; }

    /// Behind what was started before.
    virtual std::unique_ptr<Mark> mark() = 0;
    /// Null where it has no clock of its own.
    virtual std::unique_ptr<runtime::Stopwatch> stopwatch() { return nullptr; }

    /// Whether a kernel failed such that nothing works any more, and what was allocated is lost.
    virtual bool lost() const { return false; }
    /// Begins anew. Throws DeviceError if not all memory has been released.
    virtual void renew() {}
    /// Changes when it does: what was allocated before is void.
    virtual std::uint64_t generation() const { return 0; }
};

}  // namespace sinter::gpu
