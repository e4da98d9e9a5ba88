// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What differentiation needs of a body, and refuses.
#pragma once

#include "ir/program.hpp"

#include <functional>

namespace sinter::ad {

/// Calls visit with each variable the operation uses, those that its bodies use included (some of which are their own).
void for_each_variable(const ir::ArrayOp& op, const std::function<void(ir::ValueId)>& visit);
/// Throws: something is to be differentiated that depends on the function's result.
[[noreturn]] void refuse_foreign(const ir::Foreign& foreign, location where);

/// The same: a function with a rule, or the rule, uses such a variable from around it.
[[noreturn]] void refuse_captured(const ir::Custom& custom, location where);

}  // namespace sinter::ad
