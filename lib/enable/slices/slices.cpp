// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/slices/slices.hpp"

#include "enable/slices/lift_function.hpp"
#include "ir/builder.hpp"
#include "ir/sizes/size_parts.hpp"

#include <numeric>
#include <utility>

namespace sinter::enable {

using namespace ir;

void Slices::refuse(const std::string& operation, const std::string& what) const {
    throw Limitation("vmap: " + operation + ": " + what, where(site_));
}

void Slices::write_known(std::vector<Guard>& guards) {
    auto is_known = [&](const Guard& guard) {
        bool known = true;
        for (SizeId side : {guard.left, guard.right})
            for_each_value(sizes(), side, [&](ValueId value) { known = known && value.index < old_level(); });
        return known;
    };
    std::vector<Guard> later;
    for (Guard& each : guards) {
        if (is_known(each))
            guard(std::move(each));
        else
            later.push_back(std::move(each));
    }
    guards = std::move(later);
}

std::vector<Slices::Operand> Slices::splice_results(Body& body) {
    write_known(body.guards);
    std::vector<ValueId> ids = splice(body);
    std::vector<Operand> results;
    for (std::size_t i = 0; i < ids.size(); ++i) results.push_back({ids[i], batched_(body.results[i])});
    return results;
}

std::vector<Slices::Operand> Slices::splice_results(Body& body, std::optional<ValueId> mask) {
    const SiteId site = site_;
    const std::optional<ValueId> outer = std::exchange(mask_, mask);
    std::vector<Operand> results = splice_results(body);
    mask_ = outer;
    site_ = site;
    return results;
}

std::vector<ValueId> Slices::add_parameters(Nest& nest, const std::vector<Type>& types) {
    std::vector<ValueId> ids;
    for (const Type& type : types) ids.push_back(add_parameter(nest, type));
    return ids;
}

ValueId Slices::batched(Operand operand) {
    if (operand.batched) return operand.id;
    Broadcast broadcast;
    Type result = type(operand.id);
    broadcast.axes.resize(result.rank());
    std::iota(broadcast.axes.begin(), broadcast.axes.end(), std::size_t{1});
    return emit(View{operand.id, std::move(broadcast)}, {lifted(std::move(result))});
}

std::vector<ValueId> Slices::batched(const std::vector<ValueId>& old) {
    std::vector<ValueId> ids;
    for (ValueId id : old) ids.push_back(batched(use(id)));
    return ids;
}

std::vector<ValueId> Slices::batched(const std::vector<Operand>& operands, const Flags& wanted) {
    std::vector<ValueId> ids;
    for (std::size_t i = 0; i < operands.size(); ++i) ids.push_back(wanted[i] ? batched(operands[i]) : operands[i].id);
    return ids;
}

bool Slices::varies(SizeId old) { return has_value(old) && batched_(old); }

namespace {

/// {a, b -> a op b} for the kinds of sizes that have operands.
Fn size_fn(Size::Kind kind) {
    BlockBuilder builder;
    builder.open({Scalar::i64, Scalar::i64});
    auto apply = [&](Op op, Local a, Local b) { return builder.emit(op, {a, b}); };
    const Local a(0), b(1);
    Local result;
    switch (kind) {
        case Size::Kind::add:
            result = apply(Op::add, a, b);
            break;
        case Size::Kind::sub:
            result = apply(Op::sub, a, b);
            break;
        case Size::Kind::mul:
            result = apply(Op::mul, a, b);
            break;
        case Size::Kind::minimum:
            result = apply(Op::minimum, a, b);
            break;
        case Size::Kind::maximum:
            result = apply(Op::maximum, a, b);
            break;
        default: {
            const Local more = apply(Op::sub, apply(Op::add, a, b), builder.constant_index(1));
            result = apply(Op::div, more, b);
        }
    }
    return {{}, builder.close({result})};
}

}  // namespace

Slices::Operand Slices::scalar(SizeId old) {
    const Size size = sizes()[old];
    if (!has_value(old)) {
        if (size.kind == Size::Kind::constant) return {constant(Scalar::i64, static_cast<std::uint64_t>(size.index)), false};
        // The extent of an array that has this extent: a view, which is never materialised.
        const ValueId like = emit(View{constant(Scalar::boolean, 0), Broadcast{}, {}}, {{Scalar::boolean, {old}}});
        return {emit(Map{extent_fn(Scalar::boolean, 1), {}, {{}, {like}}, false}, {{Scalar::i64, {}}}), false};
    }
    if (size.kind == Size::Kind::value) return use(ValueId(static_cast<std::size_t>(size.index)));
    Operand left = scalar(size.left), right = scalar(size.right);
    const bool any = left.batched || right.batched;
    if (any) left.id = batched(left), right.id = batched(right);
    Shape shape = type(left.id).shape;
    return {emit(Map{size_fn(size.kind), {left.id, right.id}, {}, false}, {{Scalar::i64, std::move(shape)}}), any};
}

ValueId Slices::spread(ValueId scalars, const Shape& shape) {
    if (shape.size() == 1) return scalars;
    return emit(View{scalars, Broadcast{{0}}}, {{type(scalars).scalar, shape}});
}

ValueId Slices::positions(const Shape& shape) {
    return emit(Map{index_fn(shape.size(), 0), {}, {}, true}, {{Scalar::i64, shape}});
}

ValueId Slices::emit(ArrayOp op, std::vector<Type> types) { return append({std::move(op), std::move(types), site_}); }

ValueId Slices::constant(Scalar scalar, std::uint64_t bits) {
    return emit(Map{constant_fn(scalar, bits), {}, {}, false}, {{scalar, {}}});
}

ValueId Slices::apply(Op op, std::vector<ValueId> args, Scalar result) {
    std::vector<Scalar> params;
    for (ValueId arg : args) params.push_back(type(arg).scalar);
    Shape shape = type(args[0]).shape;
    return emit(Map{apply_op(op, params), std::move(args), {}, false}, {{result, std::move(shape)}});
}

ValueId Slices::select(ValueId condition, ValueId then, ValueId otherwise) {
    Type result = type(then);
    return apply(Op::select, {spread(condition, result.shape), then, otherwise}, result.scalar);
}

ValueId Slices::where_masked(ValueId condition) {
    return mask_ ? apply(Op::bit_and, {condition, *mask_}, Scalar::boolean) : condition;
}

ValueId Slices::reduce_slices(Op op, ValueId scalars) {
    Scalar scalar = type(scalars).scalar;
    ValueId zero = constant(scalar, 0);
    return emit(Fold{apply_op(op, {scalar, scalar}), {zero}, {scalars}, {}, {0}, true}, {{scalar, {}}});
}

Type Slices::lifted(Type type) const {
    type.shape.insert(type.shape.begin(), extent_);
    return type;
}

std::vector<Type> Slices::lifted(const std::vector<Type>& old, const Flags& flags) {
    std::vector<Type> types;
    for (std::size_t i = 0; i < old.size(); ++i) types.push_back(flags[i] ? lifted(rename(old[i])) : rename(old[i]));
    return types;
}

void Slices::define_results(const std::vector<ValueId>& ids, const Flags& flags) {
    batched_.set(old_level(), flags);
    define(ids);
}

void Slices::define_results(ValueId first, const Flags& flags) {
    std::vector<ValueId> ids;
    for (std::size_t i = 0; i < flags.size(); ++i) ids.emplace_back(first.index + i);
    define_results(ids, flags);
}

void Slices::define_batched(ValueId first, std::size_t count) { define_results(first, Flags(count, true)); }

}  // namespace sinter::enable
