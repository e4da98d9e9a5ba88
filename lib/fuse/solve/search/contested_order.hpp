// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fuse/solve/problem/relations.hpp"

namespace sinter::fuse::solve {

/// A reader and a leader that it follows, because of which a cluster of `labels` reads something in a further order: the
/// heaviest such pair, if there is one. The first of the pair reaches the second, so terms connect them.
std::optional<Pair> contested_order(const Problem& problem, const Relations& relations, const Labels& labels);

}  // namespace sinter::fuse::solve
