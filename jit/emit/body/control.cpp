// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow inside functions. Where all lanes take the same way it is ordinary control flow. Where they do not, both
// ways are executed, each under the mask of its lanes and only if there are any, and results are blended.
#include "jit/emit/body/emitter.hpp"

namespace sinter::emit {

using ir::Op;

namespace {

/// Instructions in `b` if it is so cheap and harmless that lanes which need not execute it may; else a large number.
int speculation_cost(const Block& b) {
    constexpr int never = 1000;
    int cost = 0;
    for (const Inst& inst : b.insts) {
        const bool harmless = ir::is_pure(inst.op) || inst.op == Op::div || inst.op == Op::rem;
        if (inst.op == Op::size || inst.op == Op::constant) continue;
        if (!harmless || !inst.blocks.empty()) return never;
        cost += inst.op == Op::div || inst.op == Op::rem || inst.op == Op::sqrt ? 4 : 1;
    }
    return cost;
}

}  // namespace

Few Emitter::all_lanes() {
    Few mask = code_.lanes.mask;
    if (mask.empty())
        mask.assign(static_cast<std::size_t>(code_.lanes.parts()), llvm::Constant::getAllOnesValue(code_.wide_type()));
    return mask;
}

/// The lanes of `mask` where `condition` holds (does not hold), wide.
Few Emitter::mask_and(const Few& mask, const Value& condition, bool negated) {
    Few result;
    for (int p = 0; p < code_.lanes.parts(); ++p) {
        llvm::Value* c = code_.vector(condition, p);
        if (negated) c = ir.CreateNot(c);
        llvm::Value* wide = code_.wide(c);
        result.push_back(mask.empty() ? wide : ir.CreateAnd(mask[static_cast<std::size_t>(p)], wide));
    }
    return result;
}

// ---- cond ----

Values Emitter::cond(const Inst& inst) {
    if (operand(inst, 0).is_uniform())
        if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(operand(inst, 0).scalars[0]))
            return block(inst.blocks[known->isZero() ? 1 : 0], {});
    if (operand(inst, 0).is_uniform()) return uniform_cond(inst, state_patterns(kernel_, inst, patterns()));
    const int cost = speculation_cost(inst.blocks[0]) + speculation_cost(inst.blocks[1]);
    if (cost <= schedule::tuning::speculated_instructions) return flat_cond(inst);
    const bool one_sided = inst.types.empty() && inst.blocks[1].insts.empty() && !code_.lanes.masked();
    return one_sided ? (effects_where(inst), Values{}) : divergent_cond(inst);
}

Values Emitter::uniform_cond(const Inst& inst, const StatePatterns& patterns) {
    Values like;
    auto side = [&](const Block& b) {
        like = block(b, {});
        for (std::size_t k = 0; k < like.size(); ++k) like[k] = as(like[k], patterns.states[k]);
        return flatten(code_, like);
    };
    const Few results = code_.either(
        operand(inst, 0).scalars[0], [&] { return side(inst.blocks[0]); }, [&] { return side(inst.blocks[1]); });
    return unflatten(code_, like, results);
}

Values Emitter::flat_cond(const Inst& inst) {
    const Value condition = operand(inst, 0);  // what it is a copy of moves when blocks are emitted
    const Values a = block(inst.blocks[0], {}), b = block(inst.blocks[1], {});
    Values results;
    for (std::size_t k = 0; k < a.size(); ++k)
        results.push_back(code_.apply(a[k].type, {&condition, &a[k], &b[k]},
                                      [&](llvm::ArrayRef<llvm::Value*> v) { return ir.CreateSelect(v[0], v[1], v[2]); }));
    return results;
}

Values Emitter::divergent_cond(const Inst& inst) {
    const Value condition = operand(inst, 0);
    const Few chosen = mask_and({}, condition, false);  // wide, since it is used in other blocks
    const Values a = masked_side(inst.blocks[0], mask_and(code_.lanes.mask, condition, false));
    const Value here = code_.from_phi(Scalar::boolean, chosen);
    const Values b = masked_side(inst.blocks[1], mask_and(code_.lanes.mask, here, true));
    const Value joined = code_.from_phi(Scalar::boolean, chosen);
    Values results;
    for (std::size_t k = 0; k < a.size(); ++k) {
        Few parts;
        for (int p = 0; p < code_.lanes.parts(); ++p)
            parts.push_back(ir.CreateSelect(code_.vector(joined, p), code_.vector(a[k], p), code_.vector(b[k], p)));
        results.push_back(Value::varying(a[k].type, parts));
    }
    return results;
}

/// A cond for its effects, without another side. Mostly all lanes take it: no mask is needed then.
void Emitter::effects_where(const Inst& inst) {
    const Few chosen = mask_and({}, operand(inst, 0), false);
    Few others;
    for (llvm::Value* m : chosen) others.push_back(ir.CreateNot(code_.narrow(m)));
    code_.either(
        code_.any(others), [&] { return masked_side(inst.blocks[0], chosen), Few{}; },
        [&] { return block(inst.blocks[0], {}), Few{}; });
}

/// The block's results in the lanes of `mask`, anything in the others.
Values Emitter::masked_side(const Block& b, const Few& mask) {
    Few narrow;
    for (llvm::Value* m : mask) narrow.push_back(code_.narrow(m));
    Values like;
    Few results;
    llvm::BasicBlock *from = ir.GetInsertBlock(), *inside = code_.block(), *join = code_.block();
    ir.CreateCondBr(code_.any(narrow), inside, join);
    code_.enter(inside);
    {
        Lanes lanes = code_.lanes;
        lanes.mask = mask;
        lanes.full = nullptr;
        const WithLanes with(code_, lanes);
        like = block(b, {});
        for (Value& v : like) v = code_.make_varying(v);
        results = flatten(code_, like);
    }
    llvm::BasicBlock* to = ir.GetInsertBlock();
    ir.CreateBr(join);
    code_.enter(join);
    for (auto& v : results) {
        auto* phi = ir.CreatePHI(v->getType(), 2);
        phi->addIncoming(llvm::Constant::getNullValue(v->getType()), from);
        phi->addIncoming(v, to);
        v = phi;
    }
    return unflatten(code_, like, results);
}

}  // namespace sinter::emit
