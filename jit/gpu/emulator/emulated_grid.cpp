// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emulator/emulated_grid.hpp"

#include "support/check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <sinter/detail/half_bits.hpp>

namespace sinter::gpu {

namespace {

constexpr std::size_t warps = block_threads / warp_threads;
constexpr std::size_t most_together = 3;  ///< the number of blocks that are executed at the same time
EmulatedGrid* current = nullptr;

}  // namespace

/// Executes blocks alternately from either end: nothing may depend on their order.
void EmulatedGrid::launch(Kernel kernel, void* const* parameters, std::int64_t blocks, std::size_t shared_bytes,
                          Waits waits) {
    current = this;
    blocks_ = blocks;
    const bool backwards = ++launches_ % 2 == 0;
    const std::size_t together = waits == Waits::for_blocks ? most_together : 1;
    for (std::int64_t first = 0; first < blocks; first += static_cast<std::int64_t>(together)) {
        const std::size_t count = std::min(together, static_cast<std::size_t>(blocks - first));
        begin_blocks(first, count, backwards, shared_bytes);
        if (waits == Waits::no) {
            for (fiber_ = 0; fiber_ < block_threads; ++fiber_) kernel(parameters);
            continue;
        }
        if (!fibers_ || fibers_->count() < count * block_threads) fibers_.emplace(together * block_threads);
        fibers_->begin([kernel, parameters](std::size_t) { kernel(parameters); });
        run_waiting();
    }
    current = nullptr;
}

void EmulatedGrid::begin_blocks(std::int64_t first, std::size_t count, bool backwards, std::size_t shared_bytes) {
    begun_.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
        Block& b = begun_[k];
        const std::int64_t index = first + static_cast<std::int64_t>(k);
        b.index = backwards ? blocks_ - 1 - index : index;
        b.threads.assign(block_threads, {});
        b.arrived.assign(warps + 1, 0);
        b.exchanged.resize(2 * block_threads);
        b.shared.assign(shared_bytes / 8 + 1, 0x5a5a5a5a5a5a5a5a);
    }
    left_ = count * block_threads;
}

/// Lets all threads go as far as they get, again and again. If there are several blocks, one of them is late for a while,
/// then another one.
void EmulatedGrid::run_waiting() {
    std::uint64_t idle = 0;
    for (std::uint64_t round = 0; left_ > 0; ++round) {
        const std::uint64_t before = progress_;
        const std::size_t late =
            begun_.size() > 1 && idle == 0 ? (round * 2654435761u >> 8) % (begun_.size() + 1) : begun_.size();
        run_round(round, late);
        idle = progress_ == before ? idle + 1 : 0;
        constexpr std::uint64_t enough = 3;  // one with all blocks, and one more for what has changed
        if (idle == enough) fibers_.reset();
        check(idle < enough, "threads of a block wait for one that has ended or waits elsewhere");
    }
}

/// Goes alternately from either end.
void EmulatedGrid::run_round(std::uint64_t round, std::size_t late) {
    const std::size_t count = begun_.size() * block_threads;
    for (std::size_t k = 0; k < count; ++k) {
        fiber_ = round % 2 == 0 ? k : count - 1 - k;
        Block& b = block();
        const std::size_t t = thread();
        if (fiber_ / block_threads == late || b.threads[t].ended || !may_go_on(b, t)) continue;
        if (!fibers_->resume(fiber_)) continue;
        b.threads[t].ended = true;
        ++progress_;
        --left_;
    }
}

bool EmulatedGrid::may_go_on(const Block& b, std::size_t thread) const {
    const Thread& t = b.threads[thread];
    return b.arrived[warps] >= t.barriers * block_threads && b.arrived[thread / warp_threads] >= t.exchanges * warp_threads;
}

void EmulatedGrid::barrier() {
    ++block().threads[thread()].barriers;
    ++block().arrived[warps];
    ++progress_;
    fibers_->pause();
}

/// The values of all threads of the warp.
const std::uint32_t* EmulatedGrid::exchange(std::uint32_t value) {
    Block& b = block();
    const std::size_t self = thread(), warp = self / warp_threads;
    const std::size_t row = b.threads[self].exchanges % 2 * block_threads;
    b.exchanged[row + self] = value;
    ++b.threads[self].exchanges;
    ++b.arrived[warp];
    ++progress_;
    fibers_->pause();
    return b.exchanged.data() + row + warp * warp_threads;
}

