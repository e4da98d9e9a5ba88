// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Folds and scans with operators on whole slices become folds and scans along the outermost axis with operators on elements
/// (IRWIM and ISWIM of Henriksen and Oancea, FHPC 2013, section 4.2). There, the nest is transposed, so that the map is
/// outside and the fold or scan inside; here both have an axis, and no transposition is left.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// Replaces every fold_rows and scan_rows whose body contains neither a vmap nor another of these: by a fold or scan if the
/// body is element-wise, that is, consists of maps over arrays of a slice's shape; otherwise by a loop over the slices.
/// Linear.
ir::Program interchange_rows(ir::Program program);

}  // namespace sinter::enable
