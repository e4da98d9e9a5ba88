// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/reverse/uniform.hpp"

#include "ir/builder.hpp"
#include "ir/walk.hpp"

#include <algorithm>

namespace sinter::ad {

using namespace ir;

std::vector<bool> uniform_results(const Fn& fn, std::size_t scalars) {
    std::vector<bool> uniform(fn.body.params.size(), true);
    std::fill(uniform.begin(), uniform.begin() + static_cast<std::ptrdiff_t>(scalars), false);
    for (const Inst& inst : fn.body.insts) {
        // What is defined inside of the blocks depends on nothing that the blocks do not use.
        const std::size_t level = uniform.size();
        bool all = true;
        auto use = [&](Local local) { all = all && (local.index >= level || uniform[local.index]); };
        std::for_each(inst.operands.begin(), inst.operands.end(), use);
        for (const Block& block : inst.blocks) for_each_use(block, use);
        uniform.insert(uniform.end(), inst.types.size(), all);
    }
    std::vector<bool> results;
    for (Local result : fn.body.results) results.push_back(uniform[result.index]);
    return results;
}

Fn uniform_part(const Fn& fn, std::size_t scalars, const std::vector<std::size_t>& results) {
    const std::vector<Scalar>& params = fn.body.params;
    BlockBuilder builder;
    builder.open(std::vector<Scalar>(params.begin() + static_cast<std::ptrdiff_t>(scalars), params.end()));
    std::vector<Local> places;
    for (std::size_t k = 0; k < params.size(); ++k)
        places.push_back(k < scalars ? builder.constant(params[k], 0) : Local(k - scalars));  // the constants are not used
    Block part = fn.body;
    part.results.clear();
    for (std::size_t k : results) part.results.push_back(fn.body.results[k]);
    return canonical({fn.arrays, builder.close(inline_block(builder, part, std::move(places)))});
}

Fn choose_by_position(Scalar scalar, std::size_t count) {
    std::vector<Scalar> params{Scalar::i64};
    params.insert(params.end(), count, scalar);
    BlockBuilder builder;
    builder.open(params);
    Local chosen(count);
    for (std::size_t k = count - 1; k > 0; --k) {
        const Local here = builder.emit(Op::equal, {Local(0), builder.constant_index(static_cast<std::int64_t>(k - 1))});
        chosen = builder.emit(Op::select, {here, Local(k), chosen});
    }
    return {{}, builder.close({chosen})};
}

}  // namespace sinter::ad
