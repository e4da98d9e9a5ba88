// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/sweep.hpp"

#include "enable/slices/lift_function.hpp"
#include "enable/slices/nests.hpp"
#include "ir/derivative/terms.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sinter::ad {

using namespace ir;
using namespace ir::derivative;

Fn sum_fn(Scalar scalar) { return enable::apply_op(Op::add, {scalar, scalar}); }

Fn index_op(Op op) { return enable::apply_op(op, {Scalar::i64, Scalar::i64}); }

void Sweep::refuse(const std::string& text) const { throw Limitation(text, where(site_)); }

void Sweep::keep_while(Binding binding, bool& flag, bool value) {
    const bool outer = std::exchange(flag, value);
    rename(binding.op);
    rename_types(binding);
    keep(std::move(binding));
    flag = outer;
}

bool Sweep::keep_with_scope(Binding& binding, bool& inside) {
    const auto* custom = std::get_if<Custom>(&binding.op);
    const auto* derivative = std::get_if<Derivative>(&binding.op);
    if (!derivative && (!custom || custom->kind == Custom::Kind::checkpoint)) return false;
    const bool differentiated = derivative && derivative->mode == Derivative::Mode::reverse &&
                                !enable::contains_nest(derivative->bodies[0]);  // a rule takes the place of its derivative
    keep_while(std::move(binding), inside, differentiated);
    return true;
}

ValueId Sweep::map(Fn fn, std::vector<ValueId> args, Scalar result) {
    Shape shape = type(args[0]).shape;
    return emit(Map{std::move(fn), std::move(args), {}, false}, {{result, std::move(shape)}});
}

ValueId Sweep::filled(const Type& type, double value) {
    BlockBuilder builder;
    builder.open(std::vector<Scalar>(type.rank(), Scalar::i64));
    const Local number = Terms(builder).number(type.scalar, value);
    return emit(Map{{{}, builder.close({number})}, {}, {}, type.rank() > 0}, {type});
}

ValueId Sweep::add(ValueId a, ValueId b) { return map(sum_fn(type(a).scalar), {a, b}, type(a).scalar); }

ValueId Sweep::constant(Scalar scalar, double value) {
    BlockBuilder builder;
    builder.open({});
    const Local number = Terms(builder).number(scalar, value);
    return emit(Map{{{}, builder.close({number})}, {}, {}, false}, {{scalar, {}}});
}

ValueId Sweep::zero_of(Scalar scalar) { return emit(Map{enable::constant_fn(scalar, 0), {}, {}, false}, {{scalar, {}}}); }

ValueId Sweep::constant_index(std::int64_t value) {
    const Fn constant = enable::constant_fn(Scalar::i64, static_cast<std::uint64_t>(value));
    return emit(Map{constant, {}, {}, false}, {{Scalar::i64, {}}});
}

ValueId Sweep::filled_index(const Shape& shape, std::int64_t value) {
    BlockBuilder builder;
    builder.open(std::vector<Scalar>(shape.size(), Scalar::i64));
    const Local number = builder.constant_index(value);
    return emit(Map{{{}, builder.close({number})}, {}, {}, !shape.empty()}, {{Scalar::i64, shape}});
}

ValueId Sweep::position(const Shape& shape, std::size_t axis) {
    return emit(Map{enable::index_fn(shape.size(), axis), {}, {}, true}, {{Scalar::i64, shape}});
}

std::vector<ValueId> Sweep::positions(Shape shape) {
    std::vector<ValueId> made;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) made.push_back(position(shape, axis));
    return made;
}

ValueId Sweep::sum(ValueId array, std::vector<std::size_t> axes) {
    if (axes.empty()) return array;
    Type result{type(array).scalar, {}};
    for (std::size_t axis = 0; axis < type(array).rank(); ++axis)
        if (std::find(axes.begin(), axes.end(), axis) == axes.end()) result.shape.push_back(type(array).shape[axis]);
    const ValueId zero = constant(result.scalar, 0);
    return emit(Fold{sum_fn(result.scalar), {zero}, {array}, {}, std::move(axes), true}, {std::move(result)});
}

