// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/sizes/speculate.hpp"

#include "convert/tuning.hpp"
#include "ir/op.hpp"
#include "ir/walk.hpp"
#include "support/match.hpp"

#include <algorithm>

namespace sinter::convert {

namespace {

bool may_speculate(const ir::Block& block) {
    return !ir::any_inst(block, [](const ir::Inst& inst) {
        const ir::Scalar scalar = inst.types.empty() ? ir::Scalar::i64 : inst.type();
        return inst.op == ir::Op::while_loop || ir::may_fail(inst.op, scalar);
    });
}

bool is_small(const ir::Block& block) {
    return block.insts.size() <= tuning::free_instructions &&
           std::all_of(block.insts.begin(), block.insts.end(),
                       [](const ir::Inst& i) { return i.blocks.empty() && ir::info(i.op).traits != ir::Traits::math; });
}

}  // namespace

bool may_speculate(const front::Node& node) {
    return match(
        node.op, [](const front::Map& o) { return may_speculate(o.fn.body); },
        [](const front::Fold& o) { return may_speculate(o.op.body); }, [](const front::Gather&) { return false; },
        [](const front::Loop&) { return false; }, [](const front::Scan& o) { return may_speculate(o.op.body); },
        [](const front::Scatter&) { return false; }, [](const front::Foreign&) { return false; },
        [](const auto&) { return true; });
}

bool is_free(const front::Node& node) {
    return match(
        node.op,
        [&](const front::Map& o) {
            return o.args.empty() && o.captures.arrays.empty() && !node.types[0].shape.empty() && is_small(o.fn.body);
        },
        [](const front::Literal&) { return true; }, [](const front::ExtentOf&) { return true; },
        [](const front::Transpose&) { return true; }, [](const front::Slice&) { return true; },
        [](const front::Reverse&) { return true; }, [](const front::Broadcast&) { return true; },
        [](const front::Reshape&) { return true; }, [](const front::Flatten&) { return true; },
        [](const front::Shift&) { return true; }, [](const auto&) { return false; });
}

}  // namespace sinter::convert
