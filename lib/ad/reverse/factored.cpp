// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum gives all of its elements the same adjoint, and what goes back from there is a product of it and of what depends on
// elements. If that is summed, as where a scalar was captured, the factor is taken out: the sum of the rest may be one that
// the function has computed itself, as in the logarithm of a sum of exponentials, and does not have to wait for the factor.
#include "ad/reverse/reverse.hpp"
#include "ir/derivative/terms.hpp"

#include <algorithm>

namespace sinter::ad {

using namespace ir;
using namespace ir::derivative;

namespace {

/// {sum, factor -> sum * factor}; 0 times something infinite is 0.
Fn times_factor(Scalar scalar, bool negative) {
    BlockBuilder builder;
    builder.open({scalar, scalar});
    Terms terms(builder);
    const Local zero = terms.zero(scalar), is_zero = terms.apply(Op::equal, Local(1), zero);
    const Local product = builder.emit(Op::mul, {Local(0), Local(1)});
    return {{}, builder.close({terms.select(is_zero, zero, negative ? builder.emit(Op::negate, {product}) : product)})};
}

/// Makes a result that is the negative of a local this local. Returns whether it was one.
bool take_sign(const Block& body, Local& result) {
    std::size_t local = body.params.size();
    for (const Inst& inst : body.insts) {
        if (local == result.index && inst.op == Op::negate) {
            result = inst.operands[0];
            return true;
        }
        local += inst.types.size();
    }
    return false;
}

}  // namespace

/// A number that is repeated is a product with 1. Sums of halves would leave their range.
void Reverse::see_factors(const Binding& binding) {
    const auto* view = std::get_if<View>(&binding.op);
    const auto* repeated = view ? std::get_if<Broadcast>(&view->function) : nullptr;
    const Scalar scalar = binding.types[0].scalar;
    if (repeated && (scalar == Scalar::f32 || scalar == Scalar::f64))
        factored_.insert_or_assign(ValueId(level()), Factored{view->arg, repeated->axes});
}

/// `adjoint`: a map that is linear in its argument `cotangent`, and its first result. If the cotangent is a product, so are
/// the results.
void Reverse::factor_results(const Map& adjoint, std::size_t cotangent, ValueId first) {
    const auto found = factored_.find(adjoint.args[cotangent]);
    if (found == factored_.end()) return;
    const Factored product = found->second;
    Map rest = adjoint;
    const Type of_cotangent = type(adjoint.args[cotangent]);
    rest.args[cotangent] = product.rest ? *product.rest : filled(of_cotangent, 1);
    std::vector<Type> types;
    for (std::size_t k = 0; k < adjoint.fn.body.results.size(); ++k) types.push_back(Type(type(ValueId(first.index + k))));
    std::vector<bool> negative;
    for (Local& result : rest.fn.body.results) negative.push_back(take_sign(rest.fn.body, result) != product.negative);
    const ValueId made = emit(std::move(rest), std::move(types));
    for (std::size_t k = 0; k < negative.size(); ++k)
        if (type(ValueId(first.index + k)).scalar == of_cotangent.scalar)
            factored_.insert_or_assign(ValueId(first.index + k),
                                       Factored{product.factor, product.axes, ValueId(made.index + k), negative[k]});
}

ValueId Reverse::sum_of_product(ValueId adjoint, std::vector<std::size_t> axes) {
    if (const Derived early = axes.empty() ? std::nullopt : early_sum(adjoint, axes)) return *early;
    const auto found = factored_.find(adjoint);
    if (found == factored_.end() || !found->second.rest || axes.empty()) return sum(adjoint, std::move(axes));
    const Factored product = found->second;
    auto is_summed = [&](std::size_t axis) { return std::find(axes.begin(), axes.end(), axis) != axes.end(); };
    const bool is_same = product.axes.size() + axes.size() == type(adjoint).rank() &&
                         std::none_of(product.axes.begin(), product.axes.end(), is_summed);
    if (!is_same) return sum(adjoint, std::move(axes));
    const Scalar scalar = type(adjoint).scalar;
    return map(times_factor(scalar, product.negative), {sum(*product.rest, std::move(axes)), product.factor}, scalar);
}

}  // namespace sinter::ad
