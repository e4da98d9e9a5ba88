// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What operations move that are not loops over their elements. It is the same in every partition.
#pragma once

#include "fuse/cost.hpp"

namespace sinter::fuse {

/// A sort reads and writes its columns once for each pass, if its rows are larger than caches: as if keys differed in all
/// digits. A foreign function reads its arguments and writes its results once. Force, loops and conditionals move nothing
/// themselves.
Traffic barrier_traffic(const DepGraph& graph, Operation op, const Extents& extents);

/// A scatter reads and writes the lines that its indices lead to; before, it copies destinations that it may not write.
Traffic update_traffic(const DepGraph& graph, Operation op, const Extents& extents);

}  // namespace sinter::fuse
