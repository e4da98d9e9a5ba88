// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of the types and kinds that programs mostly consist of, each by a function of its own. tests/gpu/cells.cpp
// compares them with what stands for all instructions. Those for all lanes are loops that a compiler can vectorise.
#include "arithmetic.hpp"
#include "patterns.hpp"

#include <cmath>
#include <functional>
#include <type_traits>

namespace driver {

namespace {

std::uint64_t result_of(const Instruction& in, const std::uint64_t* registers, std::uint32_t lane) {
    auto operand = [&](unsigned k) { return column(registers, in.operand[k])[lane] ^ (in.negated >> k & 1); };
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
        case Op::cvt_tf32:
            return to_tf32(operand(0));
        case Op::bfi:
            return bit_field(in, operand(0), operand(1), operand(2), operand(3));
        default:
            break;
    }
    return in.type.is_float() ? floating(in, operand(0), operand(1), operand(2))
                              : integer(in, operand(0), operand(1), operand(2));
}

void pack(const Instruction& in, std::uint64_t* registers, Lanes lanes) {
    const unsigned bits = in.type.bits() / in.operands;
    each_lane(lanes, [&](std::uint32_t lane) {
        std::uint64_t packed = 0;
        for (unsigned k = 0; k < in.operands; ++k) packed |= low(column(registers, in.operand[k])[lane], bits) << (bits * k);
        column(registers, in.result[0])[lane] = packed;
    });
}

void unpack(const Instruction& in, std::uint64_t* registers, Lanes lanes) {
    const unsigned bits = in.type.bits() / in.results;
    each_lane(lanes, [&](std::uint32_t lane) {
        const std::uint64_t packed = column(registers, in.operand[0])[lane];
        for (unsigned k = 0; k < in.results; ++k)
            if (in.result[k] != no_register) column(registers, in.result[k])[lane] = low(packed >> (bits * k), bits);
    });
}

}  // namespace

void compute(const Instruction& in, std::uint64_t* registers, Lanes lanes) {
    if (in.op == Op::pack) return pack(in, registers, lanes);
    if (in.op == Op::unpack) return unpack(in, registers, lanes);
    std::uint64_t* results = column(registers, in.result[0]);
    each_lane(lanes, [&](std::uint32_t lane) { results[lane] = result_of(in, registers, lane); });
}

namespace {

template <class T, class F>
void binary(const Instruction& in, std::uint64_t* registers, Lanes lanes) {
    const std::uint64_t *a = column(registers, in.operand[0]), *b = column(registers, in.operand[1]);
    std::uint64_t* results = column(registers, in.result[0]);
    at_once(lanes, [=](std::uint32_t k) { results[k] = pattern<T>(static_cast<T>(F()(as<T>(a[k]), as<T>(b[k])))); });
}

template <class T, class F>
void ternary(const Instruction& in, std::uint64_t* registers, Lanes lanes) {
    const std::uint64_t *a = column(registers, in.operand[0]), *b = column(registers, in.operand[1]),
                        *c = column(registers, in.operand[2]);
    std::uint64_t* results = column(registers, in.result[0]);
    at_once(lanes, [=](std::uint32_t k) { results[k] = F()(as<T>(a[k]), as<T>(b[k]), c[k]); });
}

struct ProductAndSum {
    template <class T>
    std::uint64_t operator()(T a, T b, std::uint64_t c) const {
        if constexpr (std::is_floating_point_v<T>)
            return pattern<T>(std::fma(a, b, as<T>(c)));
        else
            return pattern<T>(a * b + as<T>(c));
    }
};

template <class Wide>
struct WideProduct {
    template <class T>
    std::uint64_t operator()(T a, T b, std::uint64_t c) const {
        return static_cast<std::uint64_t>(Wide{a} * Wide{b}) + c;
    }
};

struct Selected {
    std::uint64_t operator()(std::uint64_t a, std::uint64_t b, std::uint64_t c) const { return c != 0 ? a : b; }
};

template <class T, class F>
void shifted(const Instruction& in, std::uint64_t* registers, Lanes lanes) {
    const std::uint64_t *a = column(registers, in.operand[0]), *b = column(registers, in.operand[1]);
    std::uint64_t* results = column(registers, in.result[0]);
    at_once(lanes, [=](std::uint32_t k) {
        constexpr std::uint32_t bits = 8 * sizeof(T);
        const auto by = static_cast<std::uint32_t>(b[k]);
        results[k] = by >= bits ? 0 : pattern<T>(static_cast<T>(F()(as<T>(a[k]), by % bits)));
    });
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
void moved(const Instruction& in, std::uint64_t* registers, Lanes lanes) {
    const std::uint64_t* a = column(registers, in.operand[0]);
    std::uint64_t* results = column(registers, in.result[0]);
    at_once(lanes, [=](std::uint32_t k) { results[k] = pattern<T>(as<T>(a[k])); });
}

template <class T, class F>
void compared(const Instruction& in, std::uint64_t* registers, Lanes lanes) {
    const std::uint64_t *a = column(registers, in.operand[0]), *b = column(registers, in.operand[1]);
    std::uint64_t* results = column(registers, in.result[0]);
    at_once(lanes, [=](std::uint32_t k) { results[k] = F()(as<T>(a[k]), as<T>(b[k])) ? 1 : 0; });
}

/// Between integers that have more than 8 bits.
template <class To, class From>
void converted(const Instruction& in, std::uint64_t* registers, Lanes lanes) {
    const std::uint64_t* a = column(registers, in.operand[0]);
    std::uint64_t* results = column(registers, in.result[0]);
    at_once(lanes, [=](std::uint32_t k) { results[k] = pattern<To>(static_cast<To>(as<From>(a[k]))); });
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
    return in.op == Op::fma ? ternary<T, ProductAndSum> : of_type<T>(in);
}

/// Whose sign does not matter, or has been seen to.
template <class T>
Compute of_bits(const Instruction& in) {
    switch (in.op) {
        case Op::mad:
            return ternary<T, ProductAndSum>;
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
        return in.type.is_signed() ? ternary<std::int32_t, WideProduct<std::int64_t>>
                                   : ternary<std::uint32_t, WideProduct<std::uint64_t>>;
    }
    if (in.op == Op::setp && in.type.is_signed())
        return is_long ? comparison<std::int64_t>(in.compare) : comparison<std::int32_t>(in.compare);
    return is_long ? of_bits<std::uint64_t>(in) : of_bits<std::uint32_t>(in);
}

Compute of_conversion(const Instruction& in) {
    const bool widens = in.type.bytes == 8 && in.from.bytes == 4, narrows = in.type.bytes == 4 && in.from.bytes == 8;
    if (in.type.is_float() || in.from.is_float()) return compute;
    if (widens) return in.from.is_signed() ? converted<std::int64_t, std::int32_t> : converted<std::uint64_t, std::uint32_t>;
    return narrows ? converted<std::uint32_t, std::uint64_t> : compute;
}

}  // namespace

Compute compute_of(const Instruction& in) {
    if (in.negated != 0) return compute;
    if (in.op == Op::selp) return ternary<std::uint64_t, Selected>;
    if (in.op == Op::cvt) return of_conversion(in);
    if (in.type.kind == 'p' || (in.type.bytes != 4 && in.type.bytes != 8)) return compute;
    const bool moves = in.op == Op::mov || in.op == Op::cvta;
    if (!in.type.is_float() || moves) return of_integer(in);
    return in.type.bytes == 8 ? of_float<double>(in) : of_float<float>(in);
}

}  // namespace driver
