// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory of manifest arrays: reference-counted, immutable once shared.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace sinter {

/// One scalar leaf of a manifest array: dense, row-major, aligned to 64 bytes if the library allocated it.
struct Buffer {
    void* data = nullptr;
    std::size_t bytes = 0;
    bool reusable = false;         ///< the library's own: its only owner may write it again
    bool on_device = false;        ///< a device may still be at work on it: the host has to wait for it
    std::shared_ptr<Buffer> copy;  ///< on a device, kept for its next kernel; the device's backend guards it
    Buffer() = default;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    virtual ~Buffer() = default;
    /// Until the host may use the memory. Throws DeviceError.
    virtual void await() const {}
};

using BufferRef = std::shared_ptr<Buffer>;

/// Uninitialised memory from the pool, returned to it when the last reference goes. Throws std::bad_alloc.
BufferRef allocate(std::size_t bytes);
/// Memory of the caller's, which must outlive the buffer.
BufferRef borrow(void* data, std::size_t bytes);

}  // namespace sinter
