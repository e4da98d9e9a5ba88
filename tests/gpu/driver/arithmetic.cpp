// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arithmetic.hpp"

#include "settings.hpp"

#include <algorithm>
#include <bit>

namespace driver {

namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

std::uint64_t product_high(const Instruction& in, std::uint64_t a, std::uint64_t b) {
    const unsigned bits = in.type.bits();
    if (in.type.is_signed())
        return static_cast<std::uint64_t>((static_cast<Wide>(extended(a, bits)) * extended(b, bits)) >> bits);
    return static_cast<std::uint64_t>((static_cast<UnsignedWide>(low(a, bits)) * low(b, bits)) >> bits);
}

std::uint64_t product_wide(const Instruction& in, std::uint64_t a, std::uint64_t b) {
    const unsigned bits = in.type.bits();
    if (in.type.is_signed()) return static_cast<std::uint64_t>(extended(a, bits) * extended(b, bits));
    return low(a, bits) * low(b, bits);
}

/// The card's results where C++ has none: all ones for a quotient by 0, the dividend for a remainder.
std::uint64_t divide(const Instruction& in, std::uint64_t a, std::uint64_t b) {
    const unsigned bits = in.type.bits();
    const bool quotient = in.op == Op::div;
    if (low(b, bits) == 0) return quotient ? ~std::uint64_t{0} : a;
    if (!in.type.is_signed()) return quotient ? low(a, bits) / low(b, bits) : low(a, bits) % low(b, bits);
    const std::int64_t x = extended(a, bits), y = extended(b, bits);
    if (y == -1) return quotient ? 0 - a : 0;
    return static_cast<std::uint64_t>(quotient ? x / y : x % y);
}

std::uint64_t extremum(const Instruction& in, bool takes_first_if_less, std::uint64_t a, std::uint64_t b) {
    const unsigned bits = in.type.bits();
    const bool less = in.type.is_signed() ? extended(a, bits) < extended(b, bits) : low(a, bits) < low(b, bits);
    return less == takes_first_if_less ? a : b;
}

std::uint64_t shift(const Instruction& in, std::uint64_t a, std::uint64_t b) {
    const unsigned bits = in.type.bits();
    const std::uint64_t by = low(b, 32);
    if (in.op == Op::shl) return by >= bits ? 0 : a << by;
    if (in.type.is_signed()) return static_cast<std::uint64_t>(extended(a, bits) >> std::min<std::uint64_t>(by, bits - 1));
    return by >= bits ? 0 : low(a, bits) >> by;
}

std::uint64_t reversed(std::uint64_t a, unsigned bits) {
    std::uint64_t result = 0;
    for (unsigned k = 0; k < bits; ++k) result |= (a >> k & 1) << (bits - 1 - k);
    return result;
}

std::uint64_t extract(const Instruction& in, std::uint64_t a, std::uint64_t position, std::uint64_t length) {
    const unsigned bits = in.type.bits();
    position = low(position, 8);
    length = low(length, 8);
    if (length == 0) return 0;
    if (!in.type.is_signed()) return position >= bits ? 0 : low(low(a, bits) >> position, static_cast<unsigned>(length));
    const auto moved = static_cast<std::uint64_t>(extended(a, bits) >> std::min<std::uint64_t>(position, bits - 1));
    return length >= bits ? moved : static_cast<std::uint64_t>(extended(moved, static_cast<unsigned>(length)));
}

}  // namespace

std::uint64_t low(std::uint64_t value, unsigned bits) {
    return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

std::int64_t extended(std::uint64_t value, unsigned bits) {
    const unsigned unused = bits >= 64 ? 0 : 64 - bits;
    return static_cast<std::int64_t>(value << unused) >> unused;
}

std::uint64_t integer(const Instruction& in, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    const unsigned bits = in.type.bits();
    switch (in.op) {
        case Op::add:
            return low(a + b, bits);
        case Op::sub:
            return low(a - b, bits);
        case Op::mul:
        case Op::mad:
            if (in.wide) return low(product_wide(in, a, b) + c, 2 * bits);
            return low((in.high ? product_high(in, a, b) : a * b) + c, bits);
        case Op::div:
        case Op::rem:
            return low(divide(in, a, b), bits);
        case Op::min:
            return low(extremum(in, true, a, b), bits);
        case Op::max:
            return low(extremum(in, false, a, b), bits);
        case Op::abs:
            return low(extended(a, bits) < 0 ? 0 - a : a, bits);
        case Op::neg:
            return low(0 - a, bits);
        case Op::and_:
            return a & b;
        case Op::or_:
            return a | b;
        case Op::xor_:
            return a ^ b;
        case Op::not_:
            return in.type.kind == 'p' ? a ^ 1 : low(~a, bits);
        case Op::shl:
        case Op::shr:
            return low(shift(in, a, b), bits);
        case Op::shf_left:  // of the double word b:a, the upper half of it moved left, or the lower one moved right
            return low((low(b, 32) << 32 | low(a, 32)) << (c & 31) >> 32, 32);
        case Op::shf_right:
            return low((low(b, 32) << 32 | low(a, 32)) >> (c & 31), 32);
        case Op::popc:
            return static_cast<std::uint64_t>(std::popcount(low(a, bits)));
        case Op::clz:
            return static_cast<std::uint64_t>(std::countl_zero(low(a, bits))) - (64 - bits);
        case Op::brev:
            return reversed(a, bits);
        case Op::bfe:
            return low(extract(in, a, b, c), bits);
        default:
            violation("the executor has no " + in.words->text);
    }
}

std::uint64_t bit_field(const Instruction& in, std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
    const unsigned bits = in.type.bits();
    const auto position = static_cast<unsigned>(low(c, 8)), length = static_cast<unsigned>(low(d, 8));
    if (length == 0 || position >= bits) return low(b, bits);
    const std::uint64_t mask = low(~std::uint64_t{0}, length) << position;
    return low((b & ~mask) | ((a << position) & mask), bits);
}

std::uint64_t updated(const Instruction& in, std::uint64_t old, std::uint64_t a, std::uint64_t b) {
    const unsigned bits = in.type.bits();
    if (in.type.is_float()) violation("the executor has no " + in.words->text);
    switch (in.update) {
        case Update::add:
            return old + a;
        case Update::min:
            return extremum(in, true, old, a);
        case Update::max:
            return extremum(in, false, old, a);
        case Update::and_:
            return old & a;
        case Update::or_:
            return old | a;
        case Update::xor_:
            return old ^ a;
        case Update::exchange:
            return a;
        case Update::compare_and_swap:
            return old == low(a, bits) ? b : old;
    }
    return old;
}

}  // namespace driver
