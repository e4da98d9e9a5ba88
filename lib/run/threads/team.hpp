// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Threads that wait awake for the next loop, so that even loops of a few microseconds are worth more than one thread. One
/// loop at a time has them.
///
/// Member m of a loop starts with the m-th part of its iterations, so that a second loop over the same memory finds it in
/// the same caches; a member that is done takes half of what another one has left. The calling thread is member 0. It does
/// not wait for members that have not come: those that sleep lose their parts to those that are awake.
///
/// The cost of a loop is that of moving cache lines from one processor to another. Everything that a member has to know is
/// in one line of its own, in which the caller offers it a part, and which the member empties when it leaves.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

namespace sinter::runtime {

class Team {
  public:
    using Body = void (*)(void* context, std::int64_t k);

    /// `size`: the number of members, including the calling thread. Threads start with the first loop.
    explicit Team(int size);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    /// Calls body(context, k) for k in [0, count), count < 2^31, on at most `threads` members. Returns false, without any
    /// call, if another loop has the team. If a call throws, the exception is rethrown when all members are done; the
    /// remaining iterations are not executed.
    bool run(std::int64_t count, int threads, Body body, void* context);

    /// True if a loop for which one thread needs `time` is worth more than that thread: nobody has the team, and its first
    /// members are awake. Sleeping members are worth waking for a loop of at least `worth_waking`, or for several loops in
    /// quick succession that take as long together: the last of these then wakes members for those that follow.
    bool ready(std::chrono::nanoseconds time, std::chrono::nanoseconds worth_waking);

    int size() const { return static_cast<int>(parts_.size()); }

  private:
    struct Loop {
        Body body = nullptr;
        void* context = nullptr;
        int members = 0;
    };
    struct alignas(64) Part {
        /// Iterations [first, last) as last << 32 | first, and two flags. A part is offered; then its member is inside; a
        /// member that leaves sets it to 0. The caller does so for a member that has not come.
        std::atomic<std::uint64_t> range{0};
        Loop loop;                       ///< valid while offered
        std::atomic<int> processor{-1};  ///< processor of the caller that made the last offer
        std::atomic<std::uint32_t> bell{0};
        std::atomic<bool> asleep{false};
    };

    bool awake() const;
    /// Starts the threads that are missing. Returns false if it is too soon after the last attempt.
    bool start();
    bool warn_of_few_threads() const;
    void offer(const Loop& loop, std::uint64_t count);
    /// Wakes members that sleep; returns true if any did.
    bool wake(int members);
    void close(int members);
    void serve(int member);
    /// Waits until a part is offered, first awake, then asleep. Returns true if it slept.
    bool await(Part& own, std::chrono::microseconds& patience);
    void sleep(Part& own);
    void work(int member, std::int64_t k);
    bool enter(Part& own, std::int64_t& k);
    bool take(Part& own, std::int64_t& k);
    bool steal(int member, std::int64_t& k);
    void stop_all(int members);

    std::vector<Part> parts_;
    std::exception_ptr failure_;
    std::atomic<bool> ending_{false}, failed_{false};
    std::atomic<int> started_{0};  ///< number of threads
    std::atomic<int> sleeping_{0};
    /// What callers write is not in the same cache line as what members read.
    alignas(64) std::atomic<bool> busy_{false};
    std::atomic<std::int64_t> refused_at_{0};    ///< when ready() last returned false, in nanoseconds
    std::atomic<std::int64_t> refused_time_{0};  ///< total of loops in quick succession, in nanoseconds
    std::chrono::steady_clock::time_point next_start_;
    std::vector<std::jthread> threads_;  ///< last, so that threads end before what they use is destroyed
};

}  // namespace sinter::runtime
