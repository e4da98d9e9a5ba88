// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Whether a kernel reads what its points do not store at.
#pragma once

#include "lower/kernel.hpp"

namespace sinter::schedule {

/// Whether a block loads another element than a loop's own: a neighbour's, or one whose index is clamped.
bool reads_shifted(const lower::Block& body);

}  // namespace sinter::schedule
