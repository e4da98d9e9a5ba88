// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory of manifest arrays: reference-counted, immutable once shared.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace sinter {

/// One scalar leaf of a manifest array: dense, row-major, and aligned to 64 bytes if the library allocated it.
struct Buffer {
    void* data = nullptr;  ///< an address of the device's if on_device: the host may not follow it
    std::size_t bytes = 0;
    bool reusable = false;         ///< the library's own: its only owner may write it again
    bool on_device = false;        ///< in the memory of a device, which may still be at work on it
    std::shared_ptr<Buffer> copy;  ///< the same on the other side, kept until this one is written; the backend guards it
    Buffer() = default;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    virtual ~Buffer() = default;
    /// The copy on the host of what is on a device: waits for the device where there is none yet. Throws DeviceError,
    /// std::bad_alloc. Thread-safe.
    virtual std::shared_ptr<Buffer> fetch() { return nullptr; }
};

using BufferRef = std::shared_ptr<Buffer>;

/// The array where the host can read it: itself, or the copy of what is on a device. Throws DeviceError, std::bad_alloc.
inline BufferRef on_host(const BufferRef& array) { return array->on_device ? array->fetch() : array; }

/// Uninitialised memory from the pool, returned to it when the last reference goes. Throws std::bad_alloc.
BufferRef allocate(std::size_t bytes);
/// Memory of the caller, which must outlive the buffer.
BufferRef borrow(void* data, std::size_t bytes);

}  // namespace sinter
