// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory of a device; when an array is released, its memory is kept for the next one.
#pragma once

#include "jit/gpu/device/device.hpp"
#include "jit/gpu/device/staging.hpp"
#include "run/backend.hpp"
#include "support/buffer.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sinter::gpu {

/// A pool. Thread-safe. Must outlive the memory that it gave.
class Memory final : public runtime::RemoteMemory {
  public:
    explicit Memory(Device& device) : device_(device), staging_(device) {}
    ~Memory() override;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    enum class Kept { latest, oldest };
    /// Uninitialised memory. If the device has none left, kept memory is released first; then throws std::bad_alloc.
    /// `kept`: which of what is kept. The latest is always the same if takers come in turn; the oldest, of which there are
    /// always a few if it is small, lets launches run at once that have nothing but that memory in common.
    void* take(std::size_t bytes, Kept kept = Kept::latest);
    void give_back(void* memory);
    /// From now on, arrays may begin anywhere in this memory, which take() gave.
    void divide(const void* memory);
    std::string device() const override { return device_.name(); }
    bool contains(const void* memory) const override;
    /// The same for any element of an array.
    bool covers(const void* element) const;
    void read(void* to, const void* from, std::size_t bytes) override {
        fetch(to, from, bytes, "kernels that were started before");
    }
    void write(void* to, const void* from, std::size_t bytes) override {
        if (bytes > 0) staging_.copy(to, from, bytes);
    }
    std::optional<Staging::Room> reserve(std::size_t bytes, std::size_t copies) { return staging_.reserve(bytes, copies); }
    /// Copies to the host what the memory contains when everything that was started is done. If it throws, nothing more is
    /// written.
    void fetch(void* to, const void* from, std::size_t bytes, const std::string& name) {
        staging_.fetch(to, from, bytes, name);
    }
    /// Changes when memory goes back to the device: addresses used before may be void.
    std::uint64_t releases() const { return releases_; }
    /// Copies an array that is in another pool, if there is a way from that device to this one that does not lead through
    /// the library's memory on the host; else returns false. When it returns, the array may be written or released.
    bool take_over(void* to, const Buffer& array);
    /// Waits until everything that was started is done.
    void await() const { device_.wait("kernels that were started before"); }
    /// Guards the copies on the host of this memory's arrays.
    std::mutex& copies() { return copies_; }

  private:
    struct Block {
        std::size_t size;
        bool divided = false;
    };
    /// The block that an address lies in, or the end of all.
    std::map<const void*, Block>::const_iterator around(const void* address) const;
    void* find_kept(std::size_t size, Kept which);
    void release_kept();

    Device& device_;
    Staging staging_;
    std::mutex copies_;
    std::atomic<std::uint64_t> releases_{0};
    mutable std::mutex mutex_;
    std::map<std::size_t, std::vector<void*>> kept_;  ///< by size
    std::size_t kept_bytes_ = 0;
    std::map<const void*, Block> taken_;  ///< by address
};

/// Memory that is taken while this lives.
class Scratch {
  public:
    Scratch(Memory& memory, std::size_t bytes, Memory::Kept kept = Memory::Kept::latest)
        : memory_(memory), data_(memory.take(bytes, kept)) {}
    ~Scratch() { memory_.give_back(data_); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    void* data() const { return data_; }

  private:
    Memory& memory_;
    void* data_;
};

/// An array on the device, of which the host reads a copy.
BufferRef allocate(std::shared_ptr<Memory> memory, std::size_t bytes);

}  // namespace sinter::gpu