ValueId Sweep::sum_of_all(ValueId array) {
    std::vector<std::size_t> axes(type(array).rank());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    return sum(array, std::move(axes));
}

ValueId Sweep::broadcast(ValueId array, std::vector<std::size_t> axes, const Shape& shape) {
    if (axes.size() == shape.size()) return array;
    return emit(View{array, Broadcast{std::move(axes)}}, {{type(array).scalar, shape}});
}

ValueId Sweep::spread(ValueId array, const std::vector<std::size_t>& axes, const Shape& shape) {
    std::vector<std::size_t> kept;
    if (type(array).rank() > 0)
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            if (std::find(axes.begin(), axes.end(), axis) == axes.end()) kept.push_back(axis);
    return broadcast(array, std::move(kept), shape);
}

ValueId Sweep::reshape(ValueId array, Shape shape) {
    if (type(array).shape == shape) return array;
    const Scalar scalar = type(array).scalar;
    return emit(View{array, Reshape{}}, {{scalar, std::move(shape)}});
}

ValueId Sweep::transpose(ValueId array, const std::vector<std::size_t>& axes) {
    Type result{type(array).scalar, {}};
    for (std::size_t axis : axes) result.shape.push_back(type(array).shape[axis]);
    return emit(View{array, Transpose{axes}}, {std::move(result)});
}

ValueId Sweep::padded(ValueId array, const std::vector<SizeId>& start, Shape shape) {
    const Scalar scalar = type(array).scalar;
    Slice slice{start, std::vector<std::int64_t>(shape.size(), 1)};
    return emit(View{array, std::move(slice), constant(scalar, 0)}, {{scalar, shape}});
}

ValueId Sweep::dilated(ValueId array, std::size_t axis, std::int64_t step) {
    const Shape shape = type(array).shape;
    const auto at = static_cast<std::ptrdiff_t>(axis);
    Shape apart = shape, wide = shape, long_axis = shape;
    apart.insert(apart.begin() + at + 1, sizes().constant(1));
    wide.insert(wide.begin() + at + 1, sizes().constant(step));
    long_axis[axis] = sizes().mul(shape[axis], sizes().constant(step));
    const std::vector<SizeId> start(wide.size(), sizes().constant(0));
    return reshape(padded(reshape(array, apart), start, wide), long_axis);
}

Derived Sweep::scalar_of(SizeId id) {
    const Size size = sizes()[id];
    switch (size.kind) {
        case Size::Kind::constant:
            return constant_index(size.index);
        case Size::Kind::value:
            return ValueId(static_cast<std::size_t>(size.index));
        case Size::Kind::input_extent:
            return extent_of(ValueId(static_cast<std::size_t>(size.index)), static_cast<std::size_t>(size.axis));
        case Size::Kind::argument:
        case Size::Kind::ceil_div:
            return std::nullopt;
        default:
            break;
    }
    const Derived left = scalar_of(size.left), right = scalar_of(size.right);
    if (!left || !right) return std::nullopt;
    const Op op = size.kind == Size::Kind::add       ? Op::add
                  : size.kind == Size::Kind::sub     ? Op::sub
                  : size.kind == Size::Kind::mul     ? Op::mul
                  : size.kind == Size::Kind::minimum ? Op::minimum
                                                     : Op::maximum;
    BlockBuilder builder;
    builder.open({Scalar::i64, Scalar::i64});
    const Local value = builder.emit(op, {Local(0), Local(1)});
    return map({{}, builder.close({value})}, {*left, *right}, Scalar::i64);
}

ValueId Sweep::extent_of(ValueId array, std::size_t axis) {
    BlockBuilder builder;
    builder.open({});
    const Local extent = builder.emit(Inst{Op::extent, {Scalar::i64}, extent_bits({0, axis}), {}, {}});
    const ArrayParam param{type(array).scalar, type(array).rank()};
    return emit(Map{{{param}, builder.close({extent})}, {}, {{}, {array}}, false}, {{Scalar::i64, {}}});
}

ValueId Sweep::scatter_add(ValueId to, std::vector<ValueId> indices, ValueId values, std::optional<std::size_t> drops) {
    const Type result = type(to);
    return emit(Scatter{sum_fn(result.scalar), {to}, std::move(indices), {values}, {}, drops}, {result});
}

