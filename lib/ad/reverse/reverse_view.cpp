// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/reverse/reverse.hpp"
#include "ad/tuning.hpp"
#include "ir/derivative/terms.hpp"
#include "support/match.hpp"

#include <algorithm>
#include <cstdlib>

namespace sinter::ad {

using namespace ir;
using namespace ir::derivative;

namespace {

std::vector<std::size_t> inverse(const std::vector<std::size_t>& axes) {
    std::vector<std::size_t> result(axes.size());
    for (std::size_t k = 0; k < axes.size(); ++k) result[axes[k]] = k;
    return result;
}

/// {index.. -> the index along `axis` after a shift, kept inside an axis with the extent of array 0 according to `boundary`}
Fn shifted_index(std::size_t rank, std::size_t axis, std::int64_t offset, Boundary boundary, ArrayParam array) {
    BlockBuilder builder;
    builder.open(std::vector<Scalar>(rank, Scalar::i64));
    Local index = Local(axis);
    if (offset != 0) {
        index = builder.emit(Op::add, {index, builder.constant_index(offset)});
        const Local extent = builder.emit(Inst{Op::extent, {Scalar::i64}, extent_bits({0, axis}), {}, {}});
        switch (boundary) {
            case Boundary::clamp: {
                const Local last = builder.emit(Op::sub, {extent, builder.constant_index(1)});
                index = builder.emit(Op::maximum, {builder.emit(Op::minimum, {index, last}), builder.constant_index(0)});
                break;
            }
            case Boundary::wrap:
                index = builder.emit(Op::wrap, {index, extent});
                break;
            case Boundary::symmetric:
                index = builder.emit(Op::symmetric, {index, extent});
                break;
            case Boundary::reflect:
                index = builder.emit(Op::reflect, {index, extent});
                break;
        }
    }
    return {{array}, builder.close({index})};
}

/// {index.. -> true}
Fn true_fn(std::size_t rank) {
    BlockBuilder builder;
    builder.open(std::vector<Scalar>(rank, Scalar::i64));
    return {{}, builder.close({builder.constant(Scalar::boolean, 1)})};
}

/// {parts.., inside -> sum}: what the last points along an axis contribute to the border element. Part 0 counts everywhere,
/// the other parts only where the neighbour beyond is not inside.
Fn border_sum(std::size_t parts, Scalar scalar) {
    BlockBuilder builder;
    std::vector<Scalar> params(parts, scalar);
    params.push_back(Scalar::boolean);
    builder.open(params);
    Local sum = Local(0);
    for (std::size_t k = 1; k < parts; ++k) sum = builder.emit(Op::add, {sum, Local(k)});
    return {{}, builder.close({builder.emit(Op::select, {Local(parts), Local(0), sum})})};
}

}  // namespace

void Reverse::pull_view(const View& view, const Done& done) {
    const ValueId adjoint = *done.adjoints[0];
    const Shape shape = type(rename(view.arg)).shape;
    match(
        view.function, [&](const Transpose& f) { contribute(view.arg, transpose(adjoint, inverse(f.axes))); },
        [&](const Reshape&) { contribute(view.arg, reshape(adjoint, shape)); },
        [&](const Broadcast& f) {
            std::vector<std::size_t> added;
            for (std::size_t axis = 0; axis < type(adjoint).rank(); ++axis)
                if (std::find(f.axes.begin(), f.axes.end(), axis) == f.axes.end()) added.push_back(axis);
            contribute(view.arg, sum_of_product(adjoint, std::move(added)));
        },
        [&](const Slice& f) { pull_slice(view, f, adjoint); }, [&](const Shift& f) { pull_shift(view, f, adjoint); });
}

void Reverse::pull_slice(const View& view, const Slice& slice, ValueId adjoint) {
    const Shape shape = type(rename(view.arg)).shape, from = type(adjoint).shape;
    std::vector<SizeId> start;
    for (SizeId each : slice.start) start.push_back(rename(each));
    if (view.fill && wants(*view.fill)) {
        // What lies outside: everything that does not reach the argument.
        const ValueId ones = filled({type(adjoint).scalar, shape}, 1);
        const ValueId inside = padded(ones, start, from);
        BlockBuilder builder;
        builder.open({type(adjoint).scalar, type(adjoint).scalar});
        Terms terms(builder);
        const Local outside = terms.apply(Op::equal, Local(1), terms.number_like(Local(1), 0));
        const Local kept = terms.select(outside, Local(0), terms.number_like(Local(0), 0));
        contribute(*view.fill, sum_of_all(map({{}, builder.close({kept})}, {adjoint, inside}, type(adjoint).scalar)));
    }
    if (!wants(view.arg)) return;
    if (loops_ > 0 && !view.fill && adjoint_as_it_is(view.arg).sum && add_to_slice(view.arg, slice, start, adjoint)) return;
    std::vector<SizeId> low;
    Slice turn;
    bool turned = false;
    for (std::size_t axis = 0; axis < from.size(); ++axis) {
        const bool back = slice.step[axis] < 0;
        const SizeId last = sizes().sub(from[axis], sizes().constant(1));
        // The first element that was read, in the order of the argument.
        const SizeId first =
            back ? sizes().add(start[axis], sizes().mul(last, sizes().constant(slice.step[axis]))) : start[axis];
        low.push_back(negated(first));
        turn.start.push_back(back ? last : sizes().constant(0));
        turn.step.push_back(back ? -1 : 1);
        turned = turned || back;
    }
    if (turned) adjoint = emit(View{adjoint, std::move(turn)}, {Type(type(adjoint))});
    for (std::size_t axis = 0; axis < from.size(); ++axis)
        if (const std::int64_t step = std::abs(slice.step[axis]); step > 1) adjoint = dilated(adjoint, axis, step);
    contribute(view.arg, padded(adjoint, low, shape));
}

/// In a loop, touches only the elements of the slice. Returns false if its start cannot be expressed as a variable.
bool Reverse::add_to_slice(ValueId old, const Slice& slice, const std::vector<SizeId>& start, ValueId adjoint) {
    const Shape from = type(adjoint).shape;
    std::vector<ValueId> at;
    for (std::size_t axis = 0; axis < from.size(); ++axis) {
        const Derived first = scalar_of(start[axis]);
        if (!first) return false;
        BlockBuilder builder;
        builder.open(std::vector<Scalar>(from.size() + 1, Scalar::i64));
        const Local step = builder.emit(Op::mul, {Local(axis), builder.constant_index(slice.step[axis])});
        const Local index = builder.emit(Op::add, {step, Local(from.size())});
        at.push_back(emit(Map{{{}, builder.close({index})}, {}, {{*first}, {}}, true}, {{Scalar::i64, from}}));
    }
    contribute_at(old, std::move(at), adjoint);
    return true;
}

/// One axis after another. Elements that were read beyond a clamped border contribute to the border element, so the adjoint
/// of a stencil is a stencil. Reflected elements, and long borders, go through a scatter.
void Reverse::pull_shift(const View& view, const Shift& shift, ValueId adjoint) {
    const Shape shape = type(adjoint).shape;
    const Scalar scalar = type(adjoint).scalar;
    const bool mirrored = shift.boundary == Boundary::symmetric || shift.boundary == Boundary::reflect;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        const std::int64_t offset = shift.offset[axis], distance = std::abs(offset);
        if (offset == 0) continue;
        if (shift.boundary == Boundary::wrap) {
            Shift back{std::vector<std::int64_t>(shape.size()), Boundary::wrap};
            back.offset[axis] = -offset;
            adjoint = emit(View{adjoint, std::move(back)}, {{scalar, shape}});
            continue;
        }
        if (mirrored || distance > longest_border) {
            std::vector<ValueId> at;
            for (std::size_t k = 0; k < shape.size(); ++k)
                at.push_back(
                    emit(Map{shifted_index(shape.size(), k, k == axis ? offset : 0, shift.boundary, {scalar, shape.size()}),
                             {},
                             {{}, {adjoint}},
                             true},
                         {{Scalar::i64, shape}}));
            adjoint = scatter_add(zeros({scalar, shape}), std::move(at), adjoint, std::nullopt);
            continue;
        }
        // Part 0 is what lies inside; part t is the t-th point beyond the border, which has to be moved to it.
        std::vector<ValueId> parts;
        for (std::int64_t t = 0; t <= distance; ++t) {
            std::vector<SizeId> start(shape.size(), sizes().constant(0));
            const std::int64_t by = t == 0 ? -offset : offset > 0 ? 1 - t : t - 1;
            start[axis] = sizes().constant(by);
            parts.push_back(padded(adjoint, start, shape));
        }
        // Whether there is a neighbour, instead of a comparison with the extent, which would have to be in memory as a
        // number: vectors between the borders then need no mask.
        std::vector<SizeId> next(shape.size(), sizes().constant(0));
        next[axis] = sizes().constant(offset > 0 ? 1 : -1);
        const ValueId all = emit(Map{true_fn(shape.size()), {}, {}, true}, {{Scalar::boolean, shape}});
        Fn fn = border_sum(parts.size(), scalar);
        parts.push_back(padded(all, next, shape));
        adjoint = emit(Map{std::move(fn), std::move(parts), {}, false}, {{scalar, shape}});
    }
    contribute(view.arg, adjoint);
}

}  // namespace sinter::ad
