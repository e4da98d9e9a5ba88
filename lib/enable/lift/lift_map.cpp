// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Map, fold and scan: the axes move up by one. As to what a function needs from the slice: arrays are read at the slice's
// position; scalars become arguments of a map, or one value per line of a fold or scan.
#include "enable/lift/lift_rules.hpp"
#include "enable/slices/lift_function.hpp"
#include "ir/walk.hpp"
#include "opt/cost.hpp"

namespace sinter::enable {

using namespace ir;

void lift_map(Slices& slices, const Map& map, const Types& types) {
    slices.define_batched(map_arrays(slices, map, types), types.size());
}

/// Indices shift by one; they are followed by the arguments, by batched scalars and the mask as further arguments, and by
/// the other scalars.
ValueId map_arrays(Slices& slices, const Map& map, const Types& types) {
    const Shape shape = types[0].shape;
    Relation relation;
    relation.arrays = slices.is_batched()(map.captures.arrays);
    Map made;
    made.indexed = map.indexed || any(relation.arrays) || any_inst(map.fn.body, names_element);
    if (made.indexed) relation.params.assign(shape.size(), Scalar::i64), relation.position = Local(0);
    if (map.indexed)
        for (std::size_t axis = 1; axis < shape.size(); ++axis) relation.places.emplace_back(axis);
    auto argument = [&](ValueId id) {
        made.args.push_back(id);
        return relation.add(slices.type(id).scalar);
    };
    for (ValueId arg : map.args) relation.places.push_back(argument(slices.batched(slices.use(arg))));
    std::vector<Local> scalars(map.captures.scalars.size());
    for (std::size_t i = 0; i < scalars.size(); ++i)
        if (Slices::Operand scalar = slices.use(map.captures.scalars[i]); scalar.batched)
            scalars[i] = argument(slices.spread(scalar.id, shape));
    if (slices.mask() && !opt::is_speculative(map.fn.body)) relation.mask = argument(slices.spread(*slices.mask(), shape));
    for (std::size_t i = 0; i < scalars.size(); ++i) {
        if (scalars[i].valid()) continue;
        made.captures.scalars.push_back(slices.use(map.captures.scalars[i]).id);
        scalars[i] = relation.add(slices.type(made.captures.scalars.back()).scalar);
    }
    relation.places.insert(relation.places.end(), scalars.begin(), scalars.end());
    for (ValueId array : map.captures.arrays) made.captures.arrays.push_back(slices.use(array).id);
    made.fn = lift_function(map.fn, relation);
    return slices.emit(std::move(made), types);
}

namespace {

/// A scalar of a fold or scan whose lines have the shape `outer`: it has rank 0, or one value per line.
ValueId per_line(Slices& slices, Slices::Operand scalar, const Shape& outer) {
    std::size_t rank = slices.type(scalar.id).rank();
    if (!scalar.batched) return rank == 0 ? scalar.id : slices.batched(scalar);
    return rank == outer.size() ? scalar.id : slices.spread(scalar.id, outer);
}

std::vector<ValueId> per_line(Slices& slices, const std::vector<ValueId>& old, const Shape& outer) {
    std::vector<ValueId> ids;
    for (ValueId id : old) ids.push_back(per_line(slices, slices.use(id), outer));
    return ids;
}

/// The parameters of the operator keep their places; the slice's position and the mask, if needed, are captured in addition.
Fn lift_operator(Slices& slices, const Fn& op, const Captures& captures, const Shape& outer, Captures& made) {
    Relation relation = Relation::keep(op);
    relation.arrays = slices.is_batched()(captures.arrays);
    made.scalars = per_line(slices, captures.scalars, outer);
    for (ValueId array : captures.arrays) made.arrays.push_back(slices.use(array).id);
    if (any(relation.arrays)) {
        made.scalars.push_back(slices.positions(outer));
        relation.position = relation.add(Scalar::i64);
    }
    if (slices.mask() && !opt::is_speculative(op.body)) {
        made.scalars.push_back(slices.spread(*slices.mask(), outer));
        relation.mask = relation.add(Scalar::boolean);
    }
    return lift_function(op, relation);
}

}  // namespace

void lift_fold(Slices& slices, const Fold& fold, const Types& types) {
    const Shape& outer = types[0].shape;
    Fold made{{}, per_line(slices, fold.inits, outer), slices.batched(fold.args), {}, fold.axes, fold.commutative};
    for (std::size_t& axis : made.axes) ++axis;
    made.op = lift_operator(slices, fold.op, fold.captures, outer, made.captures);
    slices.define_batched(slices.emit(std::move(made), types), types.size());
}

void lift_scan(Slices& slices, const Scan& scan, const Types& types) {
    Shape outer = types[0].shape;
    outer.erase(outer.begin() + static_cast<std::ptrdiff_t>(scan.axis) + 1);
    Scan made = scan;
    made.inits = per_line(slices, scan.inits, outer);
    made.args = slices.batched(scan.args);
    made.captures = {};
    ++made.axis;
    made.op = lift_operator(slices, scan.op, scan.captures, outer, made.captures);
    slices.define_batched(slices.emit(std::move(made), types), types.size());
}

}  // namespace sinter::enable
