// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values scatters take, for both modes.
#include "ad/owners.hpp"
#include "ad/sweep.hpp"
#include "ir/derivative/terms.hpp"

namespace sinter::ad {

using namespace ir;
using namespace ir::derivative;

namespace {

/// {index.. -> element at the index of array 0; zero if all indices from `drops` on are -1}
Fn read_unless_dropped(Scalar scalar, std::size_t rank, std::optional<std::size_t> drops) {
    BlockBuilder builder;
    builder.open(std::vector<Scalar>(rank, Scalar::i64));
    Inst read{Op::read, {scalar}, 0, {}, {}};
    for (std::size_t axis = 0; axis < rank; ++axis) read.operands.push_back(Local(axis));
    if (!drops) {
        const Local element = builder.emit(std::move(read));
        return {{{scalar, rank}}, builder.close({element})};
    }
    Local dropped;
    for (std::size_t axis = *drops; axis < rank; ++axis) {
        const Local none = builder.emit(Op::equal, {Local(axis), builder.constant_index(-1)});
        dropped = axis == *drops ? none : builder.emit(Op::bit_and, {dropped, none});
    }
    Inst cond{Op::cond, {scalar}, 0, {dropped}, {}};
    builder.open({});
    const Local zero = Terms(builder).zero(scalar);
    cond.blocks.push_back(builder.close({zero}));
    builder.open({});
    const Local element = builder.emit(std::move(read));
    cond.blocks.push_back(builder.close({element}));
    const Local result = builder.emit(std::move(cond));
    return {{{scalar, rank}}, builder.close({result})};
}

/// {value, result, place -> place where the value is the result, else -1}
Fn place_of_equal(Scalar scalar) {
    BlockBuilder builder;
    builder.open({scalar, scalar, Scalar::i64});
    const Local same = builder.emit(Op::equal, {Local(0), Local(1)});
    return {{}, builder.close({builder.emit(Op::select, {same, Local(2), builder.constant_index(-1)})})};
}

}  // namespace

Fn greatest() { return index_op(Op::maximum); }

Fn element_of_owner(Scalar scalar) {
    BlockBuilder to;
    to.open({Scalar::i64, scalar});
    Inst cond{Op::cond, {scalar}, 0, {to.emit(Op::less, {Local(0), to.constant_index(0)})}, {}};
    to.open({});
    cond.blocks.push_back(to.close({Local(1)}));
    to.open({});
    const Local element = to.emit(Inst{Op::read, {scalar}, 0, {Local(0)}, {}});
    cond.blocks.push_back(to.close({element}));
    const Local chosen = to.emit(std::move(cond));
    return {{{scalar, 1}}, to.close({chosen})};
}

ValueId Sweep::read_at(ValueId array, const std::vector<ValueId>& indices, std::optional<std::size_t> drops) {
    const Type read = type(array);
    Map made{read_unless_dropped(read.scalar, read.rank(), drops), indices, {{}, {array}}, false};
    const Shape shape = type(indices[0]).shape;
    return emit(std::move(made), {{read.scalar, shape}});
}

/// The position of each point in row-major order.
ValueId Sweep::numbers(ValueId like) {
    const Shape shape = type(like).shape;
    ValueId number = shape.empty() ? constant_index(0) : position(shape, 0);
    for (std::size_t axis = 1; axis < shape.size(); ++axis) {
        BlockBuilder builder;
        builder.open({Scalar::i64, Scalar::i64, Scalar::i64});
        const Local row = builder.emit(Op::mul, {Local(0), Local(2)}), sum = builder.emit(Op::add, {row, Local(1)});
        number = emit(Map{{{}, builder.close({sum})}, {number, position(shape, axis)}, {{extent_of(like, axis)}, {}}, false},
                      {{Scalar::i64, shape}});
    }
    return number;
}

Sweep::Chosen Sweep::chosen_values(const Scatter& scatter, ValueId result) {
    const Type type = this->type(result);
    const ValueId number = numbers(scatter.indices[0]), read = read_at(result, scatter.indices, scatter.drops);
    const ValueId candidates = map(place_of_equal(type.scalar), {scatter.values[0], read, number}, Scalar::i64);
    const ValueId before =
        map(place_of_equal(type.scalar), {scatter.dests[0], result, filled_index(type.shape, INT64_MAX)}, Scalar::i64);
    const ValueId owner =
        emit(Scatter{greatest(), {before}, scatter.indices, {candidates}, {}, scatter.drops}, {{Scalar::i64, type.shape}});
    return {owner, number};
}

}  // namespace sinter::ad
