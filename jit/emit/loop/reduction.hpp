// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The ways of a reduce (reduce.hpp), one file each.
#pragma once

#include "jit/emit/emitter.hpp"
#include "jit/emit/loop/combiner.hpp"
#include "jit/emit/loop/nest.hpp"

namespace sinter::emit {

/// A reduce instruction that is being emitted.
struct Reduction {
    Reduction(Emitter& emitter, const Inst& instruction);

    /// init combined with all elements, given the combination of these (if there are any).
    Values complete(const Values& total, llvm::Value* has);

    Emitter& emitter;
    Code& code;
    const Inst& inst;
    Nest nest;
    Combiner op;
};

Values sequential(Reduction& reduction);                       ///< sequential_reduce.cpp
Values interleaved(Reduction& reduction, const Lanes& lanes);  ///< interleaved_reduce.cpp
Values ordered(Reduction& reduction, Lanes lanes);             ///< ordered_reduce.cpp
Values in_row_blocks(Reduction& reduction);                    ///< row_blocks_reduce.cpp
Values tiled(Reduction& reduction, const TileLoop& loop);      ///< tiled_reduce.cpp

}  // namespace sinter::emit
