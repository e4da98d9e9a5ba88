// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduce element after element, in order.
#include "jit/emit/loop/partials.hpp"
#include "jit/emit/loop/reduction.hpp"

namespace sinter::emit {

namespace {

/// Partial results are read in all lanes; if the states are the same in all lanes, one of them is enough.
Values one_lane(llvm::IRBuilder<>& ir, Values loaded, const Values& like) {
    for (std::size_t k = 0; k < loaded.size(); ++k) {
        if (like[k].is_varying() || !loaded[k].is_varying()) continue;
        Few scalars;
        const std::size_t columns = loaded[k].parts.size() / like[k].scalars.size();
        for (std::size_t row = 0; row < like[k].scalars.size(); ++row)
            scalars.push_back(ir.CreateExtractElement(loaded[k].parts[row * columns], std::uint64_t{0}));
        loaded[k] = Value{loaded[k].type, scalars, nullptr, nullptr, {}, loaded[k].bits};
    }
    return loaded;
}

/// The values from which a sequential reduce starts, packed: the initial values, or in a tile that makes partial results the
/// existing one (if `has`).
Few start(Reduction& r, const std::vector<bool>& vary, llvm::Value* has) {
    Combiner& op = r.op;
    Code& code = r.code;
    const Values like = as_variables(code, op.init(), vary);
    const Few initial = op.pack(like);
    if (!r.nest.is_chunked()) return initial;
    Partials partials(r.emitter, r.inst);
    return code.either(
        partials.completes(), [&] { return initial; },
        [&] {
            return code.either(
                has,
                [&] {
                    const Values there = partials.load(r.emitter.fields.tile(offsetof(Tile, chunk)));
                    return op.pack(as_variables(code, one_lane(code.ir, there, like), vary));
                },
                [&] { return op.pack(as_variables(code, op.nothing(), vary)); });
        });
}

}  // namespace

Values sequential(Reduction& r) {
    Emitter& e = r.emitter;
    Code& code = r.code;
    Combiner& op = r.op;
    const std::vector<bool> vary = e.states_of(r.inst).vary;
    const Values like = as_variables(code, op.init(), vary);
    llvm::Value* has = code.ir.getTrue();
    if (r.nest.is_chunked())
        has = code.ir.CreateICmpNE(Partials(e, r.inst).start(), code.i64(static_cast<std::int64_t>(Start::fresh)));
    Few carried = start(r, vary, has);
    const bool flagged = r.nest.is_chunked() && !op.has_neutral();
    if (flagged) carried.push_back(has);
    Values indices;
    r.nest.outer_loops(r.nest.rank(), indices, carried, [&] {
        const Values element = e.block(r.inst.blocks[0], indices);
        llvm::Value* there = flagged ? carried.pop_back_val() : nullptr;
        const Values acc = unflatten(code, like, carried);
        auto combined = [&] { return op.pack(as_variables(code, op.combine(acc, element), vary)); };
        if (!flagged) {
            carried = combined();
            return;
        }
        const Few fresh = op.pack(as_variables(code, element, vary));
        carried = code.either(there, combined, [&] { return fresh; });
        carried.push_back(code.ir.getTrue());
    });
    if (flagged) carried.pop_back();
    const Values result = unflatten(code, like, carried);
    if (r.nest.is_chunked()) Partials(e, r.inst).store_and_leave(result);
    return result;
}

}  // namespace sinter::emit
