// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace sinter {

/// Whether programs, partitions, kernels and generated code are verified after every pass: with SINTER_VERIFY=1, and in
/// builds with assertions unless SINTER_VERIFY=0.
bool is_verifying();

}  // namespace sinter
