// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nearest.hpp"

#include <algorithm>
#include <vector>

namespace tool {

namespace {

/// The restricted edit distance of Damerau: swapping neighbours counts once.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t j = 0; j <= b.size(); ++j) {
            std::size_t& cell = table[i][j];
            cell = std::max(i, j);
            if (i == 0 || j == 0) continue;
            cell = std::min({table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cell = std::min(cell, table[i - 2][j - 2] + 1);
        }
    return table[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view wrong, std::span<const std::string> words) {
    std::string best;
    std::size_t least = wrong.size();
    for (const std::string& word : words)
        if (const std::size_t d = distance(wrong, word); d < least) least = d, best = word;
    return 3 * least <= std::max(wrong.size(), best.size()) ? best : std::string();
}

}  // namespace tool
