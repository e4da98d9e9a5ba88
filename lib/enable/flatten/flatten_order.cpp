// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations for which the elements of all slices are in memory, segment after segment: sorts by segment and key, filters,
// and scatters at positions in segments.
#include "enable/flatten/flatten_rules.hpp"
#include "enable/flatten/folding.hpp"
#include "enable/slices/lift_function.hpp"

namespace sinter::enable {

using namespace ir;

namespace {

std::vector<Scalar> scalars_of(Flats& flats, const std::vector<ValueId>& ids) {
    std::vector<Scalar> scalars;
    for (ValueId id : ids) scalars.push_back(flats.slices().type(id).scalar);
    return scalars;
}

}  // namespace

namespace {

/// Numbers of the lines of an array that ascend, by element.
ValueId lines_of(Flats& flats, ValueId old) {
    if (flats.rank(old) == 1) return flats.with_owners(flats.segments_of(old)).owners;
    return flats.map_elements(old, {Scalar::i64}, [&flats, old](ElementWriter& to, Local slice, Locals index) {
        index.back() = to.index(0);
        return Locals{flats.position(to, old, slice, index)};
    });
}

}  // namespace

/// The numbers of lines come before the keys. Descending keys need descending numbers, too.
void flatten_sort(Flats& flats, const Sort& sort, const Types& types) {
    Slices& slices = flats.slices();
    Sort made{{lines_of(flats, sort.args[0])}, sort.keys + 1, sort.descending};
    if (sort.descending) made.args[0] = slices.apply(Op::negate, {made.args[0]}, Scalar::i64);
    for (ValueId arg : sort.args) made.args.push_back(flats.memory(arg));
    std::vector<Type> memory_types;
    for (ValueId arg : made.args) memory_types.push_back(slices.type(arg));
    const ValueId first = slices.emit(std::move(made), std::move(memory_types));
    for (std::size_t k = 0; k < types.size(); ++k) flats.define_memory(types[k], ValueId(first.index + 1 + k));
}

namespace {

/// The elements of a boolean array, false where slices take no part.
ValueId masked_memory(Flats& flats, ValueId old) {
    if (flats.is_flat(old) || !flats.slices().mask()) return flats.memory(old);
    return flats.map_elements(old, {Scalar::boolean}, [&flats, old](ElementWriter& to, Local slice, const Locals& index) {
        return Locals{flats.element(to, old, slice, index)};
    });
}

}  // namespace

namespace {

/// How many elements of the mask are set.
Folding counting(Flats& flats, ValueId mask) {
    const Element kept = [&flats, mask](ElementWriter& to, Local slice, const Locals& index) {
        return Locals{to.builder().cast(Scalar::i64, flats.element(to, mask, slice, index))};
    };
    const Element none = [](ElementWriter& to, Local, const Locals&) { return Locals{to.index(0)}; };
    return {apply_op(Op::add, {Scalar::i64, Scalar::i64}), {}, mask, {0}, kept, none, true};
}

}  // namespace

/// What is kept has segments of its own: their lengths are counted, and the owners are filtered, too.
void flatten_compact(Flats& flats, const Compact& compact, const Types& types) {
    Slices& slices = flats.slices();
    const ValueId level(slices.old_level());
    Compact made{masked_memory(flats, compact.mask), {flats.with_owners(flats.segments_of(compact.mask)).owners}};
    for (ValueId arg : compact.args) made.args.push_back(flats.memory(arg));
    const ValueId counts = flats.map_slices({{Scalar::i64, {}}}, folded(flats, counting(flats, compact.mask)));
    const ValueId count(slices.level());
    const SizeId total = slices.sizes().value(count);
    std::vector<Type> memory_types{{Scalar::i64, {}}};
    for (Scalar scalar : scalars_of(flats, made.args)) memory_types.push_back({scalar, {total}});
    const ValueId first = slices.emit(std::move(made), std::move(memory_types));
    slices.define_results(std::vector<ValueId>{counts}, {true});
    Segments kept = flats.from_counts(counts, total);
    kept.owners = ValueId(first.index + 1);
    flats.add_segments({slices.sizes().value(level)}, kept);
    for (std::size_t k = 1; k < types.size(); ++k) flats.define_memory(types[k], ValueId(first.index + 1 + k));
}

namespace {

/// Where a value of the slice goes, in the segments of the destination: 0 if it is dropped, else one more than the position,
/// because 0 is also what slices have that take no part.
Element target(Flats& flats, const Scatter& scatter) {
    return [&flats, &scatter](ElementWriter& to, Local slice, const Locals& index) {
        Locals at;
        for (ValueId id : scatter.indices) at.push_back(flats.element(to, id, slice, index));
        auto position = [&] {
            Locals inside = at;
            for (std::size_t axis = 0; axis < at.size(); ++axis)
                inside[axis] = to.checked(at[axis], flats.extent(to, scatter.dests[0], axis, slice), axis);
            return Locals{to.apply(Op::add, {flats.position(to, scatter.dests[0], slice, inside), to.index(1)})};
        };
        if (!scatter.drops) return position();
        Local dropped = to.apply(Op::equal, {at[0], to.index(-1)});
        for (std::size_t axis = 1; axis < at.size(); ++axis)
            dropped = to.apply(Op::bit_and, {dropped, to.apply(Op::equal, {at[axis], to.index(-1)})});
        return to.cond(dropped, [&] { return Locals{to.index(0)}; }, position);
    };
}

}  // namespace

void flatten_scatter(Flats& flats, const Scatter& scatter, const Types& types) {
    Slices& slices = flats.slices();
    Scatter made{scatter.op, {}, {}, {}, scatter.captures};
    flats.segments_of(scatter.dests[0]);
    for (ValueId dest : scatter.dests) made.dests.push_back(flats.memory(dest));
    for (ValueId value : scatter.values) made.values.push_back(flats.memory(value));
    const ValueId next = flats.map_elements(scatter.values[0], {Scalar::i64}, target(flats, scatter));
    const Shape elements = slices.type(next).shape;
    const ValueId one = slices.emit(View{slices.constant(Scalar::i64, 1), Broadcast{}, {}}, {{Scalar::i64, elements}});
    made.indices = {slices.apply(Op::sub, {next, one}, Scalar::i64)};
    if (scatter.drops || slices.mask()) made.drops = 0;
    for (auto* ids : {&made.captures.scalars, &made.captures.arrays})
        for (ValueId& id : *ids) id = slices.rename(id);
    std::vector<Type> memory_types;
    for (ValueId dest : made.dests) memory_types.push_back(slices.type(dest));
    const ValueId first = slices.emit(std::move(made), std::move(memory_types));
    for (std::size_t k = 0; k < types.size(); ++k) {
        const ValueId id(first.index + k);
        if (flats.is_flat(scatter.dests[k])) {
            flats.define_memory(types[k], id);
        } else {
            const std::vector<Type> whole = slices.lifted({types[k]}, {true});
            slices.define_batched(slices.emit(View{id, Reshape{}, {}}, whole), 1);
        }
    }
}

}  // namespace sinter::enable
