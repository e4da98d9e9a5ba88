// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/team.hpp"

#include "run/processor.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sinter::runtime {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::uint32_t closed = 1, one_member = 2;
constexpr auto least_patience = 20us, most_patience = 2000us;  ///< what a member waits awake
constexpr auto polite_after = 50us;                            ///< then others may have the processor between two looks
constexpr auto soon = 20us;                                    ///< between loops of which one is worth waking members
constexpr int enough_refusals = 16;

/// Clears a flag at the end of a scope.
struct Leave {
    std::atomic<bool>& flag;
    explicit Leave(std::atomic<bool>& f) : flag(f) {}
    ~Leave() { flag.store(false, std::memory_order_release); }
};

std::uint64_t pack(std::uint64_t first, std::uint64_t last) { return last << 32 | first; }
std::uint64_t first_of(std::uint64_t range) { return range & 0xffffffff; }
std::uint64_t last_of(std::uint64_t range) { return range >> 32; }

}  // namespace

Team::Team(int size) : parts_(static_cast<std::size_t>(std::max(1, size))), inside_(closed) {}

Team::~Team() {
    ending_ = true;
    ++epoch_;
    epoch_.notify_all();
}

void Team::start() {
    for (int member = 1; member < size(); ++member) threads_.emplace_back([this, member] { serve(member); });
    started_ = true;
}

bool Team::ready() {
    if (busy_.load(std::memory_order_relaxed)) return false;
    if (awake()) return true;
    const auto now = std::chrono::nanoseconds(Clock::now().time_since_epoch()).count();
    const auto before = refused_at_.exchange(now, std::memory_order_relaxed);
    if (now - before > std::chrono::nanoseconds(soon).count()) refusals_.store(0, std::memory_order_relaxed);
    if (refusals_.fetch_add(1, std::memory_order_relaxed) < enough_refusals) return false;
    refusals_.store(0, std::memory_order_relaxed);
    return true;
}

bool Team::run(std::int64_t count, int threads, Body body, void* context) {
    if (busy_.exchange(true, std::memory_order_acquire)) return false;
    const Leave leave(busy_);
    if (!started_) start();
    loop_ = {body, context, static_cast<int>(std::min<std::int64_t>({threads, size(), count})), current_processor()};
    const auto members = static_cast<std::uint64_t>(loop_.members), n = static_cast<std::uint64_t>(count);
    for (std::uint64_t m = 0; m < members; ++m)
        parts_[m].range.store(pack(n * m / members, n * (m + 1) / members), std::memory_order_relaxed);
    inside_.store(0);
    ++epoch_;
    if (sleeping_.load() > 0) {
        epoch_.notify_all();
        std::this_thread::yield();  // to who wakes up on this processor, and leaves it
    }
    work(0);
    inside_.fetch_or(closed);
    for (int look = 1; inside_.load(std::memory_order_acquire) != closed; ++look)
        look % 1024 == 0 ? std::this_thread::yield() : pause();
    if (!failed_) return true;
    failed_ = false;
    std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Team::serve(int member) {
    std::chrono::microseconds patience = most_patience;
    for (std::uint32_t seen = 0; !ending_;) {
        const bool slept = await(seen, patience);
        seen = epoch_;  // before join(): a loop that begins after it failed is not missed
        if (!join()) continue;
        if (member < loop_.members) {
            if (slept) leave_processor(loop_.processor);
            work(member);
        }
        inside_.fetch_sub(one_member, std::memory_order_release);
    }
}

bool Team::await(std::uint32_t seen, std::chrono::microseconds& patience) {
    const auto begin = Clock::now();
    for (int look = 1; epoch_.load(std::memory_order_acquire) == seen; ++look) {
        pause();
        if (look % 32 != 0) continue;
        const auto waited = Clock::now() - begin;
        if (waited > patience) break;
        if (waited > polite_after) std::this_thread::yield();
    }
    if (epoch_.load() != seen) return false;
    ++sleeping_;
    epoch_.wait(seen);
    --sleeping_;
    // Had it waited a little longer, it would have been awake: or else, it waited in vain.
    const bool worth = Clock::now() - begin < most_patience;
    patience = std::clamp<std::chrono::microseconds>(worth ? patience * 4 : patience / 2, least_patience, most_patience);
    return true;
}

/// Whether the loop can be entered; it cannot end then before its member has left.
bool Team::join() {
    std::uint32_t now = inside_.load();
    while (!(now & closed))
        if (inside_.compare_exchange_weak(now, now + one_member)) return true;
    return false;
}

void Team::work(int member) {
    try {
        do
            for (std::int64_t k; take(member, k);) loop_.body(loop_.context, k);
        while (steal(member));
    } catch (...) {
        if (!failed_.exchange(true)) failure_ = std::current_exception();
        stop_others();
    }
}

bool Team::take(int member, std::int64_t& k) {
    std::atomic<std::uint64_t>& own = parts_[static_cast<std::size_t>(member)].range;
    std::uint64_t range = own.load();
    do
        if (first_of(range) >= last_of(range)) return false;
    while (!own.compare_exchange_weak(range, range + 1));
    k = static_cast<std::int64_t>(first_of(range));
    return true;
}

/// Moves the later half of another member's part to the own one, which is empty.
bool Team::steal(int member) {
    for (int step = 1; step < loop_.members; ++step) {
        std::atomic<std::uint64_t>& other = parts_[static_cast<std::size_t>((member + step) % loop_.members)].range;
        std::uint64_t range = other.load();
        while (first_of(range) < last_of(range)) {
            const std::uint64_t middle = (first_of(range) + last_of(range)) / 2;
            if (!other.compare_exchange_weak(range, pack(first_of(range), middle))) continue;
            parts_[static_cast<std::size_t>(member)].range.store(pack(middle, last_of(range)));
            return true;
        }
    }
    return false;
}

void Team::stop_others() {
    for (int m = 0; m < loop_.members; ++m) parts_[static_cast<std::size_t>(m)].range.store(0);
}

}  // namespace sinter::runtime
