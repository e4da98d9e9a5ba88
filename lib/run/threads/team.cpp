// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/threads/team.hpp"

#include "run/processor.hpp"
#include "run/tuning.hpp"
#include "support/arch/pause.hpp"
#include "support/log.hpp"
#include "support/threads/float_environment.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <system_error>
#include <utility>

namespace sinter::runtime {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::uint64_t inside = std::uint64_t{1} << 31, offered = std::uint64_t{1} << 63;  ///< flags of a range

/// Clears a flag at the end of a scope.
struct Leave {
    std::atomic<bool>& flag;
    explicit Leave(std::atomic<bool>& f) : flag(f) {}
    ~Leave() { flag.store(false, std::memory_order_release); }
};

std::uint64_t pack(std::uint64_t first, std::uint64_t last) { return last << 32 | first; }
std::uint64_t first_of(std::uint64_t range) { return range & (inside - 1); }
std::uint64_t last_of(std::uint64_t range) { return (range & (offered - 1)) >> 32; }
bool is_empty(std::uint64_t range) { return first_of(range) >= last_of(range); }

}  // namespace

Team::Team(int size) : parts_(static_cast<std::size_t>(std::max(1, size))) {}

Team::~Team() {
    ending_ = true;
    for (Part& part : parts_) {
        ++part.bell;
        part.bell.notify_one();
    }
}

/// If the system has no more threads, those that exist have to do; later there may be some again.
bool Team::start() try {
    const auto now = Clock::now();
    if (now < next_start_) return false;
    next_start_ = now + tuning::between_starts;
    const int processor = current_processor();
    threads_.reserve(parts_.size());
    while (threads_.size() + 1 < parts_.size()) {
        const int member = static_cast<int>(threads_.size()) + 1;
        threads_.emplace_back([this, member, processor] {
            DefaultFloatEnvironment::write_default();
            leave_processor(processor);
            serve(member);
        });
        started_ = member;
    }
    return true;
} catch (const std::system_error&) {
    return warn_of_few_threads();
} catch (const std::bad_alloc&) {
    return warn_of_few_threads();
}

bool Team::warn_of_few_threads() const {
    log_line(LogLevel::warning, "the system has no more threads: kernels run on {} of {}", started_ + 1, parts_.size());
    return true;
}

bool Team::awake() const {
    return started_.load(std::memory_order_relaxed) > 0 &&
           (sleeping_.load(std::memory_order_relaxed) == 0 || !parts_[1].asleep);
}

bool Team::ready(std::chrono::nanoseconds time, std::chrono::nanoseconds worth_waking) {
    if (busy_.load(std::memory_order_relaxed)) return false;
    if (time >= worth_waking || awake()) return true;
    const auto now = std::chrono::nanoseconds(Clock::now().time_since_epoch()).count();
    const auto before = refused_at_.exchange(now, std::memory_order_relaxed);
    if (now - before > std::chrono::nanoseconds(tuning::soon).count()) refused_time_.store(0, std::memory_order_relaxed);
    if (refused_time_.fetch_add(time.count(), std::memory_order_relaxed) + time.count() < worth_waking.count()) return false;
    refused_time_.store(0, std::memory_order_relaxed);
    return true;
}

bool Team::run(std::int64_t count, int threads, Body body, void* context) {
    if (busy_.exchange(true, std::memory_order_acquire)) return false;
    const Leave leave(busy_);
    if (count <= 0) return true;
    const bool begins = started_.load(std::memory_order_relaxed) + 1 < size() && start();
    const int members = static_cast<int>(std::min<std::int64_t>({threads, started_ + 1, count}));
    offer({body, context, members}, static_cast<std::uint64_t>(count));
    const bool woken = sleeping_.load(std::memory_order_relaxed) > 0 && wake(members);
    if (begins || woken) std::this_thread::yield();  // to a thread that is on this processor, and leaves it
    work(0, 0);
    close(members);
    if (!failed_) return true;
    failed_ = false;
    std::rethrow_exception(std::exchange(failure_, nullptr));
}

/// Nothing here waits for a cache line: the stores complete while the caller is at its first iteration, which it already
/// has.
void Team::offer(const Loop& loop, std::uint64_t count) {
    const auto members = static_cast<std::uint64_t>(loop.members);
    const int processor = current_processor();
    for (std::uint64_t m = members; m-- > 0;) {
        parts_[m].loop = loop;
        parts_[m].processor.store(processor, std::memory_order_relaxed);
        const std::uint64_t first = count * m / members, last = count * (m + 1) / members;
        const std::uint64_t range = m > 0 ? pack(first, last) : inside | pack(1, last);
        parts_[m].range.store(offered | range, std::memory_order_release);
    }
}

