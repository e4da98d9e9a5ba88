// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What differentiation needs of a body, and refuses.
#pragma once

#include "ir/program.hpp"

#include <functional>

namespace sinter::ad {

/// Whether the body has a vmap, a fold or scan of rows or a derivative in it.
bool contains_nest(const ir::Body& body);
/// Calls visit with each variable the operation uses, those that its bodies use included (some of which are their own).
void for_each_variable(const ir::ArrayOp& op, const std::function<void(ir::ValueId)>& visit);
/// Throws: something is to be differentiated that depends on the function's result.
[[noreturn]] void refuse_foreign(const ir::Foreign& foreign, location where);

}  // namespace sinter::ad
