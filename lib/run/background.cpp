// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work on other threads. The process waits for it when it exits, so that nothing runs while static objects are destroyed,
// unless the work itself ends the process. The child of a fork() has none of its parent's work.
#include <sinter/detail/run.hpp>

#include "support/log.hpp"
#include "support/threads/process.hpp"

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

namespace sinter::detail {

namespace {

struct Outstanding {
    std::mutex mutex;
    std::condition_variable changed;
    int count = 0;

    void wait() {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return count == own; });
    }
    void change(int by) {
        std::lock_guard lock(mutex);
        count += by;
        changed.notify_all();
    }

    static constinit thread_local int own;  ///< number of works that this thread is executing
};

constinit thread_local int Outstanding::own = 0;

Outstanding& outstanding() {
    static Outstanding* instance = [] {
        auto* made = new Outstanding;
        in_child([] { new (&outstanding()) Outstanding; });  // the parent's threads do not exist in the child
        std::atexit([] { outstanding().wait(); });
        return made;
    }();
    return *instance;
}

void perform(void (*work)(void* context), void* context) {
    ++Outstanding::own;
    work(context);
    --Outstanding::own;
    outstanding().change(-1);
}

}  // namespace

void run_in_background(void (*work)(void* context), void* context) {
    outstanding().change(1);
    try {
        std::thread([work, context] { perform(work, context); }).detach();
    } catch (const std::system_error&) {  // the system can start no more threads: this one does the work
        log_line(LogLevel::warning, "the system has no more threads: run_async runs on its caller's");
        perform(work, context);
    } catch (...) {
        outstanding().change(-1);
        throw;
    }
}

}  // namespace sinter::detail
