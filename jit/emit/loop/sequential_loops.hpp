// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sequential loops inside functions. If all lanes end together, they are ordinary loops: their variables are scalars or
/// vectors, and some loops along rows go in strips of steps (lanes/strips.hpp). Otherwise a loop runs until no lane is
/// active (divergent_loop.hpp).
#pragma once

#include "jit/emit/body/blocks.hpp"
#include "jit/emit/lanes/lane_loops.hpp"
#include "jit/emit/lanes/rows.hpp"
#include "jit/emit/memory/memory.hpp"
#include "schedule/ways/fetched_ahead.hpp"

namespace sinter::emit {

class SequentialLoops {
  public:
    SequentialLoops(Blocks& blocks, Memory& memory, Rows& rows, LaneLoops& lanes)
        : blocks_(blocks), scope_(blocks.scope), code_(blocks.code), memory_(memory), rows_(rows), lanes_(lanes) {}

    /// Makes checks before loops where that is possible. Only where a check that fails leaves the kernel: on a card, the
    /// thread has to go on, because others wait for it.
    void check_before() { checks_before_ = true; }
    /// Sets the loops that fetch lines ahead where they are emitted into lanes.
    void fetch_ahead(const schedule::AheadOfLoops& loops) { ahead_ = &loops; }

    Values while_loop(const Inst& inst);
    Values for_loop(const Inst& inst);

  private:
    Values uniform_while(const Inst& inst, const std::vector<bool>& vary);
    Values uniform_for(const Inst& inst, const std::vector<bool>& vary);
    void leave_if(llvm::Value* fails, llvm::function_ref<void()> step);
    void fetch(const Inst& loop, llvm::Value* step);

    Blocks& blocks_;
    Scope& scope_;
    Code& code_;
    Memory& memory_;
    Rows& rows_;
    LaneLoops& lanes_;
    const schedule::AheadOfLoops* ahead_ = nullptr;
    bool checks_before_ = false;
};

}  // namespace sinter::emit
