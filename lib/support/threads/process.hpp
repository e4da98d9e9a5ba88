// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What fork() and the end of the process ask of a library that has threads, locks and a compiler.
///
/// The child of a fork() has one thread; a lock that another thread had is locked there for ever. The end of the process
/// destroys the compiler's tables while other threads may still be compiling. Both therefore wait until no thread is in a
/// *critical section*, and let none enter meanwhile. What takes locks or compiles is one; kernels at work are not: nobody
/// waits for them. All else that the library needs is never destroyed, so that it can be used to the very end.
#pragma once

#include "support/shared.hpp"

#include <cstddef>
#include <mutex>

namespace sinter {

/// The calling thread is in a critical section; sections of one thread nest.
class CriticalSection {
  public:
    SINTER_SHARED CriticalSection();
    SINTER_SHARED ~CriticalSection();
    CriticalSection(const CriticalSection&) = delete;
    CriticalSection& operator=(const CriticalSection&) = delete;

    /// The calling thread works for one that is in a critical section and will wait for it.
    class Part {
      public:
        Part() noexcept;
        ~Part();
        Part(const Part&) = delete;
        Part& operator=(const Part&) = delete;
    };
};

/// Held for a few instructions, by any thread, whether it is in a critical section or not: no thread has it when another one
/// forks. There are few of them.
class ForkMutex {
  public:
    ForkMutex();
    ~ForkMutex();
    ForkMutex(const ForkMutex&) = delete;
    ForkMutex& operator=(const ForkMutex&) = delete;
    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }

  private:
    std::mutex mutex_;
};

/// Calls `action` while no other thread is in a critical section.
SINTER_SHARED void while_alone(void (*action)());

/// `action` will be called in the child of every fork(), before anything else of the library is. Without effect where
/// memory is short.
void in_child(void (*action)());

}  // namespace sinter