EmulatedGrid& EmulatedGrid::running() { return *current; }
std::uint32_t EmulatedGrid::builtin_thread() { return static_cast<std::uint32_t>(running().thread()); }
std::uint32_t EmulatedGrid::builtin_block() { return static_cast<std::uint32_t>(running().block().index); }
std::uint32_t EmulatedGrid::builtin_blocks() { return static_cast<std::uint32_t>(running().blocks_); }
void EmulatedGrid::builtin_barrier() { running().barrier(); }
std::uint32_t EmulatedGrid::builtin_from_lane(std::uint32_t value, std::uint32_t lane) {
    return running().exchange(value)[lane % warp_threads];
}
void* EmulatedGrid::builtin_shared() { return running().block().shared.data(); }
void EmulatedGrid::builtin_fence() {}
std::uint64_t EmulatedGrid::builtin_load(const std::uint64_t* word) { return *word; }
void EmulatedGrid::builtin_store(std::uint64_t* word, std::uint64_t value) { *word = value; }
void EmulatedGrid::builtin_warp_barrier() { running().exchange(0); }
std::uint32_t EmulatedGrid::builtin_peers(std::uint32_t value) {
    const std::uint32_t* values = running().exchange(value);
    std::uint32_t lanes = 0;
    for (std::uint32_t k = 0; k < warp_threads; ++k) lanes |= std::uint32_t{values[k] == value} << k;
    return lanes;
}
std::uint32_t EmulatedGrid::builtin_ballot(std::uint32_t value) {
    return builtin_peers(value != 0) ^ (value != 0 ? 0 : ~0u);
}
/// Products are exact, and so is almost every sum before it is rounded. A card may round more often, and towards zero.
EmulatedGrid::Sums EmulatedGrid::multiply_add(Sums sums, const std::array<std::uint32_t, 6>& own, std::size_t halves_each,
                                              double (*number)(std::uint32_t word, std::size_t half)) {
    using Words = std::array<std::uint32_t, warp_threads>;
    std::array<Words, 6> words;
    for (std::size_t k = 0; k < words.size(); ++k) {
        const std::uint32_t* all = running().exchange(own[k]);
        std::copy(all, all + warp_threads, words[k].begin());
    }
    const std::size_t lane = running().thread() % warp_threads;
    for (std::size_t n = 0; n < 4; ++n) {
        const std::size_t row = lane / 4, column = lane % 4 * 2 + n % 2, lower = n / 2;
        double sum = sums[n];
        for (std::size_t k = 0; k < 8 * halves_each; ++k) {
            const std::size_t word = k / halves_each, beyond = word / 4, half = k % halves_each;
            sum += number(words[lower + 2 * beyond][row * 4 + word % 4], half) *
                   number(words[4 + beyond][column * 4 + word % 4], half);
        }
        sums[n] = static_cast<float>(sum);
    }
    return sums;
}

EmulatedGrid::Sums EmulatedGrid::builtin_multiply_add(Sums sums, std::uint32_t a0, std::uint32_t a1, std::uint32_t a2,
                                                      std::uint32_t a3, std::uint32_t b0, std::uint32_t b1) {
    return multiply_add(sums, {a0, a1, a2, a3, b0, b1}, 2, [](std::uint32_t pair, std::size_t half) {
        return static_cast<double>(detail::float_from_half(static_cast<std::uint16_t>(pair >> 16 * half)));
    });
}

EmulatedGrid::Sums EmulatedGrid::builtin_multiply_add_tf32(Sums sums, std::uint32_t a0, std::uint32_t a1, std::uint32_t a2,
                                                           std::uint32_t a3, std::uint32_t b0, std::uint32_t b1) {
    return multiply_add(sums, {a0, a1, a2, a3, b0, b1}, 1,
                        [](std::uint32_t word, std::size_t) { return static_cast<double>(std::bit_cast<float>(word)); });
}

std::uint32_t EmulatedGrid::builtin_to_tf32(float x) {
    constexpr std::uint32_t unit = 1u << 13;  // in the last of the bits that remain
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return std::isnan(x) ? 0x7fffffff & ~(unit - 1) : (bits + unit / 2) & ~(unit - 1);
}

void EmulatedGrid::builtin_pause() { running().fibers_->pause(); }

std::vector<std::pair<const char*, void*>> EmulatedGrid::builtins() {
    auto address = [](auto* function) { return reinterpret_cast<void*>(function); };
    return {{builtin::thread, address(&builtin_thread)},
            {builtin::block, address(&builtin_block)},
            {builtin::blocks, address(&builtin_blocks)},
            {builtin::barrier, address(&builtin_barrier)},
            {builtin::from_lane, address(&builtin_from_lane)},
            {builtin::shared, address(&builtin_shared)},
            {builtin::fence, address(&builtin_fence)},
            {builtin::pause, address(&builtin_pause)},
            {builtin::peers, address(&builtin_peers)},
            {builtin::warp_barrier, address(&builtin_warp_barrier)},
            {builtin::multiply_add, address(&builtin_multiply_add)},
            {builtin::multiply_add_tf32, address(&builtin_multiply_add_tf32)},
            {builtin::to_tf32, address(&builtin_to_tf32)},
            {builtin::ballot, address(&builtin_ballot)},
            {builtin::load_relaxed, address(&builtin_load)},
            {builtin::load_acquire, address(&builtin_load)},
            {builtin::store_relaxed, address(&builtin_store)},
            {builtin::store_release, address(&builtin_store)}};
}

}  // namespace sinter::gpu
