// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/buffer.hpp"

#include "support/threads/pool.hpp"

#include <new>

namespace sinter {

namespace {

struct PooledBuffer final : Buffer {
    explicit PooledBuffer(std::size_t size) {
        data = Pool::shared().take(size);
        bytes = size;
        reusable = true;
    }
    ~PooledBuffer() override { Pool::shared().give_back(data, bytes); }
};

struct BorrowedBuffer final : Buffer {
    BorrowedBuffer(void* memory, std::size_t size) {
        data = memory;
        bytes = size;
    }
};

}  // namespace

BufferRef allocate(std::size_t bytes) { return std::make_shared<PooledBuffer>(bytes); }

BufferRef borrow(void* data, std::size_t bytes) { return std::make_shared<BorrowedBuffer>(data, bytes); }

}  // namespace sinter
