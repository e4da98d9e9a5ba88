// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/kernel.hpp"

#include "ir/walk.hpp"

namespace sinter::lower {

const Accumulator* accumulator_at(const Kernel& kernel, std::size_t index) {
    const auto& all = kernel.accumulators;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Accumulator& a) { return a.buffer == index; });
    return found == all.end() ? nullptr : &*found;
}

bool is_overwritten(const Kernel& kernel, std::size_t index) {
    const bool is_stored = kernel.buffers[index].output ||
                           std::any_of(kernel.buffers.begin(), kernel.buffers.end(),
                                       [&](const Buffer& buffer) { return buffer.dest == index || buffer.takes == index; });
    return is_stored &&
           ir::any_inst(kernel.body, [&](const Inst& inst) { return inst.op == ir::Op::load && inst.bits == index; });
}

}  // namespace sinter::lower
