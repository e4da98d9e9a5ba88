// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/lanes/rows.hpp"

#include "lower/loops.hpp"

namespace sinter::emit {

using schedule::RowBlocks;

const schedule::Strips* Rows::strips_of(const Inst& loop) const {
    if (!strips_) return nullptr;
    const auto found = strips_->find(&loop);
    return found == strips_->end() ? nullptr : &found->second;
}

void Rows::in_blocks(const Inst& loop, const Values& outer, Few& carried, llvm::function_ref<void(const Values&)> use) {
    Code& code = blocks_.code;
    const Closed closed(*this);
    auto run = [&](llvm::Value* lo, llvm::Value* hi, int columns) {
        code.loop(lo, hi, columns, carried, [&](llvm::Value* i) {
            Values params = outer;
            params.push_back(Value::index(i));
            if (columns > 1) {
                params.back().lane_stride = code.i64(0);
                params.back().part_stride = code.i64(1);
            }
            Values results;
            {
                const WithColumns with(blocks_, columns);
                for (const Value& v : blocks_.block(loop.blocks[0], params)) results.push_back(code.make_varying(v));
            }
            use(results);
        });
    };
    llvm::Value* n = blocks_.scope.operand(loop, lower::loop_rank(loop) - 1).scalars[0];
    llvm::Value* whole = code.pure({n}, [&] { return code.ir.CreateAnd(n, code.i64(-RowBlocks::columns)); });
    run(code.i64(0), whole, RowBlocks::columns);
    run(whole, n, 1);
}

}  // namespace sinter::emit
