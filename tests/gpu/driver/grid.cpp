// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of execution is the worst that chance finds. A few blocks are there at a time, in any order, and of a block a
// warp is taken: mostly all of its lanes go on, at times one of them runs far ahead, at times only some do, or each goes as
// far as it likes.
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
            spare_blocks().push_back(std::move(there_[which]));
            there_.erase(there_.begin() + static_cast<std::ptrdiff_t>(which));
        }
        executor_.finish();
    }

  private:
    /// Blocks that have ended lend their memory to others, of later launches too.
    static std::vector<std::unique_ptr<Block>>& spare_blocks() {
        static auto* blocks = new std::vector<std::unique_ptr<Block>>;
        return *blocks;
    }

    std::unique_ptr<Block> begin_block(std::uint32_t number) {
        auto block = std::make_unique<Block>();
        if (!spare_blocks().empty()) {
            block = std::move(spare_blocks().back());
            spare_blocks().pop_back();
        }
        executor_.begin(*block, number);
        return block;
    }

    /// One that can go on, if there is one; at times any other, whose stores become visible.
    std::size_t any_warp(const Block& block) {
        const std::size_t warps = block.warps.size(), first = chance().below(static_cast<std::uint32_t>(warps));
        if (chance().one_in(8)) return first;
        for (std::size_t k = 0; k < warps; ++k)
            if (const std::size_t warp = (first + k) % warps; block.warps[warp].running != 0) return warp;
        return first;
    }

    /// True if any thread could do anything.
    bool take_turn(Block& block) {
        const std::size_t warp = any_warp(block);
        bool any = block.warps[warp].running != 0 && run_lanes(block, warp);
        any |= meet_in_warp(block, warp);
        any |= meet_in_block(block);
        if (launch_.kernel->communicates)
            for (std::size_t lane = 0; lane < warp_threads; ++lane)
                executor_.visibility().drift(block, block.threads[warp * warp_threads + lane]);
        return any;
    }

    bool run_lanes(Block& block, std::size_t warp) {
        const std::uint32_t lane = chance().below(warp_threads);
        switch (chance().below(8)) {
            case 0:
                return executor_.run(block, warp, Lanes{1} << lane, 300);
            case 1:
                return run_one_by_one(block, warp, lane);
            case 2:
                return executor_.run(block, warp, chance().next(), any_count());
            default:
                return executor_.run(block, warp, all_lanes, any_count());
        }
    }

    static int any_count() { return 1 + static_cast<int>(chance().below(chance().one_in(4) ? 40 : 2000)); }

    bool run_one_by_one(Block& block, std::size_t warp, std::uint32_t first) {
        bool any = false;
        for (std::uint32_t k = 0; k < warp_threads; ++k)
            any |=
                executor_.run(block, warp, Lanes{1} << (first + k) % warp_threads, 1 + static_cast<int>(chance().below(40)));
        return any;
    }

    bool meet_in_warp(Block& block, std::size_t warp) {
        const Warp& its = block.warps[warp];
        if (its.at_warp == 0) return false;
        if (its.ended() != 0)
            executor_.stop(block, static_cast<std::uint32_t>(warp) * warp_threads + first_of(its.at_warp),
                           "a lane has ended, and another waits for it");
        if (its.at_warp != all_lanes) return false;
        executor_.run_warp(block, warp);
        return has_met_ = true;
    }

    bool meet_in_block(Block& block) {
        if (block.waiting == 0) return false;
        if (block.ended > 0) {
            std::uint32_t warp = 0;
            while (block.warps[warp].at_block == 0) ++warp;
            executor_.stop(block, warp * warp_threads + first_of(block.warps[warp].at_block),
                           "a thread has ended, and another waits for it");
        }
        if (block.waiting < block.threads.size()) return false;
        executor_.pass_barrier(block);
        return has_met_ = true;
    }

    static std::uint32_t first_of(Lanes lanes) { return static_cast<std::uint32_t>(std::countr_zero(lanes)); }

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
