// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/derivative/terms.hpp"

#include <sinter/detail/half_bits.hpp>

#include <bit>

namespace sinter::ir::derivative {

Local Terms::number(Scalar type, double value) {
    switch (type) {
        case Scalar::f16:
            return to_.constant(type, detail::half_from(value));
        case Scalar::f32:
            return to_.constant(type, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
        default:
            return to_.constant(type, std::bit_cast<std::uint64_t>(value));
    }
}

}  // namespace sinter::ir::derivative
