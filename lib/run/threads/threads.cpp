// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/threads/threads.hpp"

#include "run/processor.hpp"
#include "run/threads/helpers.hpp"
#include "run/threads/team.hpp"
#include "run/tuning.hpp"
#include "support/settings.hpp"
#include "support/threads/process.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>

namespace sinter::runtime {

namespace {

/// Threads of the process, made when they are first needed, and never destroyed: they may be waiting when the process ends.
/// The child of a fork() has none of its parent's threads, and makes others. `fewer`: than there are processors.
template <class Threads, int fewer>
class OfProcess {
  public:
    /// Asks the system for its processors only where there are no threads yet: that takes half a microsecond, as long as
    /// sharing a loop.
    static Threads& get() {
        Threads* threads = current.load(std::memory_order_acquire);
        return threads ? *threads : make();
    }

  private:
    static Threads& make() {
        static const bool watching = (in_child([] { of_parent = current.exchange(nullptr); }), true);
        static_cast<void>(watching);
        auto made = std::make_unique<Threads>(usable_processors() - fewer);
        Threads* threads = nullptr;
        if (!current.compare_exchange_strong(threads, made.get())) return *threads;
        return *made.release();
    }

    static inline std::atomic<Threads*> current{nullptr};
    static inline Threads* of_parent = nullptr;  ///< they do not exist in the child and cannot be joined
};

Team& shared_team() { return OfProcess<Team, 0>::get(); }
Helpers& shared_helpers() { return OfProcess<Helpers, 1>::get(); }

}  // namespace

void parallel_for(std::int64_t count, int threads, void (*body)(void*, std::int64_t), void* context) {
    if (count <= 1 || threads <= 1) {
        for (std::int64_t k = 0; k < count; ++k) body(context, k);
        return;
    }
    if (count <= std::numeric_limits<std::int32_t>::max() && shared_team().run(count, threads, body, context)) return;
    shared_helpers().run(count, threads, body, context);
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
