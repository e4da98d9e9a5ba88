// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory of manifest arrays: reference-counted, immutable once shared.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace sinter {

/// One scalar leaf of a manifest array: dense, row-major, and aligned to 64 bytes if the library allocated it.
struct Buffer {
    void* data = nullptr;
    std::size_t bytes = 0;
    bool reusable = false;         ///< allocated by the library: its only owner may write it again
    bool on_device = false;        ///< a device may still be working on it: the host has to wait
    std::shared_ptr<Buffer> copy;  ///< a copy on a device, kept for its next kernel; guarded by the device's backend
    Buffer() = default;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    virtual ~Buffer() = default;
    /// Waits until the host may use the memory. Throws DeviceError.
    virtual void await() const {}
};

using BufferRef = std::shared_ptr<Buffer>;

/// Uninitialised memory from the pool, to which it returns when the last reference goes. Throws std::bad_alloc.
BufferRef allocate(std::size_t bytes);
/// Memory of the caller, which must outlive the buffer.
BufferRef borrow(void* data, std::size_t bytes);

}  // namespace sinter
