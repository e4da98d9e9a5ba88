// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Copies from the host to a device piece by piece, through memory of the host that the device reads by itself: while one
/// piece is being transferred, the next one is filled. Small copies share a piece. Copies to the host work in the same way.
#pragma once

#include "jit/gpu/device/device.hpp"
#include "support/threads/process.hpp"

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace sinter::gpu {

/// Staging memory. Thread-safe.
class Staging {
  public:
    explicit Staging(Device& device) : device_(device) {}
    ~Staging();
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    /// Copies to the device's memory, after what was started before. When it returns, `from` may change.
    void copy(void* to, const void* from, std::size_t bytes);
    /// Room for small copies that are made while nothing else can be: until then, no other thread copies.
    class Room {
      public:
        /// As Staging::copy(), which does not wait for the device.
        void write(void* to, const void* from, std::size_t bytes) { staging_->put(to, from, bytes); }

      private:
        friend class Staging;
        Room(Staging& staging, std::unique_ptr<SectionLock> lock) : staging_(&staging), lock_(std::move(lock)) {}
        Staging* staging_;
        std::unique_ptr<SectionLock> lock_;
    };
    /// Nothing if there is no room for as many bytes in as many copies.
    std::optional<Room> reserve(std::size_t bytes, std::size_t copies);

    /// Copies from the device's memory, after what was started before; returns when that is done. If it throws, nothing more
    /// is written to `to`. `name`: that of the kernel that failed, for the message.
    void fetch(void* to, const void* from, std::size_t bytes, const std::string& name);

  private:
    static constexpr std::size_t alignment = 64;
    struct Piece {
        std::byte* memory = nullptr;
        std::size_t used = 0;
        std::unique_ptr<Mark> taken;  ///< the point at which the device has read its contents
    };
    using Pieces = std::array<Piece, 2>;
    void put(void* to, const void* from, std::size_t bytes);
    void fill_next();
    bool prepare(Pieces& pieces);
    void forget();
    void forget(Pieces& pieces);

    Device& device_;
    std::mutex mutex_;
    std::uint64_t generation_ = 0;  ///< of the device's memory, to which the pieces belong
    Pieces pieces_, back_;
    std::size_t filled_ = 0;  ///< number of the piece being filled
};

}  // namespace sinter::gpu
