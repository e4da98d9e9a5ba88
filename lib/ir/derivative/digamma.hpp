// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The logarithmic derivative of the gamma function.
#pragma once

#include "ir/derivative/terms.hpp"

namespace sinter::ir::derivative {

/// psi(x), composed of operations that have derivatives themselves. NaN at 0 and the negative integers.
Local digamma(Terms& terms, Local x);

}  // namespace sinter::ir::derivative
