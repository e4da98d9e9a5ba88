// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The identities. Those that seem to be missing are not exact: x + 0 is not x for x = -0; x - x and x * 0 are not 0 for
/// infinities.
#include "ir/evaluate.hpp"
#include "opt/algebra/algebra.hpp"

namespace sinter::opt {

using namespace ir;

using Found = std::optional<Local>;

/// (x + c) + d and (x * c) * d on integers; subtractions count as additions.
Found Algebra::combine_constants(Op op, Local a, Local b) {
    if (!detail::is_integer(to_.type(a)) || !constant(b)) return std::nullopt;
    if (op == Op::mul) {
        auto* inner = definition(a, Op::mul);
        if (!inner || !constant(inner->operands[1])) return std::nullopt;
        Local x = inner->operands[0];
        return emit(Op::mul, x, emit(Op::mul, inner->operands[1], b));
    }
    for (Op inner_op : {Op::add, Op::sub}) {
        auto* inner = definition(a, inner_op);
        if (!inner || !constant(inner->operands[1])) continue;
        Local x = inner->operands[0], c = inner->operands[1];
        return emit(inner_op, x, emit(op == inner_op ? Op::add : Op::sub, c, b));
    }
    return std::nullopt;
}

Found Algebra::add(Local a, Local b) {
    if (is(b, detail::is_float(to_.type(b)) ? -0.0 : 0.0)) return a;
    if (auto* negated = definition(b, Op::negate)) return emit(Op::sub, a, negated->operands[0]);
    if (auto* negated = definition(a, Op::negate)) return emit(Op::sub, b, negated->operands[0]);
    return combine_constants(Op::add, a, b);
}

Found Algebra::sub(Local a, Local b) {
    bool floating = detail::is_float(to_.type(a));
    if (is(b, 0.0)) return a;
    if (is(a, floating ? -0.0 : 0.0)) return emit(Op::negate, b);
    if (a == b && !floating) return number(to_.type(a), 0);
    if (auto* negated = definition(b, Op::negate)) return emit(Op::add, a, negated->operands[0]);
    return combine_constants(Op::sub, a, b);
}

Found Algebra::mul(Local a, Local b) {
    if (is(b, 1)) return a;
    if (is(b, 0) && detail::is_integer(to_.type(b))) return b;
    if (is(b, -1) && !detail::is_unsigned_integer(to_.type(b))) return emit(Op::negate, a);
    if (Found combined = combine_constants(Op::mul, a, b)) return combined;
    if (auto shift = power_of_two(b)) return emit(Op::shift_left, a, number(to_.type(a), *shift));
    return std::nullopt;
}

Found Algebra::div(Local a, Local b) {
    Scalar type = to_.type(a);
    if (is(b, 1)) return a;
    if (is(b, -1) && !detail::is_unsigned_integer(type)) return emit(Op::negate, a);
    if (auto shift = power_of_two(b)) return emit(Op::shift_right, a, number(type, *shift));
    if (!detail::is_float(type) || !constant(b)) return std::nullopt;
    // Division by a power of two whose reciprocal is one, too, is exact. Only for those is 1 / (1 / b) = b with an empty
    // fraction.
    std::uint64_t fraction = type == Scalar::f16 ? 0x3ffu : type == Scalar::f32 ? 0x7fffffu : 0xfffffffffffffu;
    std::uint64_t one = from_double(type, 1), divisor = *constant(b);
    std::vector<Scalar> types(2, type);
    std::uint64_t reciprocal = evaluate(Op::div, type, types, std::vector{one, divisor});
    bool normal = (divisor & fraction) == 0 && (reciprocal & fraction) == 0;
    if (!normal || evaluate(Op::div, type, types, std::vector{one, reciprocal}) != divisor) return std::nullopt;
    if (is(b, 0.0) || is(b, -0.0) || to_double(type, divisor) * 0 != 0) return std::nullopt;
    return emit(Op::mul, a, constant(type, reciprocal));
}

Found Algebra::rem(Local a, Local b) {
    Scalar type = to_.type(a);
    if (!detail::is_integer(type)) return std::nullopt;
    if (is(b, 1) || (is(b, -1) && detail::is_signed_integer(type))) return number(type, 0);
    if (power_of_two(b)) return emit(Op::bit_and, a, constant(type, *constant(b) - 1));
    return std::nullopt;
}

/// Powers that are exact by their definition (ir/math/power.hpp).
Found Algebra::pow(Local a, Local b) {
    if (is(b, 2)) return emit(Op::mul, a, a);
    if (is(b, 1)) return a;
    return is(b, 0) ? Found(number(to_.type(a), 1)) : std::nullopt;
}

Found Algebra::rounding(Local a) const {
    for (Op op : {Op::floor, Op::ceil, Op::trunc, Op::round, Op::rint})
        if (definition(a, op)) return a;
    return std::nullopt;
}

/// bit_and, bit_or and bit_xor on integers and booleans.
Found Algebra::logic(Op op, Local a, Local b) {
    bool zero = constant(b) == std::uint64_t{0}, all = is_all_ones(b);
    if (op == Op::bit_xor) {
        if (zero) return a;
        if (all) return emit(Op::bit_not, a);
        if (a == b) return constant(to_.type(a), 0);
        return std::nullopt;
    }
    if (a == b) return a;
    if (zero) return op == Op::bit_and ? b : a;
    if (all) return op == Op::bit_and ? a : b;
    return std::nullopt;
}

Found Algebra::bit_not(Local a) {
    if (auto* inner = definition(a, Op::bit_not)) return inner->operands[0];
    if (to_.type(a) != Scalar::boolean) return std::nullopt;
    constexpr std::pair<Op, Op> opposites[] = {
        {Op::equal, Op::not_equal}, {Op::less, Op::greater_equal}, {Op::greater, Op::less_equal}};
    for (auto [left, right] : opposites) {
        for (auto [op, opposite] : {std::pair(left, right), std::pair(right, left)}) {
            auto* inner = definition(a, op);
            if (!inner) continue;
            // The opposite of an ordering does not hold for a NaN either.
            bool ordering = op != Op::equal && op != Op::not_equal;
            if (ordering && detail::is_float(to_.type(inner->operands[0]))) return std::nullopt;
            return emit(opposite, inner->operands[0], inner->operands[1]);
        }
    }
    return std::nullopt;
}

Found Algebra::comparison(Op op, Local a, Local b) {
    bool strict = op == Op::less || op == Op::greater;
    bool floating = detail::is_float(to_.type(a));
    if (a == b && strict) return constant(Scalar::boolean, 0);
    if (a == b && !floating) return constant(Scalar::boolean, op == Op::not_equal ? 0 : 1);
    if (to_.type(a) != Scalar::boolean || !constant(b)) return std::nullopt;
    bool same = (op == Op::equal) == (*constant(b) == 1);
    return same ? a : emit(Op::bit_not, a);
}

Found Algebra::select(Local condition, Local a, Local b) {
    if (auto known = constant(condition)) return *known == 1 ? a : b;
    if (a == b) return a;
    if (auto* negated = definition(condition, Op::bit_not)) {
        Local plain = negated->operands[0];
        return emit(Inst{Op::select, {to_.type(a)}, 0, {plain, b, a}, {}});
    }
    if (to_.type(a) != Scalar::boolean) return std::nullopt;
    if (constant(a) == std::uint64_t{1}) return emit(Op::bit_or, condition, b);
    if (constant(b) == std::uint64_t{0}) return emit(Op::bit_and, condition, a);
    if (constant(a) == std::uint64_t{0}) return emit(Op::bit_and, emit(Op::bit_not, condition), b);
    if (constant(b) == std::uint64_t{1}) return emit(Op::bit_or, emit(Op::bit_not, condition), a);
    return std::nullopt;
}

Found Algebra::cast(Scalar to, Local a) {
    if (to_.type(a) == to) return a;
    auto* inner = definition(a, Op::cast);
    if (!inner) return std::nullopt;
    Local x = inner->operands[0];
    Scalar from = to_.type(x), middle = to_.type(a);
    bool integers = detail::is_integer(from) && detail::is_integer(middle) && detail::is_integer(to);
    bool floats = detail::is_float(from) && detail::is_float(middle);
    // A conversion to something wider and back; integers that become narrower only lose bits that are lost at the end
    // anyway.
    if (from == to && (integers || floats) && detail::size_of(middle) >= detail::size_of(from)) return x;
    if (integers && detail::size_of(to) <= detail::size_of(middle)) return emit(Inst{Op::cast, {to}, 0, {x}, {}});
    return std::nullopt;
}

Found Algebra::bit_cast(Scalar to, Local a) {
    if (to_.type(a) == to) return a;
    auto* inner = definition(a, Op::bit_cast);
    if (!inner) return std::nullopt;
    Local x = inner->operands[0];
    return emit(Inst{Op::bit_cast, {to}, 0, {x}, {}});
}

}  // namespace sinter::opt
