// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/team/team_reduce.hpp"

namespace sinter::gpu {

TeamReduce::TeamReduce(Point& point, const Inst& inst)
    : point_(point), ir(point.code.ir), inst_(inst), elements_(point, inst), op_(point.code, point.emitter, inst) {}

Values TeamReduce::emit() {
    const Chunk& chunk = point_.chunk;
    auto merge = [&](const Few& a, const Few& b) { return op_.merge(a, b); };
    Few own;
    if (chunk.is_of(inst_, Role::finish))
        own = accumulate({point_.code.i64(0), chunk.count}, [&](llvm::Value* i) { return load_partials(i); });
    else
        own = accumulate(elements_.own(), [&](llvm::Value* i) { return elements_(i); });
    const Few total = point_.team->reduce(own, merge);
    if (chunk.is_of(inst_, Role::partial)) {
        point_.by_first([&] { store_partials(chunk.index, op_.values(total)); });
        point_.leave();
    }
    return op_.after(op_.combiner().init(), total);
}

/// Combines this thread's elements of the range; the results of all threads are in order if the order is `kept`.
Few TeamReduce::accumulate(Range range, Element element) {
    Few carried = op_.absent();
    elements_.each(range, point_.shared(inst_).order, carried,
                   [&](llvm::Value* i) { carried = op_.merge(carried, op_.present(element(i))); });
    return carried;
}

llvm::Value* TeamReduce::partial(std::size_t k, llvm::Value* chunk) {
    llvm::Value* offset = ir.CreateAdd(ir.CreateMul(chunk, point_.chunk.points), point_.number);
    return ir.CreateInBoundsGEP(point_.code.memory_type(inst_.types[k]), point_.chunk.arrays[k], offset);
}

Values TeamReduce::load_partials(llvm::Value* chunk) {
    Values result;
    const auto& types = inst_.types;
    for (std::size_t k = 0; k < types.size(); ++k) {
        llvm::Value* v = ir.CreateLoad(point_.code.memory_type(types[k]), partial(k, chunk));
        result.push_back(Value::uniform(types[k], types[k] == ir::Scalar::boolean ? ir.CreateIsNotNull(v) : v));
    }
    return result;
}

void TeamReduce::store_partials(llvm::Value* chunk, const Values& values) {
    for (std::size_t k = 0; k < values.size(); ++k) {
        llvm::Value* v = values[k].scalars[0];
        if (v->getType()->isIntegerTy(1)) v = ir.CreateZExt(v, ir.getInt8Ty());
        ir.CreateStore(v, partial(k, chunk));
    }
}

void emit_for_each(Point& point, const Inst& inst) {
    Elements elements(point, inst);
    Few none;
    elements.each(elements.all(), point.shared(inst).order, none, [&](llvm::Value* i) { elements(i); });
}

}  // namespace sinter::gpu
