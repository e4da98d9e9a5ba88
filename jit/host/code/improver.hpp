// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Generates better code in the background.
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

namespace sinter::host {

class Improvable {
  public:
    /// Called at most once for each call of Improver::add(), on another thread. If it throws, everything stays as it is.
    virtual void improve() const = 0;

  protected:
    ~Improvable() = default;
};

/// A queue, and a thread that exists while something is in it. Thread-safe.
///
/// What is being improved is improved in a critical section (support/threads/process.hpp): when a process forks, nothing has
/// been begun, and the child goes on with the queue when it next adds to it. When a process ends, the queue is left.
class Improver {
  public:
    /// Never destroyed.
    static Improver& shared();

    /// Does nothing if memory is short. If the system has no more threads, a later call starts one.
    void add(const Improvable& code);
    /// When it returns, `code` is not being improved, and will not be.
    void forget(const Improvable& code);

  private:
    Improver() = default;
    void start();
    static void work();
    bool improve_next();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<const Improvable*> queue_;
    const Improvable* current_ = nullptr;
    bool has_thread_ = false;
};

}  // namespace sinter::host
