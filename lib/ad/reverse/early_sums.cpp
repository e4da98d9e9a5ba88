// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is repeated along an axis gets the sum of its adjoint along it. Where that adjoint is a contraction with an array
// that is the same all along the axis, as a matrix that is applied to many vectors is, the vectors are summed first, and the
// matrix is applied once, to the sum: with n vectors of d elements, n d operations instead of n d d.
#include "ad/reverse/reverse.hpp"
#include "enable/slices/lift_function.hpp"

#include <algorithm>

namespace sinter::ad {

using namespace ir;

namespace {

using Axes = std::vector<std::size_t>;

bool contains(const Axes& axes, std::size_t axis) { return std::find(axes.begin(), axes.end(), axis) != axes.end(); }

/// The numbers of these axes once others are gone.
Axes without(const Axes& axes, const Axes& gone) {
    Axes left;
    for (std::size_t axis : axes) {
        const auto before = std::count_if(gone.begin(), gone.end(), [&](std::size_t each) { return each < axis; });
        left.push_back(axis - static_cast<std::size_t>(before));
    }
    return left;
}

/// The numbers that axes had before others were removed.
Axes before_removal(const Axes& axes, const Axes& removed, std::size_t rank) {
    Axes left, result;
    for (std::size_t axis = 0; axis < rank; ++axis)
        if (!contains(removed, axis)) left.push_back(axis);
    for (std::size_t axis : axes) result.push_back(left[axis]);
    return result;
}

Shape shape_without(const Shape& shape, const Axes& axes) {
    Shape left;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        if (!contains(axes, axis)) left.push_back(shape[axis]);
    return left;
}

}  // namespace

/// Notes what is repeated, and in the reverse sweep negatives, products of two arrays, and sums.
void Reverse::see_linear(const Binding& binding) {
    const ValueId first(level());
    const Scalar scalar = binding.types[0].scalar;
    if (scalar != Scalar::f32 && scalar != Scalar::f64) return;
    if (const auto* view = std::get_if<View>(&binding.op)) {
        const auto* repeated = std::get_if<Broadcast>(&view->function);
        if (repeated && std::is_sorted(repeated->axes.begin(), repeated->axes.end()))
            linear_.insert_or_assign(first, Linear{Linear::Kind::repeated, view->arg, {}, repeated->axes});
    } else if (const auto* fold = std::get_if<Fold>(&binding.op); fold && goes_back_) {
        if (fold->args.size() == 1 && as_single_op(fold->op) == Op::add && fold->captures.scalars.empty())
            linear_.insert_or_assign(first, Linear{Linear::Kind::sum, fold->args[0], {}, fold->axes});
    } else if (const auto* map = std::get_if<Map>(&binding.op); map && goes_back_ && !map->indexed) {
        see_products(*map, first);
    }
}

void Reverse::see_products(const Map& map, ValueId first) {
    const Block& body = map.fn.body;
    std::vector<const Inst*> made(body.params.size());
    for (const Inst& inst : body.insts) made.insert(made.end(), inst.types.size(), &inst);
    for (std::size_t k = 0; k < body.results.size(); ++k) {
        const Inst* inst = made[body.results[k].index];
        const bool is_linear = inst && (inst->op == Op::negate || inst->op == Op::mul);
        if (!is_linear || std::any_of(inst->operands.begin(), inst->operands.end(),
                                      [&](Local local) { return local.index >= map.args.size(); }))
            continue;
        const ValueId a = map.args[inst->operands[0].index], b = map.args[inst->operands.back().index];
        const auto kind = inst->op == Op::mul ? Linear::Kind::product : Linear::Kind::negative;
        linear_.insert_or_assign(ValueId(first.index + k), Linear{kind, a, b, {}});
    }
}

Derived Reverse::early_sum(ValueId adjoint, const Axes& axes) {
    const auto found = linear_.find(adjoint);
    if (found == linear_.end()) return std::nullopt;
    const Linear linear = found->second;
    if (linear.kind == Linear::Kind::negative) {
        const Derived made = early_sum(linear.a, axes);
        const Scalar scalar = type(adjoint).scalar;
        return made ? Derived(map(enable::apply_op(Op::negate, {scalar}), {*made}, scalar)) : std::nullopt;
    }
    if (linear.kind != Linear::Kind::sum) return std::nullopt;
    const Axes outer = before_removal(axes, linear.axes, type(linear.a).rank());
    const Derived made = sum_of_one_factor(linear.a, outer);
    return made ? Derived(sum(*made, without(linear.axes, outer))) : std::nullopt;
}

/// The sum along these axes of a product with a factor that is the same along all of them.
Derived Reverse::sum_of_one_factor(ValueId product, const Axes& axes) {
    const auto found = linear_.find(product);
    if (found == linear_.end() || found->second.kind != Linear::Kind::product) return std::nullopt;
    const Linear linear = found->second;
    const Scalar scalar = type(product).scalar;
    const Shape left = shape_without(type(product).shape, axes);
    for (const auto& [same, other] : {std::pair(linear.a, linear.b), std::pair(linear.b, linear.a)}) {
        const auto repeated = linear_.find(same), summed = linear_.find(other);
        if (repeated == linear_.end() || repeated->second.kind != Linear::Kind::repeated) continue;
        const Axes of_same = repeated->second.axes;
        if (std::any_of(axes.begin(), axes.end(), [&](std::size_t axis) { return contains(of_same, axis); })) continue;
        if (summed == linear_.end() || summed->second.kind != Linear::Kind::repeated) continue;
        const Linear vectors = summed->second;
        Axes inside, kept;
        for (std::size_t k = 0; k < vectors.axes.size(); ++k)
            if (contains(axes, vectors.axes[k]))
                inside.push_back(k);
            else
                kept.push_back(vectors.axes[k]);
        if (inside.size() < axes.size()) continue;
        const ValueId factor = broadcast(repeated->second.a, without(of_same, axes), left);
        const ValueId total = broadcast(sum(vectors.a, std::move(inside)), without(kept, axes), left);
        return map(enable::apply_op(Op::mul, {scalar, scalar}), {factor, total}, scalar);
    }
    return std::nullopt;
}

}  // namespace sinter::ad
