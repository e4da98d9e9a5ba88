// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/convert.hpp"

#include "convert/sharing/bind.hpp"

namespace sinter::convert {

Result convert(std::span<const front::Leaf> roots, std::span<const front::NodeRef> parameters, const Options& options) {
    Pruned pruned = prune(roots, parameters);
    Sized sized = size(pruned);
    Live used = live(pruned, sized);
    Floated floated = float_terms(pruned, sized, used);
    return bind(pruned, sized, used, floated, options);
}

}  // namespace sinter::convert
