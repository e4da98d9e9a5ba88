// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/cuda/context.hpp"

namespace sinter::gpu::cuda {

namespace {

thread_local const CardContext* diverted_card = nullptr;
thread_local Stream* diverted_stream = nullptr;

}  // namespace

Stream* CardContext::stream() const { return diverted_card == this ? diverted_stream : stream_; }

CardContext::Diverted::Diverted(const CardContext& card, Stream* stream) {
    diverted_card = &card;
    diverted_stream = stream;
}

CardContext::Diverted::~Diverted() { diverted_card = nullptr; }

void CardContext::open() {
    driver_.require(driver_.retain_context(&context_, device_), "cuDevicePrimaryCtxRetain");
    const Current current(*this);
    driver_.require(driver_.create_stream(&stream_, stream_non_blocking), "cuStreamCreate");
}

void CardContext::renew() {
    const std::lock_guard lock(renewing_);
    if (!lost_) return;
    driver_.release_context(device_);
    driver_.reset_context(device_);
    ++generation_;
    open();
    lost_ = false;
}

void CardContext::require(int error, const char* call, const std::string& kernel, const std::string& log) {
    if (is_sticky(error)) lost_ = true;
    driver_.require(error, call, kernel, log);
}

void CardContext::wait(const std::string& name) {
    const std::uint64_t started = started_;
    if (finished_ >= started) return;
    const Current current(*this);
    require(driver_.synchronise_stream(stream_), "cuStreamSynchronize", name);
    finished_ = started;
}

}  // namespace sinter::gpu::cuda
