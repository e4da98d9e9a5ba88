// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/slices/lift_function.hpp"

#include "ir/builder.hpp"
#include "support/text/user_text.hpp"

namespace sinter::enable {

using namespace ir;

namespace {

/// The number of an element after one more index has been added in front.
Local renumbered(BlockBuilder& to, Local number, std::size_t rank, Local outer) {
    if (rank == 0) return outer;
    const int before = bits_of_index(rank), after = bits_of_index(rank + 1);
    auto constant = [&](std::uint64_t value) { return to.constant(Scalar::i64, value); };
    const Local most = constant((std::uint64_t{1} << after) - 1), mask = constant((std::uint64_t{1} << before) - 1);
    Local made = outer;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const auto below = static_cast<std::uint64_t>(before) * (rank - 1 - axis);
        const Local index = to.emit(Op::bit_and, {to.emit(Op::shift_right, {number, constant(below)}), mask});
        const Local moved = to.emit(Op::shift_left, {made, constant(static_cast<std::uint64_t>(after))});
        made = to.emit(Op::bit_or, {moved, to.emit(Op::minimum, {index, most})});
    }
    return made;
}

}  // namespace

Local name_slice(BlockBuilder& to, Inst inst, Local position) {
    const std::size_t rank = rank_of_text(inst.bits), number = inst.op == Op::expect ? 1 : 0;
    if (rank < most_numbered_axes) {
        inst.operands[number] = renumbered(to, inst.operands[number], rank, position);
        ++inst.bits;
    }
    return to.emit(std::move(inst));
}

namespace {

/// Rewrites reads and extents of slots that get an axis in front, and instructions that name elements.
Rewrite add_axis(const Relation& relation) {
    return [&relation](BlockBuilder& to, const Inst& inst) -> std::optional<Local> {
        if (names_element(inst) && relation.position) return name_slice(to, inst, *relation.position);
        Inst made = inst;
        if (inst.op == Op::read && relation.arrays[inst.bits])
            made.operands.insert(made.operands.begin(), *relation.position);
        else if (inst.op == Op::extent && relation.arrays[ir::extent_of(inst).slot])
            ++made.bits;
        else
            return std::nullopt;
        return to.emit(std::move(made));
    };
}

/// The results of a conditional on `mask`: those of `fn`, or 0.
std::vector<Local> masked(BlockBuilder& builder, const Fn& fn, const Relation& relation) {
    Inst cond{Op::cond, result_types(fn), 0, {*relation.mask}, {}};
    builder.open({});
    cond.blocks.push_back(builder.close(inline_block(builder, fn.body, relation.places, add_axis(relation))));
    builder.open({});
    std::vector<Local> results;
    for (Scalar scalar : cond.types) results.push_back(builder.constant(scalar, 0));
    cond.blocks.push_back(builder.close(results));
    Local first = builder.emit(std::move(cond));
    for (std::size_t i = 0; i < results.size(); ++i) results[i] = Local(first.index + i);
    return results;
}

}  // namespace

bool names_element(const Inst& inst) { return inst.op == Op::expect || inst.op == Op::debug_print; }

Fn lift_function(const Fn& fn, const Relation& relation) {
    Fn lifted{fn.arrays, {}};
    for (std::size_t slot = 0; slot < fn.arrays.size(); ++slot) {
        ArrayParam& array = lifted.arrays[slot];
        if (relation.arrays[slot])
            ++array.rank;
        else
            array.once = false;  // every slice reads it
    }
    BlockBuilder builder;
    builder.open(relation.params);
    lifted.body = builder.close(relation.mask ? masked(builder, fn, relation)
                                              : inline_block(builder, fn.body, relation.places, add_axis(relation)));
    return canonical(lifted);
}

Fn apply_op(Op op, const std::vector<Scalar>& params) {
    BlockBuilder builder;
    builder.open(params);
    Inst inst{op, {}, 0, {}, {}};
    for (std::size_t i = 0; i < params.size(); ++i) inst.operands.push_back(Local(i));
    inst.types = {*result_type(op, params, Scalar::boolean)};
    Local result = builder.emit(std::move(inst));
    return {{}, builder.close({result})};
}

Fn extent_fn(Scalar scalar, std::size_t rank) {
    BlockBuilder builder;
    builder.open({});
    const Local extent = builder.emit(Inst{Op::extent, {Scalar::i64}, 0, {}, {}});
    return {{{scalar, rank}}, builder.close({extent})};
}

Fn constant_fn(Scalar scalar, std::uint64_t bits) {
    BlockBuilder builder;
    builder.open({});
    Local result = builder.constant(scalar, bits);
    return {{}, builder.close({result})};
}

Fn index_fn(std::size_t count, std::size_t k) {
    BlockBuilder builder;
    builder.open(std::vector<Scalar>(count, Scalar::i64));
    return {{}, builder.close({Local(k)})};
}

Fn read_all(std::vector<ArrayParam> arrays) {
    BlockBuilder builder;
    std::size_t rank = arrays[0].rank;
    builder.open(std::vector<Scalar>(rank, Scalar::i64));
    std::vector<Local> results;
    for (std::size_t slot = 0; slot < arrays.size(); ++slot) {
        Inst read{Op::read, {arrays[slot].scalar}, slot, {}, {}};
        for (std::size_t axis = 0; axis < rank; ++axis) read.operands.push_back(Local(axis));
        results.push_back(builder.emit(std::move(read)));
    }
    return {std::move(arrays), builder.close(std::move(results))};
}

}  // namespace sinter::enable
