// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/cuda/card_streams.hpp"

namespace sinter::gpu {

void CardStreams::create(std::size_t streams, std::size_t events) {
    const cuda::Driver& driver = context_.driver();
    try {
        for (std::size_t k = 0; k < streams; ++k)
            context_.require(driver.create_stream(&streams_.emplace_back(), cuda::stream_non_blocking), "cuStreamCreate");
        for (std::size_t k = 0; k < events; ++k)
            context_.require(driver.create_event(&events_.emplace_back(), cuda::event_without_time), "cuEventCreate");
    } catch (...) {
        destroy();
        throw;
    }
}

/// The last of either may be one that could not be created.
void CardStreams::destroy() noexcept {
    for (cuda::Event* event : events_)
        if (event) context_.driver().destroy_event(event);
    for (std::size_t k = borrowed_; k < streams_.size(); ++k)
        if (streams_[k]) context_.driver().destroy_stream(streams_[k]);
    forget();
}

void CardStreams::forget() noexcept {
    streams_.clear();
    events_.clear();
    current_ = borrowed_ = 0;
}

void CardStreams::mark(std::size_t event) {
    context_.require(context_.driver().record_event(events_[event], current()), "cuEventRecord");
}

void CardStreams::wait(std::size_t event) {
    context_.require(context_.driver().wait_for_event(current(), events_[event], 0), "cuStreamWaitEvent");
}

}  // namespace sinter::gpu
