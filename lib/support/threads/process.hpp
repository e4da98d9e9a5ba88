// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What fork() and the end of the process demand of a library that has threads, locks and a compiler.
///
/// The child of a fork() has one thread; a lock that another thread held stays locked there forever. The end of the process
/// destroys the compiler's tables while other threads may still be compiling. Therefore both wait until no thread is in a
/// *critical section*, and let none enter in the meantime. Everything that takes locks or compiles is such a section;
/// kernels that are running are not, and nobody waits for them. Everything else that the library needs is never destroyed,
/// so that it can be used to the very end.
#pragma once

#include "support/shared.hpp"

#include <cstddef>
#include <mutex>

namespace sinter {

/// While it lives, the calling thread is in a critical section; sections of one thread nest.
class CriticalSection {
  public:
    SINTER_SHARED CriticalSection();
    SINTER_SHARED ~CriticalSection();
    CriticalSection(const CriticalSection&) = delete;
    CriticalSection& operator=(const CriticalSection&) = delete;

    /// While it lives, the calling thread works for one that is in a critical section and will wait for it.
    class Part {
      public:
        Part() noexcept;
        ~Part();
        Part(const Part&) = delete;
        Part& operator=(const Part&) = delete;
    };
};

/// A mutex that is held in a critical section.
class SectionLock {
  public:
    explicit SectionLock(std::mutex& mutex) : lock_(mutex) {}

  private:
    const CriticalSection section_;
    const std::lock_guard<std::mutex> lock_;
};

/// A mutex that any thread may hold for a few instructions, in a critical section or not: no thread holds it while another
/// one forks. There are few of them.
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

/// Calls `action` in the child of every fork(), before anything else in the library. Has no effect if memory is short.
void in_child(void (*action)());

}  // namespace sinter
