// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/loop/reduce.hpp"

#include "jit/emit/loop/partials.hpp"
#include "jit/emit/loop/reduction.hpp"
#include "lower/loops.hpp"

namespace sinter::emit {

Reduction::Reduction(Emitter& e, const Inst& instruction)
    : emitter(e), code(e.code), inst(instruction), nest(e.code, e.scope, e.fields, e.chunked, inst), op(e, inst) {}

Values Reduction::complete(const Values& total, llvm::Value* has) {
    if (nest.is_chunked()) Partials(emitter, inst).store_and_leave(total);
    if (op.has_neutral()) return op.combine(op.init(), total);
    const Values start = op.init();
    return op.unpack(code.either(has, [&] { return op.pack(op.combine(start, total)); }, [&] { return op.pack(start); }), 1);
}

namespace {

/// Combines the partial results of all chunks.
Values finish(Emitter& emitter, const Inst& inst) {
    Code& code = emitter.code;
    Partials partials(emitter, inst);
    Combiner op(emitter, inst);
    Values acc = partials.load(code.i64(0));
    Few carried = op.pack(op.varying(acc));
    const int parts = code.lanes.vector() ? code.lanes.parts() : 1;
    code.loop(code.i64(1), emitter.fields.chunks(), 1, carried, [&](llvm::Value* chunk) {
        const Values next = op.combine(op.unpack(carried, parts), partials.load(chunk));
        carried = op.pack(op.varying(next));
    });
    return op.combine(op.init(), op.unpack(carried, parts));
}

}  // namespace

Values emit_tiled(Emitter& emitter, const TileLoop& loop) {
    Reduction reduction(emitter, *loop.reduce);
    return tiled(reduction, loop);
}

Values emit_reduce(Emitter& emitter, const Inst& inst) {
    if (emitter.chunked.is(inst) && emitter.chunked.part == Part::finish) return finish(emitter, inst);
    if (const TileLoop* loop = emitter.in_tile.find(inst, emitter.code.lanes)) return emit_tiled(emitter, *loop);
    Reduction reduction(emitter, inst);
    if (emitter.rows.takes_blocks()) return in_row_blocks(reduction);
    if (emitter.code.lanes.open) return sequential(reduction);
    const Lanes lanes(emitter.lanes.lanes_of(inst));
    if (!lanes.vector()) return sequential(reduction);
    return reduction.op.commutative() ? interleaved(reduction, lanes) : ordered(reduction, lanes);
}

void emit_for_each(Emitter& emitter, const Inst& inst) {
    Code& code = emitter.code;
    const std::size_t rank = lower::loop_rank(inst);
    Few none;
    Values indices;
    auto nest = [&](auto& self, std::size_t axis) -> void {
        llvm::Value* extent = emitter.scope.operand(inst, axis).scalars[0];
        if (axis + 1 == rank && emitter.rows.takes_blocks())
            return emitter.rows.in_blocks(inst, indices, none, [](const Values&) {});
        if (axis + 1 == rank && !code.lanes.open)
            return emitter.lanes.for_effects({inst.blocks[0], indices, code.i64(0), extent}, emitter.lanes.lanes_of(inst));
        code.loop(code.i64(0), extent, 1, none, [&](llvm::Value* i) {
            indices.push_back(Value::index(i));
            if (axis + 1 == rank)
                emitter.block(inst.blocks[0], indices);
            else
                self(self, axis + 1);
            indices.pop_back();
        });
    };
    nest(nest, 0);
}

}  // namespace sinter::emit
