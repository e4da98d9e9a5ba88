// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/flatten/restarting.hpp"

#include "ir/builder.hpp"

namespace sinter::enable {

using namespace ir;

Fn restarting(const Fn& op, std::size_t states, bool reverse) {
    std::vector<Scalar> params = op.body.params;
    params.insert(params.begin() + static_cast<std::ptrdiff_t>(states), Scalar::boolean);
    params.insert(params.begin(), Scalar::boolean);
    BlockBuilder builder;
    builder.open(params);
    std::vector<Local> arguments;
    for (std::size_t k = 0; k < op.body.params.size(); ++k) arguments.emplace_back(k < states ? k + 1 : k + 2);
    const Local left(0), right(states + 1), begins = reverse ? left : right;
    std::vector<Local> results{builder.emit(Op::bit_or, {left, right})};
    Inst cond{Op::cond, {}, 0, {begins}, {}};
    std::vector<Local> newer;
    for (std::size_t k = 0; k < states; ++k)
        newer.emplace_back(begins.index + 1 + k), cond.types.push_back(op.body.params[k]);
    builder.open({});
    cond.blocks.push_back(builder.close(newer));
    builder.open({});
    cond.blocks.push_back(builder.close(inline_block(builder, op.body, arguments)));
    const Local first = builder.emit(std::move(cond));
    for (std::size_t k = 0; k < states; ++k) results.emplace_back(first.index + k);
    return {op.arrays, builder.close(std::move(results))};
}

ValueId restarting_scan(Slices& slices, const Carrying& op, bool reverse, ValueId flagged) {
    ElementWriter::Written written = op.combine();
    const std::size_t states = written.fn.result_count();
    Scan scan{restarting(written.fn, states, reverse), {}, {}, std::move(written.captures)};
    scan.reverse = reverse;
    std::vector<Type> types;
    for (std::size_t k = 0; k <= states; ++k) {
        scan.args.emplace_back(flagged.index + k);
        types.push_back(slices.type(scan.args.back()));
    }
    return ValueId(slices.emit(std::move(scan), std::move(types)).index + 1);
}

Fn beginning_anew(const Fn& next, std::size_t states, std::size_t elements) {
    const std::vector<Scalar>& old = next.body.params;
    std::vector<Scalar> params = old;
    const auto scalars = params.begin() + static_cast<std::ptrdiff_t>(states + elements);
    params.insert(scalars, old.begin(), old.begin() + static_cast<std::ptrdiff_t>(states));
    params.insert(params.begin() + static_cast<std::ptrdiff_t>(states), Scalar::boolean);
    BlockBuilder builder;
    builder.open(params);
    std::vector<Local> arguments;
    const Local begins(states);
    for (std::size_t k = 0; k < states; ++k)
        arguments.push_back(builder.emit(Op::select, {begins, Local(states + 1 + elements + k), Local(k)}));
    for (std::size_t k = 0; k < elements; ++k) arguments.emplace_back(states + 1 + k);
    for (std::size_t k = states + elements; k < old.size(); ++k) arguments.emplace_back(k + 1 + states);
    return {next.arrays, builder.close(inline_block(builder, next.body, arguments))};
}

}  // namespace sinter::enable
