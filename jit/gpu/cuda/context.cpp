// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/cuda/context.hpp"

#include <utility>

namespace sinter::gpu::cuda {

namespace {

thread_local const CardContext* diverted_card = nullptr;
thread_local Stream* diverted_stream = nullptr;

}  // namespace

Stream* CardContext::stream() {
    if (diverted_card == this) return diverted_stream;
    if (branches_) branches_->join();
    return stream_;
}

void CardContext::started() {
    ++started_;
    if (branches_ && diverted_card != this) branches_->join();
}

CardContext::Diverted::Diverted(const CardContext& card, Stream* stream) {
    diverted_card = &card;
    diverted_stream = stream;
}

void CardContext::Diverted::to(Stream* stream) { diverted_stream = stream; }

CardContext::Diverted::~Diverted() { diverted_card = nullptr; }

void CardContext::open() {
    event_ = nullptr;  // it went with the last context
    driver_.require(driver_.retain_context(&context_, device_), "cuDevicePrimaryCtxRetain", {.device = number_});
    try {
        const Current current(*this);
        for (Stream** stream : {&stream_, &memory_stream_}) {
            const int error = driver_.create_stream(stream, stream_non_blocking);
            driver_.require(error,
                            is_sticky(error)
                                ? "a kernel failed before, and others in this process use the device: cuStreamCreate"
                                : "cuStreamCreate",
                            {.device = number_});
        }
    } catch (...) {
        close();
        throw;
    }
}

/// When its last user releases a primary context, it is reset. If others use it as well, it is not ours to reset.
void CardContext::close() {
    if (std::exchange(context_, nullptr)) driver_.release_context(device_);
}

void CardContext::renew() {
    const std::lock_guard lock(renewing_);
    if (!lost_) return;
    close();
    if (branches_) branches_->forget();
    ++generation_;
    open();
    lost_ = false;
}

void CardContext::require(int error, const char* call, const std::string& kernel, const std::string& log) {
    note(error);
    driver_.require(error, call, {number_, kernel, log});
}

void CardContext::copy_from(const CardContext& other, Address to, Address from, std::size_t bytes) {
    const Current current(*this);
    require(driver_.copy_between_devices(to, context_, from, other.context_, bytes, stream()), "cuMemcpyPeerAsync");
    started();
}

void CardContext::follow(CardContext& other) {
    const std::lock_guard lock(other.following_);
    {
        const Current current(other);
        if (!other.event_) other.require(driver_.create_event(&other.event_, event_without_time), "cuEventCreate");
        other.require(driver_.record_event(other.event_, other.stream()), "cuEventRecord");
    }
    const Current current(*this);
    require(driver_.wait_for_event(stream(), other.event_, 0), "cuStreamWaitEvent");
    started();
}

void CardContext::wait(const std::string& name) {
    const std::uint64_t started = started_;
    if (finished_ >= started) return;
    const Current current(*this);
    require(driver_.synchronise_stream(stream()), "cuStreamSynchronize", name);
    finished_ = started;
}

}  // namespace sinter::gpu::cuda
