// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work on other threads. The process's exit waits for it, so that nothing runs while static objects are destroyed.
#include <sinter/detail/run.hpp>

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace sinter::detail {

namespace {

struct Outstanding {
    std::mutex mutex;
    std::condition_variable changed;
    int count = 0;

    void wait() {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return count == 0; });
    }
};

Outstanding& outstanding() {
    static Outstanding* instance = [] {
        auto* made = new Outstanding;
        std::atexit([] { outstanding().wait(); });
        return made;
    }();
    return *instance;
}

void change(int by) {
    Outstanding& work = outstanding();
    std::lock_guard lock(work.mutex);
    work.count += by;
    work.changed.notify_all();
}

}  // namespace

void run_in_background(void (*work)(void* context), void* context) {
    change(1);
    try {
        std::thread([work, context] {
            work(context);
            change(-1);
        }).detach();
    } catch (...) {
        change(-1);
        throw;
    }
}

}  // namespace sinter::detail
