// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "front/known_difference.hpp"

#include <algorithm>

namespace sinter::front {

namespace {

using ir::Op;

constexpr int deepest = 8;  ///< scalars computed from scalars that are looked into

using Sum = SumOfScalars;

bool is_same(const Leaf& a, const Leaf& b) { return a.node.get() == b.node.get() && a.result == b.result; }

/// The sums are short: each scalar is looked for from the first. So they have the order of the program.
void add(Sum& sum, const Sum& other, std::uint64_t times) {
    for (const auto& [scalar, factor] : other.multiples) {
        const auto found = std::find_if(sum.multiples.begin(), sum.multiples.end(),
                                        [&](const auto& multiple) { return is_same(multiple.first, scalar); });
        if (found == sum.multiples.end())
            sum.multiples.emplace_back(scalar, factor * times);
        else
            found->second += factor * times;
    }
    std::erase_if(sum.multiples, [](const auto& multiple) { return multiple.second == 0; });
    sum.number += other.number * times;
}

bool is_number(const Sum& sum) { return sum.multiples.empty(); }

using MaybeSum = std::optional<Sum>;

MaybeSum sum_of(const Leaf& scalar, int depth);

MaybeSum combined(Op op, const Sum& a, const Sum& b) {
    Sum result = a;
    if (op == Op::mul) {
        if (!is_number(a) && !is_number(b)) return std::nullopt;
        result = {};
        add(result, is_number(a) ? b : a, (is_number(a) ? a : b).number);
        return result;
    }
    if (op != Op::add && op != Op::sub) return std::nullopt;
    add(result, b, op == Op::add ? 1 : ~std::uint64_t{0});
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
    return Sum{{{scalar, 1}}, 0};
}

MaybeSum sum_of(const SizeOperand& size) {
    if (const auto* number = std::get_if<std::int64_t>(&size)) return Sum{{}, static_cast<std::uint64_t>(*number)};
    return sum_of(std::get<Leaf>(size), deepest);
}

/// The scalars that occur in a or b.
std::size_t count_scalars(const Sum& a, const Sum& b) {
    const auto is_new = [&](const auto& multiple) {
        return std::none_of(a.multiples.begin(), a.multiples.end(),
                            [&](const auto& other) { return is_same(multiple.first, other.first); });
    };
    return a.multiples.size() + static_cast<std::size_t>(std::count_if(b.multiples.begin(), b.multiples.end(), is_new));
}

}  // namespace

std::optional<SumOfScalars> shorter_sum(const SizeOperand& a, std::uint64_t factor, const SizeOperand& b) {
    const MaybeSum left = sum_of(a), right = sum_of(b);
    if (!left || !right) return std::nullopt;
    Sum result = *left;
    add(result, *right, factor);
    if (result.multiples.size() == count_scalars(*left, *right)) return std::nullopt;
    return result;
}

std::optional<std::int64_t> known_number(const Leaf& scalar) {
    const MaybeSum sum = sum_of(scalar, deepest);
    return sum && is_number(*sum) ? std::optional(static_cast<std::int64_t>(sum->number)) : std::nullopt;
}

}  // namespace sinter::front