ValueId Sweep::elements_of(ValueId array) {
    ValueId elements = constant_index(1);
    for (std::size_t axis = 0; axis < type(array).rank(); ++axis)
        elements = map(index_op(Op::mul), {elements, extent_of(array, axis)}, Scalar::i64);
    return elements;
}

Sweep::Tally Sweep::tally(const Loop& loop, const std::vector<Type>& types, const std::vector<std::size_t>& counted) {
    Loop made{{}, renamed(loop.inits), {}, loop.changing, loop.segment};
    if (loop.count) made.count = rename(*loop.count);
    std::vector<Type> all = types;
    all.resize(types.size() + 1 + counted.size(), {Scalar::i64, {}});
    while (made.inits.size() < loop.inits.size() + 1 + counted.size()) made.inits.push_back(constant_index(0));
    for (const Body& each : loop.bodies) {
        Body copy = each;
        Nest nest;
        enter(nest);
        std::vector<ValueId> params;
        for (const Type& param : copy.params) {
            params.push_back(add_parameter(nest, rename(param)));
            define({params.back()});
        }
        std::vector<ValueId> sums;
        for (std::size_t k = 0; k <= counted.size(); ++k) sums.push_back(add_parameter(nest, {Scalar::i64, {}}));
        std::vector<ValueId> results = splice(copy);
        for (std::size_t k = 0; &each == &loop.bodies.back() && k < sums.size(); ++k) {
            const std::size_t before = loop.indices() + loop.changing.size();
            const ValueId more = k == 0 ? constant_index(1) : elements_of(params[before + counted[k - 1]]);
            results.push_back(map(index_op(Op::add), {sums[k], more}, Scalar::i64));
        }
        made.bodies.push_back(leave(nest, std::move(results)));
    }
    const std::vector<ValueId> sums =
        results_from(ValueId(emit(std::move(made), all).index + types.size()), all.size() - types.size());
    return {sums[0], {sums.begin() + 1, sums.end()}};
}

std::vector<std::vector<Update>> Sweep::updates_of(const Loop& loop) {
    const Names names{[&](ValueId id) { return type(rename(id)); }, [&](const Type& type) { return rename(type); }};
    return updated_states(sizes(), loop, old_level(), names);
}

ValueId Sweep::transposed(Body rule, const std::vector<ValueId>& fixed, const std::vector<Type>& others,
                          std::vector<std::size_t> by, std::vector<ValueId> seeds) {
    Derivative made{Derivative::Mode::reverse, {}, std::move(by), std::move(seeds), {}};
    for (const Type& type : others) made.args.push_back(zeros_of(type));
    Nest nest;
    enter(nest);
    std::vector<ValueId> params = fixed;
    for (const Type& type : others) params.push_back(add_parameter(nest, type));
    std::vector<ValueId> results = results_of(std::move(rule), params);
    std::vector<Type> types;
    for (ValueId result : results) types.push_back(type(result));
    made.bodies.push_back(leave(nest, std::move(results)));
    const std::size_t values = types.size();
    for (std::size_t k : made.by) types.push_back(others[k]);
    return ValueId(emit(std::move(made), std::move(types)).index + values);
}

std::vector<ValueId> Sweep::results_of(Body body, const std::vector<ValueId>& params) {
    const std::size_t level = old_level();
    define(params);
    std::vector<ValueId> results = splice(body);
    undefine(level);
    return results;
}

std::vector<ValueId> Sweep::renamed(const std::vector<ValueId>& old) const {
    std::vector<ValueId> ids;
    for (ValueId id : old) ids.push_back(rename(id));
    return ids;
}

std::vector<Type> Sweep::renamed(const std::vector<Type>& old) {
    std::vector<Type> types;
    for (const Type& type : old) types.push_back(rename(type));
    return types;
}

std::vector<ValueId> results_from(ValueId first, std::size_t count) {
    std::vector<ValueId> ids;
    for (std::size_t k = 0; k < count; ++k) ids.emplace_back(first.index + k);
    return ids;
}

}  // namespace sinter::ad
