// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Values as variables of loops and branches, which form a flat list.
#pragma once

#include "jit/emit/code/code.hpp"
#include "schedule/pattern.hpp"

namespace sinter::emit {

using Values = llvm::SmallVector<Value, 4>;

Few flatten(Code& code, const Values& values);
/// `value` as a variable with pattern `p`: scalars (one per row if there are rows) or vectors.
Value as_variable(Code& code, const Value& value, const schedule::Pattern& p);
/// Values of the same kinds as `like`, from the list that flatten has made.
Values unflatten(Code& code, const Values& like, llvm::ArrayRef<llvm::Value*> flat);

}  // namespace sinter::emit
