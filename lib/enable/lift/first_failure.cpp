// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that grow evenly from slice to slice, as the ends of windows do, are not compared in every slice: where they meet
// follows from the first pair and from how both grow.
#include "enable/lift/first_failure.hpp"

#include "enable/slices/lift_function.hpp"
#include "enable/slices/linear.hpp"
#include "ir/builder.hpp"

#include <limits>

namespace sinter::enable {

using namespace ir;

namespace {

/// {slice, left, right, takes part -> the slice and the two sizes if they fail, else the largest number, 0, 0}
Fn failing(bool at_most) {
    BlockBuilder builder;
    builder.open({Scalar::i64, Scalar::i64, Scalar::i64, Scalar::boolean});
    const Local fails =
        builder.emit(Op::bit_and, {builder.emit(at_most ? Op::greater : Op::not_equal, {Local(1), Local(2)}), Local(3)});
    const Local zero = builder.constant_index(0), none = builder.constant_index(std::numeric_limits<std::int64_t>::max());
    const Local slice = builder.emit(Op::select, {fails, Local(0), none});
    const Local left = builder.emit(Op::select, {fails, Local(1), zero}),
                right = builder.emit(Op::select, {fails, Local(2), zero});
    return {{}, builder.close({slice, left, right})};
}

/// {slice, a, b, other slice, c, d -> slice, a, b if that is first, else the other}. It is commutative, so that lanes and
/// threads may fold as they like.
Fn first_slice() {
    BlockBuilder builder;
    builder.open(std::vector<Scalar>(6, Scalar::i64));
    const Local before = builder.emit(Op::less, {Local(0), Local(3)});
    std::vector<Local> results;
    for (std::size_t k = 0; k < 3; ++k) results.push_back(builder.emit(Op::select, {before, Local(k), Local(k + 3)}));
    return {{}, builder.close(results)};
}

/// Small operations on scalars.
class Scalars {
  public:
    explicit Scalars(Slices& slices) : slices_(slices) {}

    ValueId number(std::int64_t value) { return slices_.constant(Scalar::i64, static_cast<std::uint64_t>(value)); }
    ValueId apply(Op op, ValueId a, ValueId b) { return slices_.apply(op, {a, b}, Scalar::i64); }
    ValueId compare(Op op, ValueId a, ValueId b) { return slices_.apply(op, {a, b}, Scalar::boolean); }
    ValueId select(ValueId condition, ValueId then, ValueId otherwise) {
        return slices_.apply(Op::select, {condition, then, otherwise}, Scalar::i64);
    }
    /// In slice `k`.
    ValueId value(const Linear& linear, ValueId k) {
        ValueId sum = apply(Op::add, number(linear.constant), apply(Op::mul, number(linear.stride), k));
        for (const auto& [scalar, factor] : linear.scalars)
            sum = apply(Op::add, sum, apply(Op::mul, number(factor), scalar));
        return sum;
    }
    ValueId slice_count() {
        const ValueId like = slices_.emit(View{slices_.constant(Scalar::boolean, 0), Broadcast{}, {}},
                                          {{Scalar::boolean, {slices_.extent()}}});
        return slices_.emit(Map{extent_fn(Scalar::boolean, 1), {}, {{}, {like}}, false}, {{Scalar::i64, {}}});
    }

  private:
    Slices& slices_;
};

/// The first slice in which sizes differ that differ by `difference` in slice 0 and by `stride` more in each slice after
/// another, or in which the left one, from which the right one is subtracted, is greater; the number of slices, or more, if
/// there is none.
ValueId first_apart(Scalars& scalars, ValueId difference, std::int64_t stride, bool at_most, ValueId count) {
    const ValueId zero = scalars.number(0), one = scalars.number(1);
    const ValueId at_once = scalars.compare(at_most ? Op::greater : Op::not_equal, difference, zero);
    ValueId later = count;
    if (at_most && stride > 0) {
        const ValueId steps = scalars.apply(Op::div, scalars.apply(Op::sub, zero, difference), scalars.number(stride));
        later = scalars.apply(Op::add, steps, one);
    } else if (!at_most && stride != 0) {
        later = one;
    }
    return scalars.select(at_once, zero, later);
}

/// first_failure() where all slices take part.
ValueId first_failure(Slices& slices, const Linear& left, const Linear& right, bool at_most) {
    Scalars scalars(slices);
    const ValueId zero = scalars.number(0), count = scalars.slice_count();
    const ValueId difference = scalars.apply(Op::sub, scalars.value(left, zero), scalars.value(right, zero));
    const ValueId first = first_apart(scalars, difference, left.stride - right.stride, at_most, count);
    const ValueId fails = scalars.compare(Op::less, first, count);
    const ValueId values[] = {scalars.value(left, first), scalars.value(right, first)};
    const ValueId shown = scalars.select(fails, values[0], zero);
    scalars.select(fails, values[1], zero);
    return shown;
}

}  // namespace

ValueId first_failure(Slices& slices, ValueId left, ValueId right, bool at_most) {
    if (!slices.mask()) {
        const auto a = slices.linear(left), b = slices.linear(right);
        if (a && b) return first_failure(slices, *a, *b, at_most);
    }
    const Type each{Scalar::i64, slices.type(left).shape}, one{Scalar::i64, {}};
    const ValueId all =
        slices.emit(View{slices.constant(Scalar::boolean, 1), Broadcast{}, {}}, {{Scalar::boolean, each.shape}});
    const ValueId takes_part = slices.where_masked(all), zero = slices.constant(Scalar::i64, 0);
    const ValueId none = slices.constant(Scalar::i64, std::numeric_limits<std::int64_t>::max());
    Map map{failing(at_most), {slices.positions(each.shape), left, right, takes_part}, {}, false};
    const ValueId failures = slices.emit(std::move(map), {each, each, each});
    const std::vector<ValueId> args{failures, ValueId(failures.index + 1), ValueId(failures.index + 2)};
    const ValueId first = slices.emit(Fold{first_slice(), {none, zero, zero}, args, {}, {0}, true}, {one, one, one});
    return ValueId(first.index + 1);
}

}  // namespace sinter::enable
