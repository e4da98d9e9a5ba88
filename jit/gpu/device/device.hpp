// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A machine that executes blocks of threads: a card behind its driver (card.hpp), or the host in its place (emulator.hpp).
#pragma once

#include "jit/generator/card_code.hpp"
#include "run/backend.hpp"
#include "schedule/card/branches.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sinter::gpu {

/// The machine code of a module's kernels. Thread-safe.
class Program {
  public:
    virtual ~Program() = default;
    /// Starts `blocks` blocks of the kernel; `parameters` point to its parameters. Everything that was started on the device
    /// before is done before.
    virtual void launch(const char* kernel, std::int64_t blocks, std::span<void*> parameters) const = 0;
    /// The resources of the device that a kernel uses, for people.
    virtual std::string resources(const char* /*kernel*/) const { return {}; }
};

/// Launches and clears that were recorded, to be started again on the same memory. Not thread-safe.
class Recording {
  public:
    virtual ~Recording() = default;
    /// Starts everything as one, after what was started before.
    virtual void start() = 0;
};

/// Several streams, for work that is recorded or started in branches. Stream 0 is there from the beginning. The first thing
/// in any other stream has to wait for an event, and in the end stream 0 has to wait for the others.
class Streams {
  public:
    virtual ~Streams() = default;
    /// What this thread records from now on goes there, and what follows here concerns it.
    virtual void enter(std::size_t stream) = 0;
    /// The event is where that stream is now.
    virtual void mark(std::size_t event) = 0;
    /// What follows in that stream comes after the place where the event was marked last.
    virtual void wait(std::size_t event) = 0;
};

/// A point in the order in which a device executes work.
class Mark {
  public:
    virtual ~Mark() = default;
    /// Waits until everything before it is done.
    virtual void wait() = 0;
};

/// A device. Thread-safe. Failures are DeviceErrors with the driver's own words.
class Device {
  public:
    virtual ~Device() = default;
    /// Everything that decides the code that is executed.
    virtual std::string identity() const = 0;
    /// For messages.
    virtual std::string name() const = 0;
    /// Everything that decides the code that is generated.
    virtual std::string architecture() const { return identity(); }
    /// The number of blocks that keep the whole device busy.
    virtual std::int64_t wanted_blocks() const = 0;
    /// True if warps multiply tiles of halves and of TF32 (builtin::multiply_add, multiply_add_tf32).
    virtual bool has_tensor_cores() const { return false; }

    /// True if what is made from modules may be kept on disk.
    virtual bool is_cached() const { return true; }
    virtual std::string generate(const codegen::CardCode& code) = 0;
    /// True if assemble does anything.
    virtual bool assembles() const { return false; }
    /// Turns what was generated into something that can be loaded. `name` is that of the kernel, for messages.
    virtual std::string assemble(const std::string& generated, const std::string& /*name*/) { return generated; }
    virtual std::unique_ptr<Program> load(const std::string& code, const std::string& name) = 0;
    /// The LLVM IR, and the code as text.
    virtual runtime::KernelTexts texts(const codegen::CardCode& code) = 0;

    /// Memory of the device, which the host may not address. Null if there is none left.
    virtual void* allocate(std::size_t bytes) = 0;
    virtual void release(void* memory) = 0;
    /// All the memory it has.
    virtual std::size_t memory_bytes() const = 0;
    /// Memory of the host that the device reads by itself, whenever it gets to what was started. Null if there is none left.
    virtual void* allocate_pinned(std::size_t bytes) = 0;
    virtual void release_pinned(void* memory) = 0;
    /// Copies between memory of the device and any other memory, after what was started before. The host's memory has to
    /// stay unchanged until that is done; Memory::write() demands less.
    virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
    /// Copies memory of another device's, on which nothing is at work any more, after what was started on this one before.
    /// That memory has to stay until it is done. Returns false if nothing was started: there is no such way between the two.
    virtual bool copy_from(const Device& /*other*/, void* /*to*/, const void* /*from*/, std::size_t /*bytes*/) {
        return false;
    }
    /// What is started on this device from now on comes after what was started on the other one before.
    virtual void follow(Device& other) { other.wait("what another device waits for"); }
    /// Sets bytes of the device's memory to 0, after what was started before.
    virtual void clear(void* memory, std::size_t bytes) = 0;
    /// Waits until everything that was started is done. `name`: that of the kernel that failed, for the message.
    virtual void wait(const std::string& name) = 0;

    /// Starts what `start` launches, clears and copies from pinned memory to the device, all of which touches this memory
    /// and no other. It may run at once with what was started in this way before, unless one of them writes what the other
    /// touches. Everything that is started in another way comes before or after it. `start` must not wait for anything.
    virtual void branch(std::vector<schedule::card::MemoryAccess> /*touched*/, const std::function<void()>& start) {
        start();
    }

    /// Records what `start` launches and clears on this thread instead of starting it, in as many streams and with as many
    /// events. `start` must do nothing else with the device, and the programs have to have been launched before. Null if the
    /// device cannot record.
    virtual std::unique_ptr<Recording> record(std::size_t /*streams*/, std::size_t /*events*/,
                                              const std::function<void(Streams&)>& /*start*/) {
        return nullptr;
    }

    /// A point after everything that was started before.
    virtual std::unique_ptr<Mark> mark() = 0;
    /// Null if the device has no clock of its own.
    virtual std::unique_ptr<runtime::Stopwatch> stopwatch() { return nullptr; }

    /// True if a kernel failed in such a way that nothing works any more and what was allocated is lost.
    virtual bool lost() const { return false; }
    /// Starts afresh. Throws DeviceError if not all memory has been released.
    virtual void renew() {}
    /// Changes when the device starts afresh: what was allocated before is void.
    virtual std::uint64_t generation() const { return 0; }
};

}  // namespace sinter::gpu
