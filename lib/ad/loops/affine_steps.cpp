// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/loops/affine_steps.hpp"

#include "ir/derivative/terms.hpp"
#include "ir/walk.hpp"

#include <algorithm>

namespace sinter::ad {

using namespace ir;
using derivative::Terms;

namespace {

/// True if the result is never infinite or NaN as long as the operands are not huge: there is no division, root or
/// logarithm.
bool is_tame(const Inst& inst) {
    switch (inst.op) {
        case Op::add:
        case Op::sub:
        case Op::mul:
        case Op::negate:
        case Op::fma:
        case Op::select:
        case Op::minimum:
        case Op::maximum:
        case Op::constant:
        case Op::cast:
        case Op::bit_and:
        case Op::bit_or:
        case Op::bit_not:
            return true;
        default:
            return is_comparison(inst.op);
    }
}

}  // namespace

bool is_diagonal(const Fn& step, std::size_t states) {
    const Block& body = step.body;
    if (!std::all_of(body.insts.begin(), body.insts.end(), is_tame)) return false;
    // by local, one bit per state
    if (states > 32) return false;
    std::vector<std::uint32_t> depends(body.params.size());
    for (std::size_t n = 0; n < states; ++n) depends[n] = std::uint32_t{1} << n;
    for (const Inst& inst : body.insts) {
        std::uint32_t all = 0;
        for (Local operand : inst.operands) all |= depends[operand.index];
        // A condition on an adjoint, or a product of two, is not affine.
        const bool linear = inst.op == Op::add || inst.op == Op::sub || inst.op == Op::negate || inst.op == Op::cast ||
                            inst.op == Op::mul || inst.op == Op::select || inst.op == Op::fma;
        if (all != 0 && !linear) return false;
        if (all != 0 && inst.op == Op::select && depends[inst.operands[0].index] != 0) return false;
        if ((inst.op == Op::mul || inst.op == Op::fma) && depends[inst.operands[0].index] != 0 &&
            depends[inst.operands[1].index] != 0)
            return false;
        depends.push_back(all);
    }
    for (std::size_t n = 0; n < states; ++n)
        if ((depends[body.results[n].index] & ~(std::uint32_t{1} << n)) != 0) return false;
    return true;
}

/// With all adjoints 0, the step gives the summands; with adjoints 1 and cotangents 0, which are the parameters [first_seed,
/// end_seed), it gives the factors.
Fn affine_parts(const Fn& step, std::size_t states, std::size_t dropped, std::size_t first_seed, std::size_t end_seed) {
    const std::vector<Scalar>& all = step.body.params;
    BlockBuilder builder;
    builder.open(std::vector<Scalar>(all.begin() + static_cast<std::ptrdiff_t>(dropped), all.end()));
    Terms terms(builder);
    auto run = [&](double adjoint, bool with_seeds) {
        std::vector<Local> places;
        for (std::size_t k = 0; k < all.size(); ++k) {
            const bool seed = k >= first_seed && k < end_seed;
            if (k < dropped)
                places.push_back(terms.number(all[k], k < states ? adjoint : 0));
            else
                places.push_back(seed && !with_seeds ? terms.zero(all[k]) : Local(k - dropped));
        }
        std::vector<Local> results = inline_block(builder, step.body, places);
        results.resize(states);
        return results;
    };
    std::vector<Local> results = run(1, false);
    const std::vector<Local> summands = run(0, true);
    results.insert(results.end(), summands.begin(), summands.end());
    return canonical({step.arrays, builder.close(std::move(results))});
}

Fn compose_affine(const std::vector<Scalar>& states, bool right_first) {
    const std::size_t count = states.size();
    std::vector<Scalar> params;
    for (int part = 0; part < 4; ++part) params.insert(params.end(), states.begin(), states.end());
    BlockBuilder builder;
    builder.open(params);
    const std::size_t left = 0, right = 2 * count, first = right_first ? right : left, second = right_first ? left : right;
    std::vector<Local> factors, summands;
    for (std::size_t n = 0; n < count; ++n) {
        factors.push_back(builder.emit(Op::mul, {Local(first + n), Local(second + n)}));
        const Local moved = builder.emit(Op::mul, {Local(first + count + n), Local(second + n)});
        summands.push_back(builder.emit(Op::add, {moved, Local(second + count + n)}));
    }
    factors.insert(factors.end(), summands.begin(), summands.end());
    return {{}, builder.close(std::move(factors))};
}

}  // namespace sinter::ad
