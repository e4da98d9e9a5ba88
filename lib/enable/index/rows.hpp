// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Folds and scans with operators of whole slices become folds and scans along the outermost axis with operators of elements
/// (IRWIM and ISWIM of Henriksen and Oancea, FHPC 2013, section 4.2). There the nest is transposed, so that the map is
/// outside and the fold or scan inside; here both have an axis, and no transposition is left.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// Replaces every fold_rows and scan_rows whose body contains no vmap and no other of them: where the body is element-wise,
/// maps of arrays of a slice's shape, by a fold or scan; else by a loop over the slices. Linear.
ir::Program interchange_rows(ir::Program program);

}  // namespace sinter::enable
