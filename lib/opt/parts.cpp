// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opt/parts.hpp"

#include <algorithm>

namespace sinter::opt {

using namespace ir;

bool are_needed_by(const std::vector<Part>& parts, const std::vector<ValueId>& others, const UseCounts& uses) {
    std::unordered_map<ValueId, std::size_t> inside;
    for (ValueId id : others) ++inside[id];
    for (const Part& part : parts)
        for (ValueId id : operands(part.binding->op)) ++inside[id];
    return std::all_of(parts.begin(), parts.end(), [&](const Part& part) {
        if (std::holds_alternative<View>(part.binding->op)) return true;
        const std::vector<std::size_t>& all = uses.at(part.binding);
        for (std::size_t k = 0; k < all.size(); ++k)
            if (const auto found = inside.find(ValueId(part.first.index + k));
                all[k] != (found == inside.end() ? 0 : found->second))
                return false;
        return true;
    });
}

}  // namespace sinter::opt
