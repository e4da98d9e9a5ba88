// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Map, fold and scan: the axes move up by one. What a function needs of the slice: arrays are read at the slice's position,
// scalars become arguments of a map, and one value a line of a fold or scan.
#include "enable/lifter.hpp"
#include "opt/cost.hpp"

namespace sinter::enable {

using namespace ir;

void Lifter::lift_map(const Map& map, const std::vector<Type>& types) {
    define_batched(map_arrays(map, types), types.size());
}

/// Indices shift by one; then arguments, batched scalars and the mask as arguments, other scalars. Returns the first result.
ValueId Lifter::map_arrays(const Map& map, const std::vector<Type>& types) {
    const Shape shape = types[0].shape;
    Relation relation;
    relation.arrays = batched_(map.captures.arrays);
    Map made;
    made.indexed = map.indexed || any(relation.arrays);
    if (made.indexed) relation.params.assign(shape.size(), Scalar::i64), relation.position = Local(0);
    if (map.indexed)
        for (std::size_t axis = 1; axis < shape.size(); ++axis) relation.places.emplace_back(axis);
    auto argument = [&](ValueId id) {
        made.args.push_back(id);
        return relation.add(type(id).scalar);
    };
    for (ValueId arg : map.args) relation.places.push_back(argument(batched(use(arg))));
    std::vector<Local> scalars(map.captures.scalars.size());
    for (std::size_t i = 0; i < scalars.size(); ++i)
        if (Operand scalar = use(map.captures.scalars[i]); scalar.batched) scalars[i] = argument(spread(scalar.id, shape));
    if (mask_ && !opt::is_speculative(map.fn.body)) relation.mask = argument(spread(*mask_, shape));
    for (std::size_t i = 0; i < scalars.size(); ++i) {
        if (scalars[i].valid()) continue;
        made.captures.scalars.push_back(use(map.captures.scalars[i]).id);
        scalars[i] = relation.add(type(made.captures.scalars.back()).scalar);
    }
    relation.places.insert(relation.places.end(), scalars.begin(), scalars.end());
    for (ValueId array : map.captures.arrays) made.captures.arrays.push_back(use(array).id);
    made.fn = lift_function(map.fn, relation);
    return emit(std::move(made), types);
}

/// A scalar of a fold or scan whose lines are of shape `outer`: of rank 0, or one value a line.
ValueId Lifter::per_line(Operand scalar, const Shape& outer) {
    std::size_t rank = type(scalar.id).rank();
    if (!scalar.batched) return rank == 0 ? scalar.id : batched(scalar);
    return rank == outer.size() ? scalar.id : spread(scalar.id, outer);
}

std::vector<ValueId> Lifter::per_line(const std::vector<ValueId>& old, const Shape& outer) {
    std::vector<ValueId> ids;
    for (ValueId id : old) ids.push_back(per_line(use(id), outer));
    return ids;
}

/// Parameters of the operator stay where they are; the slice's position and the mask, if needed, are captured in addition.
Fn Lifter::lift_operator(const Fn& op, const Captures& captures, const Shape& outer, Captures& made) {
    Relation relation = Relation::keep(op);
    relation.arrays = batched_(captures.arrays);
    made.scalars = per_line(captures.scalars, outer);
    for (ValueId array : captures.arrays) made.arrays.push_back(use(array).id);
    if (any(relation.arrays)) {
        made.scalars.push_back(positions(outer));
        relation.position = relation.add(Scalar::i64);
    }
    if (mask_ && !opt::is_speculative(op.body)) {
        made.scalars.push_back(spread(*mask_, outer));
        relation.mask = relation.add(Scalar::boolean);
    }
    return lift_function(op, relation);
}

void Lifter::lift_fold(const Fold& fold, const std::vector<Type>& types) {
    const Shape& outer = types[0].shape;
    Fold made{{}, per_line(fold.inits, outer), batched(fold.args), {}, fold.axes, fold.commutative};
    for (std::size_t& axis : made.axes) ++axis;
    made.op = lift_operator(fold.op, fold.captures, outer, made.captures);
    define_batched(emit(std::move(made), types), types.size());
}

void Lifter::lift_scan(const Scan& scan, const std::vector<Type>& types) {
    Shape outer = types[0].shape;
    outer.erase(outer.begin() + static_cast<std::ptrdiff_t>(scan.axis) + 1);
    Scan made = scan;
    made.inits = per_line(scan.inits, outer);
    made.args = batched(scan.args);
    made.captures = {};
    ++made.axis;
    made.op = lift_operator(scan.op, scan.captures, outer, made.captures);
    define_batched(emit(std::move(made), types), types.size());
}

}  // namespace sinter::enable
