// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Instructions whose text has a number: that of a buffer, a size, a check or a text, or the meaning of a loop's bits.
#pragma once

#include "ir/op.hpp"

namespace sinter::ir {

inline bool is_numbered(Op op) {
    switch (op) {
        case Op::load:
        case Op::store:
        case Op::size:
        case Op::check_index:
        case Op::check_divisor:
        case Op::expect:
        case Op::debug_print:
        case Op::print:
        case Op::reduce:
        case Op::for_each:
        case Op::scan:
        case Op::compact:
        case Op::update:
            return true;
        default:
            return false;
    }
}

}  // namespace sinter::ir
