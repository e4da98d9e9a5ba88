// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/cascade/chunk_parts.hpp"

#include "support/check.hpp"
#include "support/stack_array.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sinter::runtime {

ChunkParts::ChunkParts(std::shared_ptr<const SharedKernel> kernel, std::size_t inputs, std::vector<bool> written,
                       std::size_t buffers)
    : kernel_(std::move(kernel)), inputs_(inputs), written_(std::move(written)), buffers_(buffers) {}

void ChunkParts::launch(void* const* buffers, std::int64_t begin, std::int64_t end, bool, ErrorSlot& error) const {
    StackArray<void*, 16> own(buffers_);
    std::copy_n(buffers, inputs_, own.begin());
    void* const* const partials = buffers + inputs_;
    void* const* next = partials + this->partials();
    for (std::size_t k = 0; k < written_.size(); ++k) own[inputs_ + k] = written_[k] ? *next++ : nullptr;
    const std::int64_t length = kernel_->chunk_length();
    const bool is_last = end == kernel_->reduced().extent;
    check(begin % length == 0 && (is_last || end % length == 0), "parts of a launch in chunks consist of whole ones");
    kernel_->launch_chunks(own.begin(), partials, {begin / length, is_last ? kernel_->chunks() : end / length}, error);
}

std::vector<BufferRef> ChunkParts::allocate() const {
    std::vector<BufferRef> memory;
    for (std::size_t bytes : kernel_->partial_bytes())
        memory.push_back(sinter::allocate(static_cast<std::size_t>(kernel_->chunks() + 1) * bytes));
    return memory;
}

void ChunkParts::finish(std::vector<void*> buffers, const std::vector<BufferRef>& partials, ErrorSlot& error) const {
    buffers.resize(buffers_);
    std::vector<void*> arrays;
    for (const BufferRef& memory : partials) arrays.push_back(memory->data);
    if (kernel_->loop() == SharedKernel::Loop::fold) return kernel_->finish_chunks(buffers.data(), arrays.data(), error);
    kernel_->join_chunks(buffers.data(), arrays.data(), {0, kernel_->chunks()}, error);
    const std::vector<std::size_t> updated = kernel_->updated(), bytes = kernel_->partial_bytes();
    for (std::size_t v = 0; v < updated.size(); ++v) std::memcpy(buffers[updated[v]], arrays[v], bytes[v]);
}

}  // namespace sinter::runtime
