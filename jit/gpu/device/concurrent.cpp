// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nobody knows which launches others will wait for, so there is an event behind each one.
#include "jit/gpu/device/concurrent.hpp"
#include "support/threads/process.hpp"

#include <utility>

namespace sinter::gpu {

namespace tuning = schedule::card::tuning;
using schedule::card::Step;

void Concurrent::start(std::vector<schedule::card::MemoryAccess> touched, const std::function<void()>& start) {
    const SectionLock lock(mutex_);
    if (placed_ && placed_->steps().size() == tuning::most_open) join_now();
    if (!placed_) {
        all_.enter(0);
        all_.mark(begin);
        placed_.emplace(streams);
        is_begun_ = {true};
        is_open_ = true;
    }
    try {
        const Step& step = placed_->place(std::move(touched));
        all_.enter(step.stream);
        if (!std::exchange(is_begun_[step.stream], true) && step.after.empty()) all_.wait(begin);
        for (std::size_t earlier : step.after) all_.wait(earlier);
        start();
        all_.mark(placed_->steps().size() - 1);
    } catch (...) {
        join_now();
        throw;
    }
}

void Concurrent::join() {
    if (!is_open_) return;
    const SectionLock lock(mutex_);
    join_now();
}

/// Marks the ends again: where something has failed, that may not have been done.
void Concurrent::join_now() {
    if (!placed_) return;
    for (std::size_t end : placed_->ends()) {
        all_.enter(placed_->steps()[end].stream);
        all_.mark(end);
        all_.enter(0);
        all_.wait(end);
    }
    placed_.reset();
    is_open_ = false;
}

void Concurrent::forget() {
    const SectionLock lock(mutex_);
    placed_.reset();
    is_open_ = false;
}

}  // namespace sinter::gpu
