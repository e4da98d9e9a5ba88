// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/index/collapse.hpp"

#include <algorithm>

namespace sinter::lower {

std::vector<Run> runs(std::size_t rank, const std::vector<std::size_t>& reduced, const std::set<std::size_t>& cuts) {
    std::vector<Run> result;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        bool is_reduced = std::binary_search(reduced.begin(), reduced.end(), axis);
        if (result.empty() || result.back().reduced != is_reduced || cuts.contains(axis))
            result.push_back({axis, 0, is_reduced});
        ++result.back().count;
    }
    return result;
}

}  // namespace sinter::lower
