// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Threads for loops that run while another loop has the team (team.hpp). All of these loops share them: a thread that is
/// free goes to the loop with the fewest, and stays until that one has no iterations left. The calling thread takes
/// iterations, too, and never waits for a thread to come, so loops inside of loops end.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace sinter::runtime {

class Helpers {
  public:
    using Body = void (*)(void* context, std::int64_t k);

    /// `size`: the number of threads. They start with the first loop.
    explicit Helpers(int size) : size_(size) {}
    ~Helpers();
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

    /// Calls body(context, k) for k in [0, count) on at most `threads` threads, of which the caller's is one. If a call
    /// throws, the exception is rethrown when all threads are done; remaining iterations may be omitted.
    void run(std::int64_t count, int threads, Body body, void* context);

  private:
    struct Loop {
        Body body = nullptr;
        void* context = nullptr;
        std::int64_t count = 0, step = 1;
        int most_helpers = 0;
        std::atomic<std::int64_t> next{0};
        // What follows is guarded by mutex_.
        int helpers = 0;
        std::exception_ptr failure{};
        std::condition_variable last_left{};
    };

    void start();
    void announce(Loop& loop);
    void withdraw(Loop& loop);
    void serve();
    Loop* neediest() const;
    void work(Loop& loop) noexcept;

    const int size_;
    bool ending_ = false;
    std::vector<Loop*> loops_;
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::vector<std::jthread> threads_;  ///< last, so that threads end before what they use is destroyed
};

}  // namespace sinter::runtime
