// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of execution is the worst that chance finds. A few blocks are there at a time, in any order, and of a block a
// warp is taken: at times its lanes go side by side, at times one of them runs far ahead, at times each goes as far as it
// likes.
#include "grid.hpp"

#include "executor.hpp"
#include "settings.hpp"

#include <algorithm>
#include <cfenv>
#include <numeric>
#include <utility>

namespace driver {

namespace {

constexpr std::uint32_t most_blocks_at_once = 5;
constexpr std::uint64_t most_idle = 2'000'000;      ///< turns in which no thread could go on
constexpr std::uint64_t most_spinning = 5'000'000;  ///< turns in which no thread ended or met others

class Grid {
  public:
    explicit Grid(const Launch& launch) : launch_(launch), executor_(launch), order_(launch.blocks) {
        std::iota(order_.begin(), order_.end(), 0u);
        for (std::uint32_t k = launch.blocks; k > 1; --k) std::swap(order_[k - 1], order_[chance().below(k)]);
        at_once_ = 1 + chance().below(most_blocks_at_once);
    }

    void run() {
        while (next_ < launch_.blocks || !there_.empty()) {
            while (there_.size() < at_once_ && next_ < launch_.blocks) there_.push_back(begin_block(order_[next_++]));
            const std::size_t which = chance().below(static_cast<std::uint32_t>(there_.size()));
            Block& block = *there_[which];
            watch(block, take_turn(block));
            if (block.ended < block.threads.size()) continue;
            executor_.visibility().finish(block);
            there_.erase(there_.begin() + static_cast<std::ptrdiff_t>(which));
        }
        executor_.finish();
    }

  private:
    std::unique_ptr<Block> begin_block(std::uint32_t number) {
        auto block = std::make_unique<Block>();
        const Function& kernel = *launch_.kernel;
        block->number = number;
        block->shared.resize(kernel.shared_bytes);
        for (std::byte& b : block->shared) b = static_cast<std::byte>(chance().next());
        block->cells = Cells(kernel.shared_bytes);
        block->warp_epochs.resize(launch_.threads / warp_threads);
        block->running.assign(launch_.threads / warp_threads, warp_threads);
        block->threads.resize(launch_.threads);
        block->registers.resize(launch_.threads * kernel.registers.size());
        for (std::uint32_t k = 0; k < launch_.threads; ++k) {
            Thread& thread = block->threads[k];
            thread.number = k;
            thread.local.assign(kernel.local_bytes, std::byte{0x5a});
            thread.outgoing.resize(kernel.outgoing);
            thread.frames.push_back(first_frame(launch_, kernel, *block, thread));
        }
        return block;
    }

    /// One that can go on, if there is one; at times any other, whose stores become visible.
    std::size_t any_warp(const Block& block) {
        const std::size_t warps = block.running.size(), first = chance().below(static_cast<std::uint32_t>(warps));
        if (chance().one_in(8)) return first;
        for (std::size_t k = 0; k < warps; ++k)
            if (const std::size_t warp = (first + k) % warps; block.running[warp] > 0) return warp;
        return first;
    }

    /// True if any thread could do anything.
    bool take_turn(Block& block) {
        const std::size_t warp = any_warp(block);
        bool any = block.running[warp] > 0 && run_lanes(block, warp);
        any |= meet_in_warp(block, warp);
        any |= meet_in_block(block);
        if (launch_.kernel->communicates)
            for (std::size_t lane = 0; lane < warp_threads; ++lane)
                executor_.visibility().drift(block, block.threads[warp * warp_threads + lane]);
        return any;
    }

    bool run_lanes(Block& block, std::size_t warp) {
        Thread* lanes = &block.threads[warp * warp_threads];
        switch (chance().below(4)) {
            case 0:
                return run_side_by_side(block, lanes);
            case 1:
                return executor_.run(block, lanes[chance().below(warp_threads)], 300) > 0;
            default:
                break;
        }
        const std::uint32_t first = chance().below(warp_threads), most = chance().one_in(2) ? 40 : 400;
        bool any = false;
        for (std::uint32_t k = 0; k < warp_threads; ++k)
            any |= executor_.run(block, lanes[(first + k) % warp_threads], 1 + static_cast<int>(chance().below(most))) > 0;
        return any;
    }

    bool run_side_by_side(Block& block, Thread* lanes) {
        constexpr int steps = 60;
        bool any = false;
        for (int step = 0; step < steps; ++step) {
            bool goes_on = false;
            for (std::size_t lane = 0; lane < warp_threads; ++lane) goes_on |= executor_.run(block, lanes[lane], 1) > 0;
            if (!goes_on) break;
            any = true;
        }
        return any;
    }

    bool meet_in_warp(Block& block, std::size_t warp) {
        const auto begin = block.threads.begin() + static_cast<std::ptrdiff_t>(warp * warp_threads);
        const auto end = begin + warp_threads;
        auto waits = [](const Thread& t) { return t.state == State::waits_for_warp; };
        if (std::none_of(begin, end, waits)) return false;
        for (auto t = begin; t != end; ++t)
            if (t->state == State::ended)
                executor_.stop(block, *std::find_if(begin, end, waits), "a lane has ended, and another waits for it");
        if (!std::all_of(begin, end, waits)) return false;
        executor_.run_warp(block, warp);
        return has_met_ = true;
    }

    bool meet_in_block(Block& block) {
        if (block.waiting == 0) return false;
        auto waits = [](const Thread& t) { return t.state == State::waits_for_block; };
        if (block.ended > 0)
            executor_.stop(block, *std::find_if(block.threads.begin(), block.threads.end(), waits),
                           "a thread has ended, and another waits for it");
        if (block.waiting < block.threads.size()) return false;
        executor_.pass_barrier(block);
        return has_met_ = true;
    }

    /// Stops grids in which nothing happens any more.
    void watch(const Block& block, bool any) {
        const bool ends = block.ended == block.threads.size();
        idle_ = any ? 0 : idle_ + 1;
        spinning_ = ends || std::exchange(has_met_, false) ? 0 : spinning_ + 1;
        if (idle_ > most_idle) violation("threads wait for each other for ever in " + launch_.kernel->name);
        if (spinning_ > most_spinning) violation("blocks wait for each other for ever in " + launch_.kernel->name);
    }

    const Launch& launch_;
    Executor executor_;
    std::vector<std::uint32_t> order_;
    std::uint32_t next_ = 0, at_once_ = 1;
    std::vector<std::unique_ptr<Block>> there_;
    bool has_met_ = false;
    std::uint64_t idle_ = 0, spinning_ = 0;
};

}  // namespace

void execute(const Launch& launch) {
    std::fenv_t callers;
    std::fegetenv(&callers);
    std::fesetenv(FE_DFL_ENV);
    Grid(launch).run();
    std::fesetenv(&callers);
}

}  // namespace driver
