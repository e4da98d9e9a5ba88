// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The way from the host to a device: piece by piece through memory of the host's that the device reads by itself. While one
/// piece travels, the next one is filled. Small things share a piece.
#pragma once

#include "jit/gpu/device/device.hpp"

#include <array>
#include <mutex>

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

  private:
    static constexpr std::size_t alignment = 64;
    struct Piece {
        std::byte* memory = nullptr;
        std::size_t used = 0;
        std::unique_ptr<Mark> taken;  ///< when the device has read what is there
    };
    void fill_next();
    bool prepare();
    void forget();

    Device& device_;
    std::mutex mutex_;
    std::uint64_t generation_ = 0;  ///< of the device's memory, to which the pieces belong
    std::array<Piece, 2> pieces_;
    std::size_t filled_ = 0;  ///< which one
};

}  // namespace sinter::gpu
