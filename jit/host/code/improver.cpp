// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/code/improver.hpp"

#include "schedule/tuning.hpp"
#include "support/log.hpp"
#include "support/threads/float_environment.hpp"
#include "support/threads/process.hpp"

#include <algorithm>
#include <new>
#include <system_error>
#include <thread>

#include <sys/resource.h>
#include <unistd.h>

namespace sinter::host {

Improver& Improver::shared() {
    static Improver* instance = [] {
        auto* made = new Improver;
        in_child([] { shared().has_thread_ = false; });  // the parent's thread does not exist in the child
        return made;
    }();
    return *instance;
}

void Improver::add(const Improvable& code) try {
    const SectionLock lock(mutex_);
    queue_.push_back(&code);
    if (!has_thread_) start();
} catch (const std::bad_alloc&) {
}

void Improver::start() try {
    std::thread(work).detach();
    has_thread_ = true;
} catch (const std::system_error&) {
}

void Improver::forget(const Improvable& code) {
    const CriticalSection section;
    std::unique_lock lock(mutex_);
    queue_.erase(std::remove(queue_.begin(), queue_.end(), &code), queue_.end());
    changed_.wait(lock, [&] { return current_ != &code; });
}

/// It gives way to the program's threads, as far as the system knows priorities of threads.
void Improver::work() {
    DefaultFloatEnvironment::write_default();
    const auto self = static_cast<id_t>(gettid());
    setpriority(PRIO_PROCESS, self, getpriority(PRIO_PROCESS, self) + schedule::tuning::niceness_of_better_code);
    while (shared().improve_next()) {
    }
}

/// Returns false when the thread ends. The section begins before anything is taken from the queue: who waits for `current_`
/// to change, in a section, waits for somebody who is in one already.
bool Improver::improve_next() {
    const CriticalSection section;
    const Improvable* next = nullptr;
    {
        const std::lock_guard lock(mutex_);
        has_thread_ = !queue_.empty();
        if (!has_thread_) return false;
        current_ = next = queue_.front();
        queue_.erase(queue_.begin());
    }
    try {
        next->improve();
    } catch (...) {  // memory is short, or the process is ending
        log_line(LogLevel::info, "better code could not be generated");
    }
    const std::lock_guard lock(mutex_);
    current_ = nullptr;
    changed_.notify_all();
    return true;
}

}  // namespace sinter::host
