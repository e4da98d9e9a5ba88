// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/flatten/pieces.hpp"

#include "enable/tuning.hpp"

namespace sinter::enable {

using namespace ir;

Local checked_extent(Flats& flats, ElementWriter& to, ValueId array, std::size_t axis, Local slice) {
    const Local extent = flats.extent(to, array, axis, slice);
    return flats.is_flat(array) ? to.apply(Op::segment_end, {to.index(0), extent, slice}) : extent;
}

bool Pieces::divides(Flats& flats, const Folding& folding) {
    if (flats.folds() != Folds::pieces || folding.axes.size() != 1) return false;
    const std::optional<std::int64_t> extent = flats.constant_extent(folding.arg, folding.axes[0]);
    if (extent && *extent <= tuning::longest_undivided) return false;
    const std::vector<ValueId>& read = folding.captures.arrays;
    return !any(flats.slices().is_batched()(read));
}

namespace {

/// The number of elements of as many pieces.
Local elements_of(ElementWriter& to, Local count) { return to.apply(Op::shift_left, {count, to.index(tuning::log_piece)}); }

}  // namespace

Local Pieces::count(ElementWriter& to, Local length) {
    const Local divided = to.apply(Op::greater, {length, to.index(tuning::longest_undivided)});
    return to.apply(Op::select, {divided, to.apply(Op::shift_right, {length, to.index(tuning::log_piece)}), to.index(0)});
}

Local Pieces::remainder(ElementWriter& to, Local length) {
    return to.apply(Op::sub, {length, elements_of(to, count(to, length))});
}

Pieces::Pieces(Flats& flats, const Folding& folding)
    : flats_(&flats), arg_(folding.arg), axis_(folding.axes[0]), elements_(folding.elements) {
    segments_ = flats.from_counts(flats.map_slices({{Scalar::i64, {}}}, [&](ElementWriter& to, Local slice, const Locals&) {
        return Locals{product(to, shape(to, slice))};
    }));
    fold(folding, places());
}

/// The number of pieces of a line, and the extents of the axes along which lines lie side by side.
Locals Pieces::shape(ElementWriter& to, Local slice) const {
    Locals made{count(to, checked_extent(*flats_, to, arg_, axis_, slice))};
    for (std::size_t axis = 0; axis < flats_->rank(arg_); ++axis)
        if (axis != axis_) made.push_back(flats_->extent(to, arg_, axis, slice));
    return made;
}

/// The last slice that begins at this piece or before it; by bisection, since pieces are few.
Local Pieces::slice_at(ElementWriter& to, Local piece) const {
    const auto more = [&](const Locals& range) {
        return to.apply(Op::greater, {to.apply(Op::sub, {range[1], range[0]}), to.index(1)});
    };
    const auto halve = [&](const Locals& range) {
        const Local middle = to.apply(Op::shift_right, {to.apply(Op::add, {range[0], range[1]}), to.index(1)});
        const Local later = to.apply(Op::greater, {to.read(segments_.starts, {middle}), piece});
        return Locals{to.apply(Op::select, {later, range[0], middle}), to.apply(Op::select, {later, middle, range[1]})};
    };
    return to.while_loop({to.index(0), to.extent(segments_.starts, 0)}, more, halve)[0];
}

Pieces::Places Pieces::places() const {
    const std::size_t count = flats_->rank(arg_) + 1;
    const ValueId first = flats_->generate(
        {segments_.total}, {}, std::vector<Scalar>(count, Scalar::i64), [&](ElementWriter& to, const Locals& params) {
            const Local slice = slice_at(to, params[0]);
            const Local position = to.apply(Op::sub, {params[0], to.read(segments_.starts, {slice})});
            Locals place = unraveled(to, position, shape(to, slice));
            const Local before = remainder(to, checked_extent(*flats_, to, arg_, axis_, slice));
            place[0] = to.apply(Op::add, {before, elements_of(to, place[0])});
            place.insert(place.begin(), slice);
            return place;
        });
    return {first, count};
}

/// Element i of a piece.
Locals Pieces::element(ElementWriter& to, const Locals& place, Local i) const {
    Locals index(place.begin() + 2, place.end());
    index.insert(index.begin() + static_cast<std::ptrdiff_t>(axis_), to.apply(Op::add, {place[1], i}));
    return elements_(to, place[0], index);
}

/// A piece begins with its first element, as the operator may have no neutral one.
void Pieces::fold(const Folding& folding, const Places& places) {
    Slices& slices = flats_->slices();
    const std::vector<Scalar> scalars = result_types(folding.op);
    const Shape rows{segments_.total, slices.sizes().constant((std::int64_t{1} << tuning::log_piece) - 1)};
    const std::vector<ValueId> each = places.all();
    std::vector<ValueId> spread;
    for (ValueId id : each) spread.push_back(slices.spread(id, rows));
    const ValueId inits = flats_->generate({segments_.total}, each, scalars, [&](ElementWriter& to, const Locals& params) {
        return element(to, Locals(params.begin() + 1, params.end()), to.index(0));
    });
    const ValueId elements = flats_->generate(rows, spread, scalars, [&](ElementWriter& to, const Locals& params) {
        return element(to, Locals(params.begin() + 2, params.end()), to.apply(Op::add, {params[1], to.index(1)}));
    });
    Fold made{folding.op, {}, {}, captures(folding, places), {1}, folding.commutative};
    std::vector<Type> types;
    for (std::size_t k = 0; k < scalars.size(); ++k) {
        made.inits.emplace_back(inits.index + k);
        made.args.emplace_back(elements.index + k);
        types.push_back({scalars[k], {segments_.total}});
    }
    const ValueId folds = slices.emit(std::move(made), std::move(types));
    for (std::size_t k = 0; k < scalars.size(); ++k) values_.emplace_back(folds.index + k);
}

/// Scalars that differ from slice to slice, or from line to line, have one value per piece.
Captures Pieces::captures(const Folding& folding, const Places& places) const {
    Slices& slices = flats_->slices();
    Captures made;
    for (ValueId id : folding.captures.arrays) made.arrays.push_back(slices.rename(id));
    for (ValueId id : folding.captures.scalars) {
        const std::size_t rank = flats_->rank(id);
        if (rank == 0 && !slices.is_batched()(id)) {
            made.scalars.push_back(slices.rename(id));
            continue;
        }
        const auto value = [&](ElementWriter& to, const Locals& params) {
            const Locals outer(params.begin() + 3, params.end());
            return Locals{flats_->element(to, id, params[1], rank == 0 ? Locals() : outer)};
        };
        made.scalars.push_back(flats_->generate({segments_.total}, places.all(), {flats_->scalar(id)}, value));
    }
    return made;
}

Locals Pieces::read(ElementWriter& to, Local slice, Local number, const Locals& outer) const {
    Locals index = outer;
    index.insert(index.begin(), number);
    const Local position = to.apply(Op::add, {to.read(segments_.starts, {slice}), raveled(to, index, shape(to, slice))});
    Locals made;
    for (ValueId values : values_) made.push_back(to.read(values, {position}));
    return made;
}

}  // namespace sinter::enable
