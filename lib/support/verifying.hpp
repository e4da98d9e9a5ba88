// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/shared.hpp"

namespace sinter {

/// True if programs, partitions, kernels and generated code are verified after every pass: with SINTER_VERIFY=1, and in
/// builds with assertions unless SINTER_VERIFY=0.
SINTER_SHARED bool is_verifying();

}  // namespace sinter
