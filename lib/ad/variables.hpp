// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What differentiation needs to know about a body, and what it refuses.
#pragma once

#include "ir/program.hpp"

#include <functional>

namespace sinter::ad {

/// Calls visit with each variable that the operation uses, including those that its bodies use (some of which are their
/// own).
void for_each_variable(const ir::ArrayOp& op, const std::function<void(ir::ValueId)>& visit);
/// The positions of the types that have a derivative: those of floating point.
std::vector<std::size_t> floating(const std::vector<ir::Type>& types);

/// Throws: something that depends on the function's result would have to be differentiated.
[[noreturn]] void refuse_foreign(const ir::Foreign& foreign, location where);

/// Throws: a function with a rule, or the rule, uses such a variable from outside.
[[noreturn]] void refuse_captured(const ir::Custom& custom, location where);

}  // namespace sinter::ad
