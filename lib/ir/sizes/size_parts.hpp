// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The parts of a symbolic size. As a tree it may be exponentially larger than its table, in which operands precede the
/// sizes made from them.
#pragma once

#include "ir/type.hpp"

#include <vector>

namespace sinter::ir {

/// Calls visit(ValueId) once for every entry of the table that is the value of a variable and that `id` mentions.
template <class Visit>
void for_each_value(const SizeTable& table, SizeId id, Visit visit) {
    std::vector<bool> seen;
    std::vector<SizeId> stack{id};
    while (!stack.empty()) {
        const SizeId top = stack.back();
        const Size& size = table[top];
        stack.pop_back();
        if (size.kind == Size::Kind::value) visit(ValueId(static_cast<std::size_t>(size.index)));
        if (!size.left.valid()) continue;
        if (seen.empty()) seen.resize(std::size_t{id.index} + 1);
        for (SizeId operand : {size.right, size.left}) {
            if (seen[operand.index]) continue;
            seen[operand.index] = true;
            stack.push_back(operand);
        }
    }
}

}  // namespace sinter::ir
