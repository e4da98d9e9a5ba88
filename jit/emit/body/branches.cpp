// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/body/branches.hpp"

#include "jit/emit/code/masks.hpp"

namespace sinter::emit {

using ir::Op;
using schedule::Control;

Values Branches::emit(const Inst& inst) {
    if (scope_.operand(inst, 0).is_uniform())
        if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(scope_.operand(inst, 0).scalars[0]))
            return blocks_.block(inst.blocks[known->isZero() ? 1 : 0], {});
    if (scope_.operand(inst, 0).is_uniform()) return uniform_cond(inst);
    const Control::Apart apart = blocks_.apart(inst);
    if (apart == Control::Apart::select) return flat_cond(inst);
    const bool skips = apart == Control::Apart::skip && !code_.lanes.masked();
    return skips ? (effects_where(inst), Values{}) : divergent_cond(inst);
}

Values Branches::uniform_cond(const Inst& inst) {
    const std::vector<bool> vary = blocks_.states_of(inst).vary;
    Values like;
    auto side = [&](const Block& b) {
        like = as_variables(code_, blocks_.block(b, {}), vary);
        return flatten(code_, like);
    };
    const Few results = code_.either(
        scope_.operand(inst, 0).scalars[0], [&] { return side(inst.blocks[0]); }, [&] { return side(inst.blocks[1]); });
    return unflatten(code_, like, results);
}

Values Branches::flat_cond(const Inst& inst) {
    const Value condition = scope_.operand(inst, 0);  // a copy, because the original moves when blocks are emitted
    const Values a = blocks_.block(inst.blocks[0], {}), b = blocks_.block(inst.blocks[1], {});
    Values results;
    for (std::size_t k = 0; k < a.size(); ++k)
        results.push_back(code_.apply(a[k].type, {&condition, &a[k], &b[k]},
                                      [&](llvm::ArrayRef<llvm::Value*> v) { return ir.CreateSelect(v[0], v[1], v[2]); }));
    return results;
}

Values Branches::divergent_cond(const Inst& inst) {
    const Value condition = scope_.operand(inst, 0);
    const Few chosen = mask_and(code_, {}, condition);  // wide, because it is used in other blocks
    const Values a = masked_side(inst.blocks[0], mask_and(code_, code_.lanes.mask, condition));
    const Value here = code_.from_phi(Scalar::boolean, chosen);
    const Values b = masked_side(inst.blocks[1], mask_and(code_, code_.lanes.mask, here, true));
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

/// A cond that is executed for its effects and has only one side. Mostly all lanes take it, and no mask is needed then.
void Branches::effects_where(const Inst& inst) {
    const Few chosen = mask_and(code_, {}, scope_.operand(inst, 0));
    Few others;
    for (llvm::Value* m : chosen) others.push_back(ir.CreateNot(code_.narrow(m)));
    code_.either(
        code_.any(others), [&] { return masked_side(inst.blocks[0], chosen), Few{}; },
        [&] { return blocks_.block(inst.blocks[0], {}), Few{}; });
}

/// The results of the block in the lanes of `mask`, and arbitrary values in the others.
Values Branches::masked_side(const Block& b, const Few& mask) {
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
        auto called = shared_.call(b);
        like = called ? std::move(*called) : blocks_.block(b, {});
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
