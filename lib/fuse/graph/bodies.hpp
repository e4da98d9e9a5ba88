// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Visits all bodies of a program.
#pragma once

#include "ir/program.hpp"

#include <vector>

namespace sinter::fuse {

/// Calls `f` with `body` and every body nested in it, together with the types of the variables around each.
template <class F>
void for_each_body(const ir::Body& body, const std::vector<ir::Type>& outer, F f) {
    f(body, outer);
    const std::vector<ir::Type> types = ir::types_of(body, outer);
    std::size_t level = outer.size() + body.params.size();
    for (const ir::Binding& binding : body.bindings) {
        if (const auto* bodies = ir::bodies_of(binding.op))
            for (const ir::Body& nested : *bodies)
                for_each_body(nested, {types.begin(), types.begin() + static_cast<std::ptrdiff_t>(level)}, f);
        level += binding.types.size();
    }
}

}  // namespace sinter::fuse
