// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/steps/repeats.hpp"

#include "schedule/affine.hpp"

namespace sinter::schedule {

using ir::Op;
using lower::Inst;

std::optional<std::size_t> repeated_input(const lower::Kernel& kernel, const std::int64_t* sizes, const KnownNumbers& known,
                                          std::size_t output, std::int64_t ahead) {
    const AffineNumbers offsets(kernel, sizes, known);
    std::optional<std::size_t> input;
    for (const Inst& inst : kernel.body.insts) {
        if (inst.op != Op::store || inst.bits != output) continue;
        const Inst* load = offsets.maker(inst.operands[1]);
        if (input || !load || load->op != Op::load || kernel.buffers[load->bits].output) return std::nullopt;
        MaybeAffine to = offsets[inst.operands[0]];
        const MaybeAffine& from = offsets[load->operands[0]];
        if (to) to->constant -= ahead;
        if (!to || !from || *to != *from) return std::nullopt;
        input = load->bits;
    }
    return input;
}

}  // namespace sinter::schedule
