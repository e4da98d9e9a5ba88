// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fuse/solve/problem/relations.hpp"

namespace sinter::fuse::solve {

/// A reader and whom it follows because of which a cluster of `labels` reads something in a further order, if one does: the
/// heaviest. The first reaches the second, so that terms connect them.
std::optional<Pair> contested_order(const Problem& problem, const Relations& relations, const Labels& labels);

}  // namespace sinter::fuse::solve
