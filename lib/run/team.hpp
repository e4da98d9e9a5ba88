// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Threads that wait for the next loop awake, so that loops of a few microseconds are worth more than one thread. One loop
/// at a time has them.
///
/// Member m of a loop starts with the m-th part of its iterations, so that a second loop over the same memory finds it in
/// the same caches; who is done takes half of what another one has left. The calling thread is member 0 and waits for
/// nobody who has not come: members that sleep lose their part to those who are awake.
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

    /// Whether a loop of a few microseconds is worth more than one thread: nobody has the team, and its members are awake.
    /// Asked again and again, it says so of sleeping members too: the loop then wakes them, for those that follow.
    bool ready();

    int size() const { return static_cast<int>(parts_.size()); }

  private:
    /// Iterations [first, last) as last << 32 | first.
    struct alignas(64) Part {
        std::atomic<std::uint64_t> range{0};
    };
    struct Loop {
        Body body = nullptr;
        void* context = nullptr;
        int members = 0;
        int processor = -1;  ///< of the calling thread
    };

    bool awake() const { return sleeping_.load(std::memory_order_relaxed) == 0 && started_; }
    void start();
    void serve(int member);
    /// Waits for a loop after `seen`: a while awake, then asleep. Whether it slept.
    bool await(std::uint32_t seen, std::chrono::microseconds& patience);
    bool join();
    void work(int member);
    bool take(int member, std::int64_t& k);
    bool steal(int member);
    void stop_others();

    std::vector<Part> parts_;
    Loop loop_;
    std::atomic<bool> busy_{false};
    std::atomic<std::uint32_t> epoch_{0};   ///< loops begun; changes wake members
    std::atomic<std::uint32_t> inside_{0};  ///< members at work << 1 | whether the loop is closed
    std::atomic<int> sleeping_{0};
    std::atomic<bool> ending_{false}, failed_{false};
    std::exception_ptr failure_;
    std::atomic<std::int64_t> refused_at_{0};  ///< when ready() was false last, nanoseconds
    std::atomic<int> refusals_{0};             ///< one soon after another
    std::vector<std::jthread> threads_;
    std::atomic<bool> started_{false};
};

}  // namespace sinter::runtime
