// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/threads/process.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <new>

namespace sinter {

namespace {

/// The number of critical sections that this thread is in.
constinit thread_local int depth = 0;

constexpr std::size_t most_mutexes = 16, most_actions = 16;

/// Knows which threads are in a critical section, and whether others may enter. The first check is one atomic operation; the
/// lock is for threads that wait.
class Gate {
  public:
    void enter() {
        inside_.fetch_add(1);
        while (closed_.load()) {
            leave();
            wait_until_open();
            inside_.fetch_add(1);
        }
    }

    void leave() {
        inside_.fetch_sub(1);
        if (closed_.load()) notify();
    }

    /// Waits until nobody but the calling thread is inside. One thread at a time.
    void close() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !closed_.load(); });
        closed_ = true;
        changed_.wait(lock, [&] { return inside_.load() == (depth > 0 ? 1 : 0); });
    }

    void open() {
        {
            const std::lock_guard lock(mutex_);
            closed_ = false;
        }
        changed_.notify_all();
    }

  private:
    void wait_until_open() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !closed_.load(); });
    }
    void notify() {
        {
            const std::lock_guard lock(mutex_);
        }  // a thread that closes is not between its check and its wait
        changed_.notify_all();
    }

    std::atomic<int> inside_{0};
    std::atomic<bool> closed_{false};
    std::mutex mutex_;
    std::condition_variable changed_;
};

struct Process {
    Gate gate;
    std::mutex lists;
    std::array<ForkMutex*, most_mutexes> mutexes{};
    std::array<void (*)(), most_actions> actions{};
    std::size_t mutex_count = 0, action_count = 0;

    Process() { pthread_atfork(before_fork, in_parent, in_child); }

    static void before_fork();
    static void in_parent();
    static void in_child();
};

Process& process() {
    static auto* shared = new Process;
    return *shared;
}

void Process::before_fork() {
    Process& p = process();
    p.gate.close();
    p.lists.lock();
    for (std::size_t k = 0; k < p.mutex_count; ++k) p.mutexes[k]->lock();
}

void Process::in_parent() {
    Process& p = process();
    for (std::size_t k = p.mutex_count; k-- > 0;) p.mutexes[k]->unlock();
    p.lists.unlock();
    p.gate.open();
}

/// Threads that were waiting at the gate do not exist in the child; the gate starts afresh.
void Process::in_child() {
    Process& p = process();
    for (std::size_t k = p.mutex_count; k-- > 0;) p.mutexes[k]->unlock();
    p.lists.unlock();
    new (&p.gate) Gate;
    if (depth > 0) p.gate.enter();
    for (std::size_t k = 0; k < p.action_count; ++k) p.actions[k]();
}

}  // namespace

void while_alone(void (*action)()) {
    Gate& gate = process().gate;
    gate.close();
    action();
    gate.open();
}

CriticalSection::CriticalSection() {
    if (depth == 0) process().gate.enter();
    ++depth;
}

CriticalSection::~CriticalSection() {
    if (--depth == 0) process().gate.leave();
}

CriticalSection::Part::Part() noexcept { ++depth; }

CriticalSection::Part::~Part() { --depth; }

ForkMutex::ForkMutex() {
    Process& p = process();
    const std::lock_guard lock(p.lists);
    if (p.mutex_count < most_mutexes) p.mutexes[p.mutex_count++] = this;
}

ForkMutex::~ForkMutex() {
    Process& p = process();
    const std::lock_guard lock(p.lists);
    const auto end = std::remove(p.mutexes.begin(), p.mutexes.begin() + p.mutex_count, this);
    p.mutex_count = static_cast<std::size_t>(end - p.mutexes.begin());
}

void in_child(void (*action)()) {
    Process& p = process();
    const std::lock_guard lock(p.lists);
    if (p.action_count < most_actions) p.actions[p.action_count++] = action;
}

}  // namespace sinter
