// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Steps that the host executes for a backend whose memory it cannot address.
#pragma once

#include "run/backend.hpp"

#include <functional>
#include <vector>

namespace sinter::runtime {

/// Gives the host memory of its own in place of arrays that lie in a backend's. Constructing it costs nothing where the
/// backend has none, and then all arrays are used where they are.
class HostSide {
  public:
    /// `remote` may be null.
    explicit HostSide(RemoteMemory* remote) : remote_(remote) {}

    /// Where the host can read the array. Throws std::bad_alloc, DeviceError.
    const void* to_read(const void* array, std::size_t bytes);
    /// Where the host can write all of the array; finish() brings it back. Throws std::bad_alloc.
    void* to_write(void* array, std::size_t bytes);
    /// Where the host can change the array; likewise.
    void* to_change(void* array, std::size_t bytes);
    /// Brings what was written to where it belongs. Throws DeviceError.
    void finish();

  private:
    struct Written {
        void* array;
        BufferRef here;
    };
    bool is_remote(const void* array, std::size_t bytes) const;

    RemoteMemory* remote_;
    std::vector<BufferRef> read_;
    std::vector<Written> written_;
};

/// Calls `execute` with the launch's buffers where the host can use them, and returns when what it has written is back.
/// `remote` may be null. Throws std::bad_alloc, DeviceError, and what `execute` throws.
void launch_on_host(RemoteMemory* remote, const lower::Kernel& kernel, const Launch& launch,
                    const std::function<void(const Launch&)>& execute);

}  // namespace sinter::runtime
