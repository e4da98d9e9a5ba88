// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "front/known_difference.hpp"

#include <map>
#include <utility>
#include <vector>

namespace sinter::front {

namespace {

using ir::Op;

constexpr int deepest = 8;  ///< scalars computed from scalars that are looked into

/// A sum of multiples of scalars and a constant. Numbers wrap, as those of the program do.
struct Sum {
    std::map<std::pair<const Node*, std::uint32_t>, std::uint64_t> factors;
    std::uint64_t constant = 0;

    bool is_constant() const { return factors.empty(); }
    void add(const Sum& other, std::uint64_t times) {
        for (const auto& [scalar, factor] : other.factors) {
            std::uint64_t& sum = factors[scalar];
            sum += factor * times;
            if (sum == 0) factors.erase(scalar);
        }
        constant += other.constant * times;
    }
};
using MaybeSum = std::optional<Sum>;

MaybeSum sum_of(const Leaf& scalar, int depth);

MaybeSum combined(Op op, const Sum& a, const Sum& b) {
    Sum result = a;
    if (op == Op::mul) {
        if (!a.is_constant() && !b.is_constant()) return std::nullopt;
        result = {};
        result.add(a.is_constant() ? b : a, (a.is_constant() ? a : b).constant);
        return result;
    }
    if (op != Op::add && op != Op::sub) return std::nullopt;
    result.add(b, op == Op::add ? 1 : ~std::uint64_t{0});
    return result;
}

/// The results of a map of scalars whose body is such arithmetic alone.
MaybeSum sum_of(const Map& map, std::uint32_t result, int depth) {
    const ir::Block& body = map.fn.body;
    if (map.indexed || !map.captures.scalars.empty() || !map.captures.arrays.empty()) return std::nullopt;
    std::vector<Sum> locals;
    for (const Leaf& arg : map.args) {
        MaybeSum sum = sum_of(arg, depth - 1);
        if (!sum) return std::nullopt;
        locals.push_back(std::move(*sum));
    }
    for (const ir::Inst& inst : body.insts) {
        MaybeSum sum;
        if (inst.types.size() != 1 || inst.type() != Scalar::i64) return std::nullopt;
        if (inst.op == Op::constant) sum = Sum{{}, inst.bits};
        if (inst.operands.size() == 2)
            sum = combined(inst.op, locals[inst.operands[0].index], locals[inst.operands[1].index]);
        if (!sum) return std::nullopt;
        locals.push_back(std::move(*sum));
    }
    return locals[body.results[result].index];
}

MaybeSum sum_of(const Leaf& scalar, int depth) {
    const LeafType& type = type_of(scalar);
    if (type.scalar != Scalar::i64 || !type.shape.empty()) return std::nullopt;
    const auto* map = std::get_if<Map>(&scalar.node->op);
    if (map && depth > 0)
        if (MaybeSum sum = sum_of(*map, scalar.result, depth)) return sum;
    return Sum{{{{scalar.node.get(), scalar.result}, 1}}, 0};
}

}  // namespace

std::optional<std::int64_t> known_difference(const Leaf& a, const Leaf& b) {
    const MaybeSum left = sum_of(a, deepest), right = sum_of(b, deepest);
    if (!left || !right) return std::nullopt;
    const MaybeSum difference = combined(Op::sub, *left, *right);
    return difference->is_constant() ? std::optional(static_cast<std::int64_t>(difference->constant)) : std::nullopt;
}

std::optional<std::int64_t> known_number(const Leaf& scalar) {
    const MaybeSum sum = sum_of(scalar, deepest);
    return sum && sum->is_constant() ? std::optional(static_cast<std::int64_t>(sum->constant)) : std::nullopt;
}

}  // namespace sinter::front
