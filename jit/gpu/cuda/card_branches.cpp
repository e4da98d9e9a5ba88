// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/cuda/card_branches.hpp"

#include <utility>

namespace sinter::gpu {

void CardBranches::Made::enter(std::size_t stream) {
    if (generation_ != context_.generation()) streams_.forget();
    generation_ = context_.generation();
    if (streams_.empty()) {
        streams_.borrow(context_.own_stream());
        streams_.create(Concurrent::streams - 1, Concurrent::events);
    }
    streams_.enter(stream);
}

void CardBranches::start(std::vector<schedule::card::MemoryAccess> touched, const std::function<void()>& start) {
    concurrent_.start(std::move(touched), [&] {
        const cuda::CardContext::Diverted diverted(context_, streams_.current());
        start();
    });
}

}  // namespace sinter::gpu
