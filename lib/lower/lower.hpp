// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// From a fused cluster to loop IR.
#pragma once

#include "lower/kernel.hpp"

namespace sinter::lower {

struct Options {
    bool bounds_checks = true;  ///< without, an index out of range is undefined behaviour
    bool local_rows = true;     ///< elements of a row that several passes need are kept; otherwise they are computed again
    bool contract = false;      ///< products may keep their exact value until they are added
    bool tf32 = false;          ///< of floats, their factors may be rounded to TF32 before
    std::vector<std::size_t> free = {};  ///< the inputs that nobody reads afterwards, of which outputs may have the memory
};

/// The kernel that computes a cluster (fuse::extract): its buffers are the program's inputs, followed by its results.
///
/// Lowering pulls values: each result is asked for at the point being computed; it asks its arguments at the points that it
/// needs, and so on up to the inputs. Views only change points. Folds become one reduce. A value is computed once per point,
/// and as far outside as its operands allow (place.hpp); contiguous axes are counted as one (collapse.hpp); reads at
/// computed indices are checked unless they are known to be in range. Equal programs give equal kernels. Throws Limitation,
/// with the operation's site, for programs that do not have the closed fused form (form.hpp).
Kernel lower(const ir::Program& cluster, const Options& options = {});

}  // namespace sinter::lower
