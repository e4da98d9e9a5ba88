// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory of a device, kept for the next array when one goes.
#pragma once

#include "jit/gpu/device/device.hpp"
#include "jit/gpu/device/staging.hpp"
#include "support/buffer.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <vector>

namespace sinter::gpu {

/// Thread-safe. Must outlive what it gave.
class Memory {
  public:
    explicit Memory(Device& device) : device_(device), staging_(device) {}
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    /// Uninitialised. Where the device has none left, what is kept is released first; then throws std::bad_alloc.
    void* take(std::size_t bytes);
    void give_back(void* memory);
    /// From now on arrays begin anywhere in what take() gave.
    void divide(const void* memory);
    /// Whether an array there is the device's.
    bool contains(const void* memory) const;
    /// Copies from the host, behind what was started before. `from` may change or end when it returns.
    void bring(void* to, const void* from, std::size_t bytes) { staging_.copy(to, from, bytes); }
    /// Copies to the host what is there when all that was started is done. Where it throws, nothing is written any more.
    void fetch(void* to, const void* from, std::size_t bytes, const std::string& name) {
        staging_.fetch(to, from, bytes, name);
    }
    /// Changes when memory goes back to the device: what an address meant may be void.
    std::uint64_t releases() const { return releases_; }
    /// Until the host may use it.
    void await() const { device_.wait("kernels that were started before"); }

  private:
    struct Block {
        std::size_t size;
        bool divided = false;
    };
    void* find_kept(std::size_t size);
    void release_kept();

    Device& device_;
    Staging staging_;
    std::atomic<std::uint64_t> releases_{0};
    mutable std::mutex mutex_;
    std::map<std::size_t, std::vector<void*>> kept_;  ///< by size
    std::map<const void*, Block> taken_;              ///< by address
};

/// Memory for a while.
class Scratch {
  public:
    Scratch(Memory& memory, std::size_t bytes) : memory_(memory), data_(memory.take(bytes)) {}
    ~Scratch() { memory_.give_back(data_); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    void* data() const { return data_; }

  private:
    Memory& memory_;
    void* data_;
};

/// An array that stays on the device until the host reads it.
BufferRef allocate(std::shared_ptr<Memory> memory, std::size_t bytes);

}  // namespace sinter::gpu
