// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/loop/sequential_loops.hpp"

#include "jit/emit/lanes/strips.hpp"
#include "jit/emit/loop/divergent_loop.hpp"

namespace sinter::emit {

using schedule::StatePatterns;

Values SequentialLoops::while_loop(const Inst& inst) {
    const StatePatterns p = state_patterns(blocks_.kernel, inst, scope_.patterns());
    return p.divergent ? divergent_loop(blocks_, inst, p) : uniform_while(inst, p);
}

Values SequentialLoops::for_loop(const Inst& inst) {
    const StatePatterns p = state_patterns(blocks_.kernel, inst, scope_.patterns());
    if (p.divergent) return divergent_loop(blocks_, inst, p);
    if (const schedule::Strips* strips = rows_.strips_of(inst))
        return loop_in_strips(blocks_, memory_, rows_, inst, p, *strips);
    return uniform_for(inst, p);
}

Values SequentialLoops::uniform_while(const Inst& inst, const StatePatterns& patterns) {
    Values like;
    for (std::size_t k = 0; k < inst.operands.size(); ++k)
        like.push_back(as_variable(code_, scope_.operand(inst, k), patterns.states[k]));
    Few variables = flatten(code_, like);
    code_.loop_from_top(
        variables,
        [&] {
            const Values c = blocks_.block(inst.blocks[0], unflatten(code_, like, variables));
            return c[0].scalars[0];
        },
        [&] {
            Values next = blocks_.block(inst.blocks[1], unflatten(code_, like, variables));
            for (std::size_t k = 0; k < next.size(); ++k) next[k] = as_variable(code_, next[k], patterns.states[k]);
            variables = flatten(code_, next);
        });
    return unflatten(code_, like, variables);
}

Values SequentialLoops::uniform_for(const Inst& inst, const StatePatterns& patterns) {
    Values like;
    for (std::size_t k = 1; k < inst.operands.size(); ++k)
        like.push_back(as_variable(code_, scope_.operand(inst, k), patterns.states[k - 1]));
    Few variables = flatten(code_, like);
    code_.loop(code_.i64(0), scope_.operand(inst, 0).scalars[0], 1, variables, [&](llvm::Value* i) {
        Values params{Value::index(i)};
        params.append(unflatten(code_, like, variables));
        Values next = blocks_.block(inst.blocks[0], params);
        for (std::size_t k = 0; k < next.size(); ++k) next[k] = as_variable(code_, next[k], patterns.states[k]);
        variables = flatten(code_, next);
    });
    return unflatten(code_, like, variables);
}

}  // namespace sinter::emit
