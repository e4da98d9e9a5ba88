// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Values as the variables of loops and branches, which are a flat list.
#pragma once

#include "jit/emit/code/code.hpp"
#include "schedule/pattern.hpp"

namespace sinter::emit {

using Values = llvm::SmallVector<Value, 4>;

Few flatten(Code& code, const Values& values);
/// `value` as a variable of pattern `p`: scalars (one a row if there are rows) or vectors.
Value as_variable(Code& code, const Value& value, const schedule::Pattern& p);
/// Values of the same kinds as `like` from what flatten made of some.
Values unflatten(Code& code, const Values& like, llvm::ArrayRef<llvm::Value*> flat);

}  // namespace sinter::emit
