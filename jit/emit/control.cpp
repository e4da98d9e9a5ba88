// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow inside functions. Where all lanes take the same way it is ordinary control flow. Where they do not, both
// ways are executed, each under the mask of its lanes and only if there are any, and results are blended; a loop runs
// until no lane is active.
#include "jit/emit/emitter.hpp"

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

constexpr int speculation_limit = 10;

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
    if (cost <= speculation_limit) return flat_cond(inst);
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

// ---- loops ----

Values Emitter::while_loop(const Inst& inst) {
    const StatePatterns p = state_patterns(kernel_, inst, patterns());
    return p.divergent ? divergent_loop(inst) : uniform_while(inst, p);
}

Values Emitter::for_loop(const Inst& inst) {
    const StatePatterns p = state_patterns(kernel_, inst, patterns());
    return p.divergent ? divergent_loop(inst) : uniform_for(inst, p);
}

Values Emitter::uniform_while(const Inst& inst, const StatePatterns& patterns) {
    Values like;
    for (std::size_t k = 0; k < inst.operands.size(); ++k) like.push_back(as(operand(inst, k), patterns.states[k]));
    Few variables = flatten(code_, like);
    code_.loop_from_top(
        variables,
        [&] {
            const Values c = block(inst.blocks[0], unflatten(code_, like, variables));
            return c[0].scalars[0];
        },
        [&] {
            Values next = block(inst.blocks[1], unflatten(code_, like, variables));
            for (std::size_t k = 0; k < next.size(); ++k) next[k] = as(next[k], patterns.states[k]);
            variables = flatten(code_, next);
        });
    return unflatten(code_, like, variables);
}

Values Emitter::uniform_for(const Inst& inst, const StatePatterns& patterns) {
    Values like;
    for (std::size_t k = 1; k < inst.operands.size(); ++k) like.push_back(as(operand(inst, k), patterns.states[k - 1]));
    Few variables = flatten(code_, like);
    code_.loop(code_.i64(0), operand(inst, 0).scalars[0], 1, variables, [&](llvm::Value* i) {
        Values params{index(i)};
        params.append(unflatten(code_, like, variables));
        Values next = block(inst.blocks[0], params);
        for (std::size_t k = 0; k < next.size(); ++k) next[k] = as(next[k], patterns.states[k]);
        variables = flatten(code_, next);
    });
    return unflatten(code_, like, variables);
}

/// while_loop or for_loop whose lanes end at different times. A state that nothing uses after the loop need not be kept
/// for lanes that have ended: whatever they compute on is thrown away.
Values Emitter::divergent_loop(const Inst& inst) {
    const std::vector<bool> used = used_;
    const bool counts = inst.op == Op::for_loop;
    const std::size_t first = counts ? 1 : 0;
    Values like;
    for (std::size_t k = first; k < inst.operands.size(); ++k) like.push_back(code_.make_varying(operand(inst, k)));
    const Value count = counts ? operand(inst, 0) : Value{};
    Few variables = flatten(code_, like);
    const std::size_t states = variables.size();
    variables.append(all_lanes());
    if (counts) variables.push_back(code_.i64(0));

    auto now = [&] { return unflatten(code_, like, llvm::ArrayRef(variables).take_front(states)); };
    auto active = [&] { return Few(variables.begin() + states, variables.begin() + states + code_.lanes.parts()); };
    auto under = [&](const Few& mask) {
        Lanes lanes = code_.lanes;
        lanes.mask = mask;
        lanes.full = nullptr;
        return lanes;
    };
    Few still;
    auto again = [&]() -> llvm::Value* {
        const WithLanes with(code_, under(active()));
        if (counts) {
            const Value i = index(variables.back());
            const Value inside = code_.apply(Scalar::boolean, {&i, &count},
                                             [&](llvm::ArrayRef<llvm::Value*> v) { return ir.CreateICmpSLT(v[0], v[1]); });
            still = mask_and(code_.lanes.mask, inside, false);
        } else {
            still = mask_and(code_.lanes.mask, block(inst.blocks[0], now())[0], false);
        }
        Few narrow;
        for (llvm::Value* m : still) narrow.push_back(code_.narrow(m));
        return code_.any(narrow);
    };
    auto step = [&] {
        const WithLanes with(code_, under(still));
        Values params = now();
        if (counts) params.insert(params.begin(), index(variables.back()));
        Values next = block(counts ? inst.blocks[0] : inst.blocks[1], params);
        const Values before = now();
        for (std::size_t k = 0; k < next.size(); ++k) {
            next[k] = code_.make_varying(next[k]);
            if (!used[k]) continue;
            for (int p = 0; p < code_.lanes.parts(); ++p) {
                auto& part = next[k].parts[static_cast<std::size_t>(p)];
                part = ir.CreateSelect(code_.mask(p), part, before[k].parts[static_cast<std::size_t>(p)]);
            }
        }
        llvm::Value* i = counts ? ir.CreateAdd(variables.back(), code_.i64(1)) : nullptr;
        variables = flatten(code_, next);
        variables.append(still);
        if (counts) variables.push_back(i);
    };
    code_.loop_from_top(variables, again, step);
    return unflatten(code_, like, llvm::ArrayRef(variables).take_front(states));
}

}  // namespace sinter::emit
