// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fuse/solve/problem/relations.hpp"

namespace sinter::fuse::solve {

/// Calls `f` for pairs of vertices that a term connects and that are not apart.
template <class F>
void for_each_open(const Problem& problem, const Relations& relations, F f) {
    for (const Term& term : problem.terms) {
        if (!term.connects) continue;
        for (std::size_t i = 0; i < term.members.size(); ++i)
            for (std::size_t j = i + 1; j < term.members.size(); ++j)
                if (!holds(relations.apart[term.members[i]], term.members[j]))
                    f(term, Pair(term.members[i], term.members[j]));
    }
}

}  // namespace sinter::fuse::solve
