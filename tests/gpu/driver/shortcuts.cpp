// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of the types and kinds that programs mostly consist of, each by a function of its own. tests/gpu/cells.cpp
// compares them with what stands for all instructions.
#include "arithmetic.hpp"
#include "patterns.hpp"

#include <cmath>
#include <cstring>
#include <functional>
#include <type_traits>

namespace driver {

std::uint64_t compute(const Instruction& in, const std::uint64_t* registers) {
    auto operand = [&](unsigned k) { return registers[in.operand[k]] ^ (in.negated >> k & 1); };
    switch (in.op) {
        case Op::setp:
            return compare(in, operand(0), operand(1)) ? 1 : 0;
        case Op::selp:
            return operand(2) != 0 ? operand(0) : operand(1);
        case Op::mov:
        case Op::cvta:
            return low(operand(0), in.type.bits());
        case Op::cvt:
            return convert(in, operand(0));
        case Op::bfi:
            return bit_field(in, operand(0), operand(1), operand(2), operand(3));
        default:
            break;
    }
    return in.type.is_float() ? floating(in, operand(0), operand(1), operand(2))
                              : integer(in, operand(0), operand(1), operand(2));
}

namespace {

template <class T, class F>
std::uint64_t binary(const Instruction& in, const std::uint64_t* registers) {
    return pattern<T>(static_cast<T>(F()(as<T>(registers[in.operand[0]]), as<T>(registers[in.operand[1]]))));
}

template <class T>
std::uint64_t product_and_sum(const Instruction& in, const std::uint64_t* registers) {
    const T a = as<T>(registers[in.operand[0]]), b = as<T>(registers[in.operand[1]]), c = as<T>(registers[in.operand[2]]);
    if constexpr (std::is_floating_point_v<T>)
        return pattern<T>(std::fma(a, b, c));
    else
        return pattern<T>(a * b + c);
}

template <class T, class Wide>
std::uint64_t wide_product(const Instruction& in, const std::uint64_t* registers) {
    const Wide a = as<T>(registers[in.operand[0]]), b = as<T>(registers[in.operand[1]]);
    return pattern<std::uint64_t>(static_cast<std::uint64_t>(a * b) + registers[in.operand[2]]);
}

template <class T, class F>
std::uint64_t shifted(const Instruction& in, const std::uint64_t* registers) {
    const auto by = static_cast<std::uint32_t>(registers[in.operand[1]]);
    return by >= 8 * sizeof(T) ? 0 : pattern<T>(static_cast<T>(F()(as<T>(registers[in.operand[0]]), by)));
}

struct Left {
    template <class T>
    T operator()(T a, std::uint32_t by) const {
        return a << by;
    }
};
struct Right {
    template <class T>
    T operator()(T a, std::uint32_t by) const {
        return a >> by;
    }
};

template <class T>
std::uint64_t moved(const Instruction& in, const std::uint64_t* registers) {
    return pattern<T>(as<T>(registers[in.operand[0]]));
}

std::uint64_t selected(const Instruction& in, const std::uint64_t* registers) {
    return registers[in.operand[registers[in.operand[2]] != 0 ? 0 : 1]];
}

template <class T, class F>
std::uint64_t compared(const Instruction& in, const std::uint64_t* registers) {
    return F()(as<T>(registers[in.operand[0]]), as<T>(registers[in.operand[1]])) ? 1 : 0;
}

template <class T>
Compute comparison(Compare compare) {
    switch (compare) {
        case Compare::eq:
            return compared<T, std::equal_to<T>>;
        case Compare::lt:
            return compared<T, std::less<T>>;
        case Compare::le:
            return compared<T, std::less_equal<T>>;
        case Compare::gt:
            return compared<T, std::greater<T>>;
        case Compare::ge:
            return compared<T, std::greater_equal<T>>;
        case Compare::ne:
            return std::is_integral_v<T> ? compared<T, std::not_equal_to<T>> : compute;
        default:
            return compute;
    }
}

template <class T>
Compute of_type(const Instruction& in) {
    switch (in.op) {
        case Op::add:
            return binary<T, std::plus<T>>;
        case Op::sub:
            return binary<T, std::minus<T>>;
        case Op::mul:
            return binary<T, std::multiplies<T>>;
        case Op::setp:
            return comparison<T>(in.compare);
        default:
            return compute;
    }
}

template <class T>
Compute of_float(const Instruction& in) {
    if (in.round != Round::nearest) return compute;
    return in.op == Op::fma ? product_and_sum<T> : of_type<T>(in);
}

/// Whose sign does not matter, or has been seen to.
template <class T>
Compute of_bits(const Instruction& in) {
    switch (in.op) {
        case Op::mad:
            return product_and_sum<T>;
        case Op::and_:
            return binary<T, std::bit_and<T>>;
        case Op::or_:
            return binary<T, std::bit_or<T>>;
        case Op::xor_:
            return binary<T, std::bit_xor<T>>;
        case Op::shl:
            return shifted<T, Left>;
        case Op::shr:
            return in.type.is_signed() ? compute : shifted<T, Right>;
        case Op::mov:
        case Op::cvta:
            return moved<T>;
        default:
            return of_type<T>(in);
    }
}

Compute of_integer(const Instruction& in) {
    const bool is_long = in.type.bytes == 8;
    if (in.high) return compute;
    if (in.wide) {
        if (in.type.bytes != 4) return compute;
        return in.type.is_signed() ? wide_product<std::int32_t, std::int64_t> : wide_product<std::uint32_t, std::uint64_t>;
    }
    if (in.op == Op::setp && in.type.is_signed())
        return is_long ? comparison<std::int64_t>(in.compare) : comparison<std::int32_t>(in.compare);
    return is_long ? of_bits<std::uint64_t>(in) : of_bits<std::uint32_t>(in);
}

}  // namespace

Compute compute_of(const Instruction& in) {
    if (in.negated != 0) return compute;
    if (in.op == Op::selp) return selected;
    if (in.type.kind == 'p' || (in.type.bytes != 4 && in.type.bytes != 8)) return compute;
    const bool moves = in.op == Op::mov || in.op == Op::cvta;
    if (!in.type.is_float() || moves) return of_integer(in);
    return in.type.bytes == 8 ? of_float<double>(in) : of_float<float>(in);
}

}  // namespace driver
