// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Several streams of a card and the events between them.
#pragma once

#include "jit/gpu/cuda/context.hpp"
#include "jit/gpu/device/device.hpp"

#include <vector>

namespace sinter::gpu {

/// The context has to be current in all calls. Not thread-safe.
class CardStreams : public Streams {
  public:
    explicit CardStreams(cuda::CardContext& context) : context_(context) {}

    /// Adds streams and events. If it throws, there are none.
    void create(std::size_t streams, std::size_t events);
    /// Adds a stream that is not destroyed with the others; it has to be the first.
    void borrow(cuda::Stream* stream) { streams_.push_back(stream), borrowed_ = 1; }
    void destroy() noexcept;
    /// What there was has gone with its context.
    void forget() noexcept;
    bool empty() const { return streams_.empty(); }

    void enter(std::size_t stream) override { current_ = stream; }
    void mark(std::size_t event) override;
    void wait(std::size_t event) override;
    cuda::Stream* current() const { return streams_[current_]; }
    cuda::Stream* stream(std::size_t number) const { return streams_[number]; }

  private:
    cuda::CardContext& context_;
    std::vector<cuda::Stream*> streams_;
    std::vector<cuda::Event*> events_;
    std::size_t current_ = 0, borrowed_ = 0;
};

}  // namespace sinter::gpu
