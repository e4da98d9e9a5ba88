// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/reverse/additive.hpp"

#include <algorithm>

namespace sinter::ad {

using namespace ir;

bool is_additive(const Fn& op, std::size_t count) {
    const Block& body = op.body;
    if (body.params.size() != 2 * count || body.results.size() != count) return false;
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t result = body.results[k].index;
        if (!detail::is_float(body.params[k]) || result < 2 * count || result - 2 * count >= body.insts.size()) return false;
        if (std::any_of(body.insts.begin(), body.insts.end(), [](const Inst& i) { return i.types.size() != 1; }))
            return false;
        const Inst& inst = body.insts[result - 2 * count];
        const std::vector<Local> forwards{Local(k), Local(count + k)}, backwards{Local(count + k), Local(k)};
        if (inst.op != Op::add || (inst.operands != forwards && inst.operands != backwards)) return false;
    }
    return true;
}

}  // namespace sinter::ad
