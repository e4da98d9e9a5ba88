// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Values as variables of loops and branches, which form a flat list.
#pragma once

#include "jit/emit/code/code.hpp"

namespace sinter::emit {

using Values = llvm::SmallVector<Value, 4>;

Few flatten(Code& code, const Values& values);
/// `value` as a variable that varies from lane to lane or does not: vectors or scalars (one per row if there are rows).
Value as_variable(Code& code, const Value& value, bool varies);
/// All of them.
Values as_variables(Code& code, Values values, const std::vector<bool>& vary);
/// Values of the same kinds as `like`, from the list that flatten has made.
Values unflatten(Code& code, const Values& like, llvm::ArrayRef<llvm::Value*> flat);

}  // namespace sinter::emit
