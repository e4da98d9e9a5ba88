// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Passes of LLVM's default code generation that find nothing in code of kernels, or cost more than they bring: addresses
/// are simple already, loops hand-made.
#pragma once

#include "jit/emit/llvm/compat.hpp"

#include <llvm/ADT/STLExtras.h>

namespace sinter::emit {

class LeftOut final : public compat::PassGate {
  public:
    /// `short_blocks`: those that would put blocks together again are left out, too.
    explicit LeftOut(bool short_blocks) : short_blocks_(short_blocks) {}

    bool runs(llvm::StringRef pass) const override {
        static constexpr llvm::StringRef always[] = {
            "Loop Strength Reduction",
            "Canonicalize Freeze Instructions in Loops",
            "Constant Hoisting",
            "Post RA top-down list latency scheduler",
        };
        return !llvm::is_contained(always, pass) && !(short_blocks_ && pass == "CodeGen Prepare");
    }

  private:
    const bool short_blocks_;
};

}  // namespace sinter::emit
