// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/plan/size_kinds.hpp"

#include "run/tuning.hpp"

#include <algorithm>

namespace sinter::runtime {

std::vector<bool> find_dynamic(const ir::Program& program) {
    std::size_t inputs = program.body.params.size();
    std::vector<bool> dynamic(program.sizes.count(), false);
    for (std::size_t k = 0; k < dynamic.size(); ++k) {
        const ir::Size& size = program.sizes[ir::SizeId(k)];
        dynamic[k] = (size.kind == ir::Size::Kind::value && static_cast<std::size_t>(size.index) >= inputs) ||
                     (size.left.valid() && dynamic[size.left.index]) || (size.right.valid() && dynamic[size.right.index]);
    }
    return dynamic;
}

std::vector<bool> find_large(const ir::SizeTable& sizes) {
    std::vector<std::size_t> parts(sizes.count(), 1);
    std::vector<bool> large(sizes.count(), false);
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const ir::Size& size = sizes[ir::SizeId(k)];
        if (size.left.valid())
            parts[k] = std::min(tuning::largest_size, 1 + parts[size.left.index] + parts[size.right.index]);
        large[k] = parts[k] == tuning::largest_size;
    }
    return large;
}

}  // namespace sinter::runtime
