// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/threads/helpers.hpp"

#include "run/tuning.hpp"
#include "support/threads/float_environment.hpp"

#include <algorithm>
#include <new>
#include <system_error>

namespace sinter::runtime {

Helpers::~Helpers() {
    {
        std::lock_guard lock(mutex_);
        ending_ = true;
    }
    arrived_.notify_all();
}

void Helpers::run(std::int64_t count, int threads, Body body, void* context) {
    if (count <= 0) return;
    const std::int64_t step = std::max<std::int64_t>(1, count / threads / tuning::pieces_of_a_thread);
    const int most_helpers = static_cast<int>(std::min<std::int64_t>(threads, count)) - 1;
    Loop loop{.body = body, .context = context, .count = count, .step = step, .most_helpers = most_helpers};
    announce(loop);
    work(loop);
    withdraw(loop);
    if (loop.failure) std::rethrow_exception(loop.failure);
}

void Helpers::announce(Loop& loop) try {
    std::lock_guard lock(mutex_);
    start();
    loops_.push_back(&loop);
    for (int k = 0; k < loop.most_helpers && k < size_; ++k) arrived_.notify_one();
} catch (const std::bad_alloc&) {
    // The caller does all of it.
}

void Helpers::start() try {
    threads_.reserve(static_cast<std::size_t>(size_));
    while (threads_.size() < static_cast<std::size_t>(size_)) {
        threads_.emplace_back([this] {
            DefaultFloatEnvironment::write_default();
            serve();
        });
    }
} catch (const std::system_error&) {
    // The system has no more threads: those that exist have to do.
}

/// Nobody enters the loop after that.
void Helpers::withdraw(Loop& loop) {
    std::unique_lock lock(mutex_);
    std::erase(loops_, &loop);
    loop.last_left.wait(lock, [&] { return loop.helpers == 0; });
}

void Helpers::serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
        Loop* loop = nullptr;
        arrived_.wait(lock, [&] { return ending_ || (loop = neediest()) != nullptr; });
        if (!loop) return;
        ++loop->helpers;
        lock.unlock();
        work(*loop);
        lock.lock();
        if (--loop->helpers == 0) loop->last_left.notify_one();
    }
}

Helpers::Loop* Helpers::neediest() const {
    Loop* found = nullptr;
    for (Loop* loop : loops_) {
        if (loop->helpers >= loop->most_helpers || loop->next.load(std::memory_order_relaxed) >= loop->count) continue;
        if (!found || loop->helpers < found->helpers) found = loop;
    }
    return found;
}

void Helpers::work(Loop& loop) noexcept {
    try {
        for (;;) {
            const std::int64_t first = loop.next.fetch_add(loop.step, std::memory_order_relaxed);
            const std::int64_t last = std::min(first + loop.step, loop.count);
            for (std::int64_t k = first; k < last; ++k) loop.body(loop.context, k);
            if (last >= loop.count) return;
        }
    } catch (...) {
        loop.next.store(loop.count, std::memory_order_relaxed);
        std::lock_guard lock(mutex_);
        if (!loop.failure) loop.failure = std::current_exception();
    }
}

}  // namespace sinter::runtime
