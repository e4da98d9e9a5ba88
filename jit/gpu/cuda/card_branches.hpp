// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The streams of a card in which launches may run at once: the context's own one, and others that are made when they are
/// first needed.
#pragma once

#include "jit/gpu/cuda/card_streams.hpp"
#include "jit/gpu/device/concurrent.hpp"

namespace sinter::gpu {

/// As Concurrent. The context has to be current in all calls.
class CardBranches final : public cuda::CardContext::Branches {
  public:
    explicit CardBranches(cuda::CardContext& context) : context_(context), streams_(context) { context.set_branches(*this); }
    CardBranches(const CardBranches&) = delete;
    CardBranches& operator=(const CardBranches&) = delete;

    /// Implements Device::branch().
    void start(std::vector<schedule::card::MemoryAccess> touched, const std::function<void()>& start);
    void join() override { concurrent_.join(); }
    void forget() override { concurrent_.forget(); }

  private:
    /// Makes the streams of the context as it is now.
    class Made final : public Streams {
      public:
        explicit Made(cuda::CardContext& context) : context_(context), streams_(context) {}
        void enter(std::size_t stream) override;
        void mark(std::size_t event) override { streams_.mark(event); }
        void wait(std::size_t event) override { streams_.wait(event); }
        cuda::Stream* current() const { return streams_.current(); }

      private:
        cuda::CardContext& context_;
        CardStreams streams_;
        std::uint64_t generation_ = 0;
    };

    cuda::CardContext& context_;
    Made streams_;
    Concurrent concurrent_{streams_};
};

}  // namespace sinter::gpu
