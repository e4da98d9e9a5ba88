// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Threads that wait for the next loop awake, so that loops of a few microseconds are worth more than one thread. One loop
/// at a time has them.
///
/// Member m of a loop starts with the m-th part of its iterations, so that a second loop over the same memory finds it in
/// the same caches; who is done takes half of what another one has left. The calling thread is member 0 and waits for
/// nobody who has not come: members that sleep lose their part to those who are awake.
///
/// What a loop costs is the way of cache lines from one processor to another. All that a member must know is in one line of
/// its own, in which the caller offers it a part, and which it empties when it leaves.
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

    /// `size`: members, the calling thread included. Threads start with the first loop.
    explicit Team(int size);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    /// Calls body(context, k) for k in [0, count), count < 2^31, on at most `threads` members. False, without a call, if
    /// another loop has the team. What a call throws is thrown when all have ended; the iterations left are not executed.
    bool run(std::int64_t count, int threads, Body body, void* context);

    /// Whether a loop for which one thread needs `time` is worth more than that thread: nobody has the team, and its first
    /// members are awake. Those that sleep are worth waking for a loop of `worth_waking`, or for several that come one soon
    /// after another and are as long together: the last of them then wakes members for those that follow.
    bool ready(std::chrono::nanoseconds time, std::chrono::nanoseconds worth_waking);

    int size() const { return static_cast<int>(parts_.size()); }

  private:
    struct Loop {
        Body body = nullptr;
        void* context = nullptr;
        int members = 0;
    };
    struct alignas(64) Part {
        /// Iterations [first, last) as last << 32 | first, and two flags. A part is offered, then its member is inside; who
        /// leaves it makes it 0. The caller does so for a member that has not come.
        std::atomic<std::uint64_t> range{0};
        Loop loop;                       ///< while offered
        std::atomic<int> processor{-1};  ///< of the caller that offered last
        std::atomic<std::uint32_t> bell{0};
        std::atomic<bool> asleep{false};
    };

    bool awake() const;
    /// Threads that are missing. False: it is too soon after the last try.
    bool start();
    bool warn_of_few_threads() const;
    void offer(const Loop& loop, std::uint64_t count);
    /// Those that sleep; whether any did.
    bool wake(int members);
    void close(int members);
    void serve(int member);
    /// Until a part is offered, a while awake, then asleep. Whether it slept.
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
    std::atomic<int> started_{0};  ///< threads
    std::atomic<int> sleeping_{0};
    /// What callers write is not in the line of what members read.
    alignas(64) std::atomic<bool> busy_{false};
    std::atomic<std::int64_t> refused_at_{0};    ///< when ready() was false last, nanoseconds
    std::atomic<std::int64_t> refused_time_{0};  ///< of loops one soon after another, nanoseconds
    std::chrono::steady_clock::time_point next_start_;
    std::vector<std::jthread> threads_;  ///< last: they end before what they use
};

}  // namespace sinter::runtime
