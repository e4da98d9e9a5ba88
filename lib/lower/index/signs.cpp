// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Negations of floats move towards results if what they are applied to is also present without negation: f(-x) then shares
// with f(x) whatever does not depend on the sign. This is exact (all NaNs count as equal), and never adds an operation.
#include "lower/graph.hpp"

namespace sinter::lower {

using ir::Op;

/// x where `ref` is -x.
Ref Graph::negated(Ref ref) const {
    const Node& node = nodes_[ref.node.index];
    return node.op == Op::negate && !node.parameters ? node.operands[0] : Ref{};
}

/// The operation, if the graph already has it.
Ref Graph::known(Op op, Scalar type, std::uint64_t bits, std::vector<Ref> operands) const {
    Node node;
    node.op = op;
    node.types = {type};
    node.bits = bits;
    node.operands = std::move(operands);
    return find(node, hash_of(node));
}

/// a * b = -(p), where p is the product with other signs that the graph has.
Ref Graph::opposite_product(Scalar type, std::uint64_t bits, Ref a, Ref b) {
    auto opposite = [&](Ref x) { return negated(x).node.valid() ? negated(x) : known(Op::negate, type, 0, {x}); };
    for (auto [left, right] : {std::pair(opposite(a), b), std::pair(a, opposite(b))}) {
        if (!left.node.valid() || !right.node.valid()) continue;
        if (Ref product = known(Op::mul, type, bits, {left, right}); product.node.valid()) return add(Op::negate, {product});
    }
    return {};
}

Ref Graph::without_signs(Op op, Scalar type, std::uint64_t bits, std::span<const Ref> operands) {
    if (operands.empty() || !detail::is_float(type) || !detail::is_float(this->type(operands[0]))) return {};
    const Ref a = operands[0], b = operands.size() > 1 ? operands[1] : Ref{};
    const Ref minus_a = negated(a), minus_b = b.node.valid() ? negated(b) : Ref{};
    const bool both = minus_a.node.valid() && minus_b.node.valid();
    switch (op) {
        case Op::negate:
            return minus_a;
        case Op::abs:
            return minus_a.node.valid() ? add(op, {minus_a}) : Ref{};
        case Op::add:
            if (minus_b.node.valid()) return add(Op::sub, type, bits, {a, minus_b});
            return minus_a.node.valid() ? add(Op::sub, type, bits, {b, minus_a}) : Ref{};
        case Op::sub:
            return minus_b.node.valid() ? add(Op::add, type, bits, {a, minus_b}) : Ref{};
        case Op::mul:
            return both ? add(op, type, bits, {minus_a, minus_b}) : opposite_product(type, bits, a, b);
        case Op::fma:
            return both ? add(op, {minus_a, minus_b, operands[2]}) : Ref{};
        default:
            return {};
    }
}

}  // namespace sinter::lower
