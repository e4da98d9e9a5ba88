// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/threads/threads.hpp"

#include "run/processor.hpp"
#include "run/threads/team.hpp"
#include "run/tuning.hpp"
#include "support/settings.hpp"
#include "support/threads/float_environment.hpp"
#include "support/threads/process.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>

namespace sinter::runtime {

namespace tbb = oneapi::tbb;

namespace {

/// Tells the thread sanitizer what it cannot see, because oneTBB is not built with it: chunks start after the call, and end
/// before it returns.
class Visible {
  public:
#ifdef __SANITIZE_THREAD__
    Visible() { order_.store(0, std::memory_order_release); }
    ~Visible() { order_.load(std::memory_order_acquire); }
    void begin() { order_.load(std::memory_order_acquire); }
    void end() { order_.fetch_add(1, std::memory_order_acq_rel); }

  private:
    std::atomic<std::int64_t> order_;
#else
    void begin() {}
    void end() {}
#endif
};

/// The team of the process. The child of a fork() has none of its parent's threads, and makes a team of its own.
std::atomic<Team*> current_team{nullptr};
Team* team_of_parent = nullptr;  ///< its threads do not exist in the child and cannot be joined
std::atomic<bool> is_child{false};

/// Never destroyed: its threads may be waiting when the process ends.
Team& make_team() {
    static const bool watching = (in_child([] {
                                      team_of_parent = current_team.exchange(nullptr);
                                      is_child = true;
                                  }),
                                  true);
    static_cast<void>(watching);
    auto made = std::make_unique<Team>(usable_processors());
    Team* team = nullptr;
    if (!current_team.compare_exchange_strong(team, made.get())) return *team;
    return *made.release();
}

Team& shared_team() {
    Team* team = current_team.load(std::memory_order_acquire);
    return team ? *team : make_team();
}

/// For loops that run beside another one: all of them share the processors. oneTBB does not survive a fork(), so children do
/// without it.
void parallel_for_shared(std::int64_t count, int threads, void (*body)(void*, std::int64_t), void* context) {
    if (is_child) {
        for (std::int64_t k = 0; k < count; ++k) body(context, k);
        return;
    }
    [[maybe_unused]] Visible visible;
    auto loop = [&] {
        tbb::parallel_for(
            tbb::blocked_range<std::int64_t>(0, count, 1),
            [&](const tbb::blocked_range<std::int64_t>& range) {
                const DefaultFloatEnvironment floats;
                visible.begin();
                for (std::int64_t k = range.begin(); k != range.end(); ++k) body(context, k);
                visible.end();
            },
            tbb::auto_partitioner());
    };
    if (threads >= tbb::this_task_arena::max_concurrency()) {
        loop();
    } else {
        tbb::task_arena arena(threads);
        arena.execute(loop);
    }
}

}  // namespace

void parallel_for(std::int64_t count, int threads, void (*body)(void*, std::int64_t), void* context) {
    if (count <= 1 || threads <= 1) {
        for (std::int64_t k = 0; k < count; ++k) body(context, k);
        return;
    }
    if (count <= std::numeric_limits<std::int32_t>::max() && shared_team().run(count, threads, body, context)) return;
    parallel_for_shared(count, threads, body, context);
}

bool threads_ready(std::chrono::nanoseconds time, std::chrono::nanoseconds worth_waking) {
    return shared_team().ready(time, worth_waking);
}

void copy_bytes(void* to, const void* from, std::size_t bytes, int threads) {
    constexpr std::size_t piece = tuning::copied_together;
    parallel_for(static_cast<std::int64_t>((bytes + piece - 1) / piece), threads, [&](std::int64_t k) {
        std::size_t first = static_cast<std::size_t>(k) * piece;
        std::memcpy(static_cast<char*>(to) + first, static_cast<const char*>(from) + first, std::min(piece, bytes - first));
    });
}

int default_threads() {
    static const int threads = [] {
        const int wanted = std::atoi(std::string(setting("SINTER_THREADS")).c_str());
        return wanted > 0 ? wanted : usable_processors();
    }();
    return threads;
}

}  // namespace sinter::runtime
