// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The part of simplify that works inside one function.
#pragma once

#include "ir/function.hpp"

namespace sinter::opt {

/// A canonical function with the same results. Linear in the function's size.
ir::Fn simplify(const ir::Fn& fn);

}  // namespace sinter::opt
