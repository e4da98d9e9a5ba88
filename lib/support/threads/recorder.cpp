// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/threads/recorder.hpp"

#include "support/threads/pool.hpp"

#include <mutex>
#include <new>

namespace sinter {

namespace {

constexpr std::size_t most_events = 1000000;

int this_thread() {
    static std::atomic<int> count{0};
    thread_local const int number = ++count;
    return number;
}

}  // namespace

Recorder& Recorder::shared() {
    static Recorder* recorder = new Recorder;
    return *recorder;
}

void Recorder::start() {
    const std::lock_guard lock(mutex_);
    recording_ = {};
    Pool::shared().forget_peak();
    recording_.bytes_before = Pool::shared().bytes_in_use();
    recording_.start = Clock::now();
    active_ = true;
}

Recording Recorder::stop() {
    const std::lock_guard lock(mutex_);
    active_ = false;
    recording_.bytes_most = Pool::shared().peak();
    return std::exchange(recording_, {});
}

void Recorder::record(Event event) {
    event.thread = this_thread();
    const std::lock_guard lock(mutex_);
    if (!active() || event.begin < recording_.start) return;
    auto& all = event.kind == EventKind::kernel ? recording_.kernels : recording_.stages;
    Totals& totals = all[{event.name, event.kernel}];
    ++totals.calls;
    totals.time += event.time;
    totals.bytes += event.bytes;
    totals.bandwidth = event.bandwidth;
    if (recording_.events.size() < most_events) recording_.events.push_back(std::move(event));
}

void StageTimer::finish() noexcept {
    try {
        Recorder::shared().record({EventKind::stage, name_, nullptr, begin_, Clock::now() - begin_});
    } catch (const std::bad_alloc&) {  // the event is not recorded
    }
}

}  // namespace sinter
