// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The order of keys, as maps from their bits to unsigned integers that compare in the same way (run/execute/sort.hpp
/// defines the order itself).
#pragma once

#include "ir/type.hpp"

#include <cstdint>

namespace sinter::runtime {

template <class Bits>
struct IntegerOrder {
    using Key = Bits;
    Bits flip;  ///< sign bit of signed integers; all other bits, too, if descending
    Key operator()(Bits raw) const { return raw ^ flip; }
};

template <class Bits>
struct FloatOrder {
    using Key = Bits;
    Bits infinity;
    Bits flip;  ///< all bits if descending
    Key operator()(Bits raw) const {
        constexpr int top = 8 * sizeof(Bits) - 1;
        constexpr Bits sign = static_cast<Bits>(Bits{1} << top);
        Bits magnitude = raw & static_cast<Bits>(~sign);
        Bits negative = static_cast<Bits>(Bits{0} - static_cast<Bits>(raw >> top));
        // The negation is on integers, so that both zeros have the same key.
        Bits ordered = static_cast<Bits>(static_cast<Bits>(magnitude ^ negative) - negative) ^ sign;
        return magnitude > infinity ? static_cast<Bits>(~Bits{0}) : static_cast<Bits>(ordered ^ flip);
    }
};

/// Calls f(order) with the IntegerOrder or FloatOrder of a scalar.
template <class F>
void with_order(ir::Scalar scalar, bool descending, F f) {
    auto integer = [&]<class Bits>(Bits sign) { f(IntegerOrder<Bits>{static_cast<Bits>(descending ? ~sign : sign)}); };
    auto floating = [&]<class Bits>(Bits infinity) {
        f(FloatOrder<Bits>{infinity, static_cast<Bits>(descending ? ~Bits{0} : Bits{0})});
    };
    using enum ir::Scalar;
    switch (scalar) {
        case boolean:
        case u8:
            return integer(std::uint8_t{0});
        case u16:
            return integer(std::uint16_t{0});
        case u32:
            return integer(std::uint32_t{0});
        case u64:
            return integer(std::uint64_t{0});
        case i8:
            return integer(std::uint8_t{1U << 7});
        case i16:
            return integer(std::uint16_t{1U << 15});
        case i32:
            return integer(std::uint32_t{1} << 31);
        case i64:
            return integer(std::uint64_t{1} << 63);
        case f16:
            return floating(std::uint16_t{0x7c00});
        case f32:
            return floating(std::uint32_t{0x7f80'0000});
        case f64:
            return floating(std::uint64_t{0x7ff0'0000'0000'0000});
    }
}

}  // namespace sinter::runtime