/// A member that falls asleep at this moment may be missed: its part then goes to the others, and the next loop finds it
/// asleep.
bool Team::wake(int members) {
    bool any = false;
    for (int m = 1; m < members; ++m) {
        Part& part = parts_[static_cast<std::size_t>(m)];
        if (!part.asleep) continue;
        ++part.bell;
        part.bell.notify_one();
        any = true;
    }
    return any;
}

/// Waits for the members inside. No others can enter after that.
void Team::close(int members) {
    for (int m = 1; m < members; ++m) {
        std::atomic<std::uint64_t>& range = parts_[static_cast<std::size_t>(m)].range;
        for (int look = 1;; ++look) {
            std::uint64_t now = range.load(std::memory_order_acquire);
            if (now == 0 || (!(now & inside) && range.compare_exchange_strong(now, 0))) break;
            look % 1024 == 0 ? std::this_thread::yield() : arch::pause();
        }
    }
}

void Team::serve(int member) {
    Part& own = parts_[static_cast<std::size_t>(member)];
    std::chrono::microseconds patience = tuning::most_patience;
    while (!ending_) {
        std::int64_t k = 0;
        if (await(own, patience)) leave_processor(own.processor.load(std::memory_order_relaxed));
        if (!enter(own, k)) continue;
        work(member, k);
        own.range.store(0, std::memory_order_release);
    }
}

bool Team::await(Part& own, std::chrono::microseconds& patience) {
    const auto begin = Clock::now();
    for (int look = 1; !own.range.load(std::memory_order_acquire); ++look) {
        arch::pause();
        if (look % 32 != 0) continue;
        const auto waited = Clock::now() - begin;
        if (waited > patience) {
            sleep(own);
            // If the part came soon, waiting a little longer would have kept the thread awake; if not, it has waited in
            // vain.
            const bool worth = Clock::now() - begin < tuning::most_patience;
            patience = std::clamp<std::chrono::microseconds>(worth ? patience * 4 : patience / 2, tuning::least_patience,
                                                             tuning::most_patience);
            return true;
        }
        if (waited <= tuning::polite_after) continue;
        leave_processor(own.processor.load(std::memory_order_relaxed));
        std::this_thread::yield();
    }
    return false;
}

void Team::sleep(Part& own) {
    const std::uint32_t silent = own.bell;
    own.asleep = true;
    ++sleeping_;
    if (own.range == 0 && !ending_) own.bell.wait(silent);
    --sleeping_;
    own.asleep = false;
}

/// Returns true if the member came in time. `k` is then its first iteration, or -1 if others have taken all of them.
bool Team::enter(Part& own, std::int64_t& k) {
    std::uint64_t range = own.range.load();
    while (range != 0) {
        const bool empty = is_empty(range);
        k = empty ? -1 : static_cast<std::int64_t>(first_of(range));
        if (own.range.compare_exchange_weak(range, inside | (empty ? range : range + 1))) return true;
    }
    return false;
}

void Team::work(int member, std::int64_t k) {
    Part& own = parts_[static_cast<std::size_t>(member)];
    const Loop& loop = own.loop;
    try {
        if (k >= 0) loop.body(loop.context, k);
        while (take(own, k) || steal(member, k)) loop.body(loop.context, k);
    } catch (...) {
        if (!failed_.exchange(true)) failure_ = std::current_exception();
        stop_all(loop.members);
    }
}

bool Team::take(Part& own, std::int64_t& k) {
    std::uint64_t range = own.range.load();
    do
        if (is_empty(range)) return false;
    while (!own.range.compare_exchange_weak(range, range + 1));
    k = static_cast<std::int64_t>(first_of(range));
    return true;
}

/// Moves the later half of another member's part to `own`, which is empty, and takes its first iteration.
bool Team::steal(int member, std::int64_t& k) {
    Part& own = parts_[static_cast<std::size_t>(member)];
    const int members = own.loop.members;
    for (int step = 1; step < members; ++step) {
        std::atomic<std::uint64_t>& other = parts_[static_cast<std::size_t>((member + step) % members)].range;
        std::uint64_t range = other.load();
        while (!is_empty(range)) {
            const std::uint64_t middle = (first_of(range) + last_of(range)) / 2, flags = range & (inside | offered);
            if (!other.compare_exchange_weak(range, flags | pack(first_of(range), middle))) continue;
            own.range.store(offered | inside | pack(middle + 1, last_of(range)));
            k = static_cast<std::int64_t>(middle);
            return true;
        }
    }
    return false;
}

void Team::stop_all(int members) {
    for (int m = 0; m < members; ++m) parts_[static_cast<std::size_t>(m)].range &= inside | offered;
}

}  // namespace sinter::runtime
