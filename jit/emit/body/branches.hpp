// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Branches inside functions. If all lanes take the same side, a branch is ordinary control flow. If they do not, both sides
/// are executed, each under the mask of its lanes and only if there are any, and results are blended. A side that is cheap
/// and harmless is executed in all lanes, without a mask.
#pragma once

#include "jit/emit/body/blocks.hpp"
#include "jit/emit/body/shared_sides.hpp"

namespace sinter::emit {

class Branches {
  public:
    explicit Branches(Blocks& blocks)
        : blocks_(blocks), scope_(blocks.scope), code_(blocks.code), ir(blocks.code.ir), shared_(code_, scope_) {}

    /// The results of a cond.
    Values emit(const Inst& inst);

  private:
    Values uniform_cond(const Inst& inst);
    Values flat_cond(const Inst& inst);
    Values divergent_cond(const Inst& inst);
    void effects_where(const Inst& inst);
    Values masked_side(const Block& b, const Few& mask);

    Blocks& blocks_;
    Scope& scope_;
    Code& code_;
    llvm::IRBuilder<>& ir;
    SharedSides shared_;
};

}  // namespace sinter::emit
