// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A launch of a cascade that is cut into chunks: of a fold, or of points that update the same elements.
#pragma once

#include "run/parts.hpp"
#include "support/buffer.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace sinter::runtime {

/// As a kernel in parts, it takes the kernel's inputs, memory for partial results, and the outputs that each part writes for
/// its own points.
class ChunkParts final : public PartKernel {
  public:
    /// `written`: by output, whether parts write it. `buffers`: how many the kernel has, with those of points.
    ChunkParts(std::shared_ptr<const SharedKernel> kernel, std::size_t inputs, std::vector<bool> written,
               std::size_t buffers);

    double work() const override { return kernel_->work(); }
    /// Whole chunks.
    void launch(void* const* buffers, std::int64_t begin, std::int64_t end, bool kept, ErrorSlot& error) const override;

    /// Memory for the partial results of all chunks; throws std::bad_alloc.
    std::vector<BufferRef> allocate() const;
    std::size_t partials() const { return kernel_->partial_bytes().size(); }
    /// Combines them. `buffers`: the kernel's; those that parts have read or written are not touched.
    void finish(std::vector<void*> buffers, const std::vector<BufferRef>& partials, ErrorSlot& error) const;
    bool writes(std::size_t output) const { return written_[output]; }

  private:
    std::shared_ptr<const SharedKernel> kernel_;
    std::size_t inputs_;
    std::vector<bool> written_;
    std::size_t buffers_;
};

}  // namespace sinter::runtime
