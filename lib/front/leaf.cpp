// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The leaves of the graph to which the handles of the public headers refer.
#include "front/frame.hpp"

namespace sinter::front {

Leaf to_leaf(const LeafRef& leaf, location where) {
    if (!leaf)
        throw UsageError("an Array or Delayed without a value is used: it was declared but never assigned, or moved from",
                         where);
    retain(leaf.node());
    return {NodeRef::adopt(leaf.node()), leaf.result()};
}

Leaf to_leaf(const LeafRef& leaf) { return to_leaf(leaf, is_tracing() ? frames().back()->where : location()); }

LeafRef to_ref(Leaf leaf) { return LeafRef::adopt(leaf.node.detach(), leaf.result); }

std::vector<Leaf> to_leaves(const LeafRef* leaves, std::size_t count, location where) {
    std::vector<Leaf> result;
    result.reserve(count);
    for (std::size_t i = 0; i < count; ++i) result.push_back(to_leaf(leaves[i], where));
    return result;
}

void write_results(const NodeRef& node, LeafRef* out) {
    for (std::size_t i = 0; i < node->types.size(); ++i) out[i] = to_ref({node, static_cast<std::uint32_t>(i)});
}

}  // namespace sinter::front
