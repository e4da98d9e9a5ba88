// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The bytes moved by operations that are not loops over their elements. They are the same in every partition.
#pragma once

#include "fuse/cost.hpp"

namespace sinter::fuse {

/// A sort whose rows are larger than the caches reads and writes its columns once per pass, as if keys differed in all
/// digits. A foreign function reads its arguments and writes its results once. Force, loops and conditionals move nothing
/// themselves.
Traffic barrier_traffic(const DepGraph& graph, Operation op, const Extents& extents);

/// A scatter reads and writes the cache lines that its indices lead to; before that, it copies destinations that it may not
/// write.
Traffic update_traffic(const DepGraph& graph, Operation op, const Extents& extents);

}  // namespace sinter::fuse
