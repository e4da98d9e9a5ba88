// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/solve/problem/results.hpp"

#include <algorithm>

namespace sinter::fuse::solve {

bool go_together(const Problem& problem, std::uint32_t a, std::uint32_t b) {
    const std::pair<std::uint32_t, std::uint32_t> pair = std::minmax(a, b);
    return a == b || std::binary_search(problem.joined_shapes.begin(), problem.joined_shapes.end(), pair);
}

void separate_stored(const Problem& problem, Bits& apart) {
    std::vector<std::vector<std::uint64_t>> makers;  // by shape
    for (const Result& result : problem.results) {
        if (!result.stored) continue;
        if (makers.size() <= result.shape) makers.resize(result.shape + 1);
        auto& own = makers[result.shape];
        own.resize(apart.words());
        put(own, result.vertex);
    }
    for (const Result& result : problem.results) {
        if (!result.stored) continue;
        for (std::uint32_t other = 0; other < makers.size(); ++other)
            if (!makers[other].empty() && !go_together(problem, result.shape, other))
                unite(apart[result.vertex], makers[other]);
    }
}

bool mark_stored(Problem& problem, const Relations& relations) {
    bool any = false;
    for (Result& result : problem.results) {
        if (result.stored) continue;
        result.stored = std::any_of(result.readers.begin(), result.readers.end(),
                                    [&](Vertex reader) { return holds(relations.apart[result.vertex], reader); });
        any = any || result.stored;
    }
    return any;
}

}  // namespace sinter::fuse::solve
