// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The way from the host to a device: piece by piece through memory of the host's that the device reads by itself. While one
/// piece travels, the next one is filled. Small things share a piece. And the way back, likewise.
#pragma once

#include "jit/gpu/device/device.hpp"

#include <array>
#include <mutex>
#include <string>

namespace sinter::gpu {

/// Thread-safe.
class Staging {
  public:
    explicit Staging(Device& device) : device_(device) {}
    ~Staging();
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    /// Into memory of the device's, behind what was started before. `from` may change when it returns.
    void copy(void* to, const void* from, std::size_t bytes);
    /// From memory of the device's, behind what was started before, which is done when it returns. Where it throws, nothing
    /// is written to `to` any more. `name`: of the kernel that failed, for the message.
    void fetch(void* to, const void* from, std::size_t bytes, const std::string& name);

  private:
    static constexpr std::size_t alignment = 64;
    struct Piece {
        std::byte* memory = nullptr;
        std::size_t used = 0;
        std::unique_ptr<Mark> taken;  ///< when the device has read what is there
    };
    using Pieces = std::array<Piece, 2>;
    void fill_next();
    bool prepare(Pieces& pieces);
    void forget();
    void forget(Pieces& pieces);

    Device& device_;
    std::mutex mutex_;
    std::uint64_t generation_ = 0;  ///< of the device's memory, to which the pieces belong
    Pieces pieces_, back_;
    std::size_t filled_ = 0;  ///< which one
};

}  // namespace sinter::gpu
