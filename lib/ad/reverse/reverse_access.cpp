// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that move elements: what was read from a place is added to it; what was written to a place is read from it.
#include "ad/owners.hpp"
#include "ad/reverse/additive.hpp"
#include "ad/reverse/reverse.hpp"
#include "ad/variables.hpp"
#include "ir/derivative/terms.hpp"

#include <algorithm>

namespace sinter::ad {

using namespace ir;
using namespace ir::derivative;

void Reverse::pull_gather(const Gather& gather, const Done& done) {
    for (std::size_t k = 0; k < gather.sources.size(); ++k)
        if (done.adjoints[k]) contribute_at(gather.sources[k], renamed(gather.indices), *done.adjoints[k]);
}

namespace {

/// {mask, place -> element `place` of array 0 where the mask is set, else 0}
Fn read_where(Scalar scalar) {
    BlockBuilder builder;
    builder.open({Scalar::boolean, Scalar::i64});
    Inst cond{Op::cond, {scalar}, 0, {Local(0)}, {}};
    builder.open({});
    const Local element = builder.emit(Inst{Op::read, {scalar}, 0, {Local(1)}, {}});
    cond.blocks.push_back(builder.close({element}));
    builder.open({});
    const Local zero = Terms(builder).zero(scalar);
    cond.blocks.push_back(builder.close({zero}));
    const Local result = builder.emit(std::move(cond));
    return {{{scalar, 1}}, builder.close({result})};
}

Fn cast_fn(Scalar from, Scalar to) {
    BlockBuilder builder;
    builder.open({from});
    const Local result = builder.cast(to, Local(0));
    return {{}, builder.close({result})};
}

}  // namespace

/// The element at i was kept under the number of elements that were kept before it.
void Reverse::pull_compact(const Compact& compact, const Done& done) {
    const ValueId mask = rename(compact.mask);
    const Shape shape = type(mask).shape;
    const ValueId ones = map(cast_fn(Scalar::boolean, Scalar::i64), {mask}, Scalar::i64);
    Scan count{sum_fn(Scalar::i64), {constant_index(0)}, {ones}, {}, 0};
    count.exclusive = true;
    const ValueId place = emit(std::move(count), {{Scalar::i64, shape}});
    for (std::size_t k = 0; k < compact.args.size(); ++k) {
        const Derived& adjoint = done.adjoints[k + 1];
        if (!adjoint || !wants(compact.args[k])) continue;
        const Scalar scalar = type(*adjoint).scalar;
        contribute(compact.args[k],
                   emit(Map{read_where(scalar), {mask, place}, {{}, {*adjoint}}, false}, {{scalar, shape}}));
    }
}

// Scatter

namespace {

/// {owner, here, adjoint -> adjoint where they are equal, else 0}
Fn where_equal(Scalar scalar, bool equal) {
    BlockBuilder builder;
    builder.open({Scalar::i64, Scalar::i64, scalar});
    Terms terms(builder);
    const Local same = terms.apply(equal ? Op::equal : Op::not_equal, Local(0), Local(1));
    return {{}, builder.close({terms.select(same, Local(2), terms.zero(scalar))})};
}

}  // namespace

/// Several values may go to one place, and the scatter chooses which of them wins. So that the derivative is that of the
/// winner, the choice is made here: the last value in row-major order. Only updates are known to have distinct places.
bool Reverse::record_scatter(const Scatter& scatter, Record& record, std::vector<Type> types) {
    if (scatter.op || !scatter.drops) return true;
    const std::vector<ValueId> indices = renamed(scatter.indices), values = renamed(scatter.values);
    const ValueId number = numbers(indices[0]);
    const Shape shape = types[0].shape;
    const ValueId nobody = filled_index(shape, -1);
    const ValueId owner = emit(Scatter{greatest(), {nobody}, indices, {number}, {}, scatter.drops}, {{Scalar::i64, shape}});
    record.tapes = {owner, number};
    SizeId all = sizes().constant(1);
    for (SizeId extent : type(number).shape) all = sizes().mul(all, extent);
    std::vector<ValueId> results;
    for (std::size_t k = 0; k < types.size(); ++k) {
        const Scalar scalar = types[k].scalar;
        const ValueId flat = reshape(values[k], {all});
        results.push_back(
            emit(Map{element_of_owner(scalar), {owner, rename(scatter.dests[k])}, {{}, {flat}}, false}, {types[k]}));
    }
    define(results);
    return false;
}

void Reverse::pull_scatter(const Scatter& scatter, const Done& done) {
    if (!scatter.op) return scatter.drops ? pull_owned(scatter, done) : pull_replaced(scatter, done);
    const bool captures = !scatter.captures.scalars.empty() || !scatter.captures.arrays.empty();
    if (!captures && is_additive(*scatter.op, scatter.dests.size())) return pull_added(scatter, done);
    const std::optional<Op> op = captures ? std::nullopt : as_single_op(*scatter.op);
    if (op == Op::minimum || op == Op::maximum) return pull_chosen(scatter, done);
    refuse("derivative: a scatter or histogram with an operator other than +, min and max");
}

/// For distinct places.
void Reverse::pull_replaced(const Scatter& scatter, const Done& done) {
    const std::vector<ValueId> indices = renamed(scatter.indices);
    for (std::size_t k = 0; k < scatter.dests.size(); ++k) {
        if (!done.adjoints[k]) continue;
        const ValueId adjoint = *done.adjoints[k];
        if (wants(scatter.values[k])) contribute(scatter.values[k], read_at(adjoint, indices, scatter.drops));
        if (!wants(scatter.dests[k])) continue;
        const Type type = this->type(adjoint);
        const ValueId nothing = zeros({type.scalar, this->type(indices[0]).shape});
        contribute(scatter.dests[k], emit(Scatter{{}, {adjoint}, indices, {nothing}, {}, scatter.drops}, {type}));
    }
}

/// For a scatter as record_scatter() has written it.
void Reverse::pull_owned(const Scatter& scatter, const Done& done) {
    const ValueId owner = done.record.tapes[0], number = done.record.tapes[1];
    const std::vector<ValueId> indices = renamed(scatter.indices);
    for (std::size_t k = 0; k < scatter.dests.size(); ++k) {
        if (!done.adjoints[k]) continue;
        const ValueId adjoint = *done.adjoints[k];
        const Type type = this->type(adjoint);
        if (wants(scatter.values[k]))
            contribute(scatter.values[k],
                       map(where_equal(type.scalar, true),
                           {read_at(owner, indices, scatter.drops), number, read_at(adjoint, indices, scatter.drops)},
                           type.scalar));
        if (!wants(scatter.dests[k])) continue;
        BlockBuilder builder;
        builder.open({Scalar::i64, type.scalar});
        Terms terms(builder);
        const Local kept = terms.apply(Op::less, Local(0), builder.constant_index(0));
        const Local part = terms.select(kept, Local(1), terms.zero(type.scalar));
        contribute(scatter.dests[k], map({{}, builder.close({part})}, {owner, adjoint}, type.scalar));
    }
}

void Reverse::pull_added(const Scatter& scatter, const Done& done) {
    for (std::size_t k = 0; k < scatter.dests.size(); ++k) {
        if (!done.adjoints[k]) continue;
        contribute(scatter.dests[k], *done.adjoints[k]);
        if (wants(scatter.values[k]))
            contribute(scatter.values[k], read_at(*done.adjoints[k], renamed(scatter.indices), scatter.drops));
    }
}

/// For min and max: the adjoint goes to the destination if it has the result's value, else to the last of the values that
/// have it.
void Reverse::pull_chosen(const Scatter& scatter, const Done& done) {
    const ValueId adjoint = *done.adjoints[0];
    const Type type = this->type(adjoint);
    Scatter made{{}, renamed(scatter.dests), renamed(scatter.indices), renamed(scatter.values), {}, scatter.drops};
    const auto [owner, number] = chosen_values(made, done.results[0]);
    if (wants(scatter.values[0]))
        contribute(scatter.values[0],
                   map(where_equal(type.scalar, true),
                       {read_at(owner, made.indices, scatter.drops), number, read_at(adjoint, made.indices, scatter.drops)},
                       type.scalar));
    if (!wants(scatter.dests[0])) return;
    const ValueId all = filled_index(type.shape, INT64_MAX);
    contribute(scatter.dests[0], map(where_equal(type.scalar, true), {owner, all, adjoint}, type.scalar));
}

// Sort

/// The original positions of elements are sorted along with them.
bool Reverse::record_sort(const Sort& sort, Record& record, std::vector<Type> types) {
    const Shape shape = types[0].shape;
    Sort made{renamed(sort.args), sort.keys, sort.descending};
    made.args.push_back(position(shape, shape.size() - 1));
    const std::size_t count = types.size();
    types.push_back({Scalar::i64, shape});
    const ValueId first = emit(std::move(made), std::move(types));
    std::vector<ValueId> results;
    for (std::size_t k = 0; k < count; ++k) results.emplace_back(first.index + k);
    record.tapes = {ValueId(first.index + count)};
    define(results);
    return false;
}

/// No two elements come from one position.
void Reverse::pull_sort(const Sort& sort, const Done& done) {
    for (std::size_t k = 0; k < sort.args.size(); ++k) {
        if (!done.adjoints[k] || !wants(sort.args[k])) continue;
        const Type type = this->type(*done.adjoints[k]);
        std::vector<ValueId> indices;
        for (std::size_t axis = 0; axis + 1 < type.rank(); ++axis) indices.push_back(position(type.shape, axis));
        indices.push_back(done.record.tapes[0]);
        contribute(sort.args[k], emit(Scatter{{}, {zeros(type)}, std::move(indices), {*done.adjoints[k]}, {}, {}}, {type}));
    }
}

}  // namespace sinter::ad
