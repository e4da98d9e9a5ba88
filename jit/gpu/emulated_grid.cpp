// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emulated_grid.hpp"

#include "support/check.hpp"

namespace sinter::gpu {

namespace {

constexpr std::size_t warps = block_threads / warp_threads;
EmulatedGrid* current = nullptr;

}  // namespace

EmulatedGrid::EmulatedGrid() : exchanged_(2 * block_threads) {}

/// Blocks in turns from either end: nothing may depend on their order.
void EmulatedGrid::launch(Kernel kernel, void* const* parameters, std::int64_t blocks, std::size_t shared_bytes,
                          bool waits) {
    current = this;
    blocks_ = blocks;
    const bool backwards = ++launches_ % 2 == 0;
    for (std::int64_t k = 0; k < blocks; ++k) {
        block_ = backwards ? blocks - 1 - k : k;
        shared_.assign(shared_bytes / 8 + 1, 0x5a5a5a5a5a5a5a5a);
        run_block(kernel, parameters, waits);
    }
    current = nullptr;
}

void EmulatedGrid::run_block(Kernel kernel, void* const* parameters, bool waits) {
    if (!waits) {
        for (thread_ = 0; thread_ < block_threads; ++thread_) kernel(parameters);
        return;
    }
    threads_.assign(block_threads, {});
    arrived_.assign(warps + 1, 0);
    if (!fibers_) fibers_.emplace(block_threads);
    fibers_->begin([kernel, parameters](std::size_t) { kernel(parameters); });
    run_waiting();
}

/// All threads, as far as they get, again and again, in turns from either end.
void EmulatedGrid::run_waiting() {
    std::size_t left = block_threads;
    for (std::uint64_t round = 0; left > 0; ++round) {
        bool any = false;
        for (std::size_t k = 0; k < block_threads; ++k) {
            thread_ = round % 2 == 0 ? k : block_threads - 1 - k;
            if (threads_[thread_].ended || !may_go_on(thread_)) continue;
            any = true;
            if (!fibers_->resume(thread_)) continue;
            threads_[thread_].ended = true;
            --left;
        }
        if (!any) fibers_.reset();
        check(any, "threads of a block wait for one that has ended or waits elsewhere");
    }
}

bool EmulatedGrid::may_go_on(std::size_t thread) const {
    const Thread& t = threads_[thread];
    return arrived_[warps] >= t.barriers * block_threads && arrived_[thread / warp_threads] >= t.exchanges * warp_threads;
}

void EmulatedGrid::barrier() {
    ++threads_[thread_].barriers;
    ++arrived_[warps];
    fibers_->pause();
}

std::uint32_t EmulatedGrid::from_lane(std::uint32_t value, std::uint32_t lane) {
    const std::size_t self = thread_, warp = self / warp_threads;
    const std::size_t row = threads_[self].exchanges % 2 * block_threads;
    exchanged_[row + self] = value;
    ++threads_[self].exchanges;
    ++arrived_[warp];
    fibers_->pause();
    return exchanged_[row + warp * warp_threads + lane % warp_threads];
}

EmulatedGrid& EmulatedGrid::running() { return *current; }
std::uint32_t EmulatedGrid::builtin_thread() { return static_cast<std::uint32_t>(running().thread_); }
std::uint32_t EmulatedGrid::builtin_block() { return static_cast<std::uint32_t>(running().block_); }
std::uint32_t EmulatedGrid::builtin_blocks() { return static_cast<std::uint32_t>(running().blocks_); }
void EmulatedGrid::builtin_barrier() { running().barrier(); }
std::uint32_t EmulatedGrid::builtin_from_lane(std::uint32_t value, std::uint32_t lane) {
    return running().from_lane(value, lane);
}
void* EmulatedGrid::builtin_shared() { return running().shared_.data(); }
void EmulatedGrid::builtin_fence() {}

std::vector<std::pair<const char*, void*>> EmulatedGrid::builtins() {
    auto address = [](auto* function) { return reinterpret_cast<void*>(function); };
    return {{builtin::thread, address(&builtin_thread)},       {builtin::block, address(&builtin_block)},
            {builtin::blocks, address(&builtin_blocks)},       {builtin::barrier, address(&builtin_barrier)},
            {builtin::from_lane, address(&builtin_from_lane)}, {builtin::shared, address(&builtin_shared)},
            {builtin::fence, address(&builtin_fence)}};
}

}  // namespace sinter::gpu
