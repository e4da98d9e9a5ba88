// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Products of tiles that the lanes of a warp hold together.
#pragma once

#include "ptx.hpp"

namespace driver {

/// mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32, and m16n8k8 of tf32, for all lanes. The products are exact; PTX leaves
/// open in which order they are added, and how sums are rounded: here in groups in any order, rounded towards zero after
/// each. A factor has to be of TF32, as cvt.rna.tf32.f32 makes it: what other bits mean is not defined.
void multiply_add(const Instruction& in, std::uint64_t* registers);

}  // namespace driver
