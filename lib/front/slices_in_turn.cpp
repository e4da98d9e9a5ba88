// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sinter/detail/slices_in_turn.hpp>

#include "front/extent_source.hpp"
#include "front/shape.hpp"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace sinter::front {
namespace {

using Nodes = std::unordered_set<const Node*>;

/// The scopes of a branch or a loop.
std::vector<const Scope*> scopes_of(const Node* node) {
    if (const auto* cond = std::get_if<Cond>(&node->op)) return {&cond->then, &cond->otherwise};
    if (const auto* loop = std::get_if<Loop>(&node->op)) return {&loop->condition, &loop->body};
    return {};
}

/// Adds what `node` is computed from, and itself, to `nodes`; returns what is new.
std::vector<const Node*> add_sources(const Node* node, Nodes& nodes) {
    std::vector<const Node*> added;
    auto add = [&](const Leaf& leaf) {
        if (nodes.insert(leaf.node.get()).second) added.push_back(leaf.node.get());
    };
    if (nodes.insert(node).second) added.push_back(node);
    for (std::size_t k = 0; k < added.size(); ++k) {
        const Node* const each = added[k];
        for_each_leaf(each->op, add);
        for (const Scope* scope : scopes_of(each)) std::for_each(scope->results.begin(), scope->results.end(), add);
    }
    return added;
}

/// Finds foreign functions of a scope's parameters in what extents are computed from.
class Inside {
  public:
    explicit Inside(const Scope& scope) { add_parameters(scope); }

    bool decides(const Leaf& result, std::size_t axis) {
        const ExtentSource source = extent_source(result, axis);
        if (source.literal) return false;
        if (const std::vector<const Scope*> scopes = scopes_of(source.leaf.node.get()); !scopes.empty() && !source.is_scalar)
            return std::any_of(scopes.begin(), scopes.end(),
                               [&](const Scope* scope) { return decides_in(*scope, source.leaf.result, source.axis); });
        const std::vector<const Node*> added = add_sources(source.leaf.node.get(), seen_);
        return std::any_of(added.begin(), added.end(),
                           [&](const Node* node) { return std::holds_alternative<Foreign>(node->op) && needs_slice(node); });
    }

  private:
    void add_parameters(const Scope& scope) {
        for (const NodeRef& param : scope.params) params_.insert(param.get());
    }

    /// The same for a result of a branch, or of a loop's body, whose states come from the slice as a rule.
    bool decides_in(const Scope& scope, std::uint32_t result, std::size_t axis) {
        add_parameters(scope);
        if (result >= scope.results.size() || type_of(scope.results[result]).shape.size() <= axis) return false;
        return decides(scope.results[result], axis);
    }

    bool needs_slice(const Node* node) const {
        Nodes nodes;
        const std::vector<const Node*> sources = add_sources(node, nodes);
        return std::any_of(sources.begin(), sources.end(), [&](const Node* each) { return params_.contains(each); });
    }

    Nodes params_, seen_;
};

Leaf view_of(NodeOp op, Scalar scalar, std::vector<Extent> shape, location where) {
    return {make_node(std::move(op), {{scalar, std::move(shape)}}, where), 0};
}

/// Those of an array with one of its outer slices.
std::vector<SizeOperand> slice_extents(const Leaf& leaf, location where) {
    std::vector<SizeOperand> extents = extent_operands(leaf, where);
    extents[0] = std::int64_t{1};
    return extents;
}

/// A view that has one outer slice, as that slice.
template <class View>
detail::LeafRef without_outermost(View op, Scalar scalar, location where) {
    Reshape inner{{}, {op.extent.begin() + 1, op.extent.end()}};
    auto extents = known_extents(op.extent), inner_extents = known_extents(inner.shape);
    inner.arg = view_of(std::move(op), scalar, std::move(extents), where);
    return to_ref(view_of(std::move(inner), scalar, std::move(inner_extents), where));
}

}  // namespace
}  // namespace sinter::front

namespace sinter::detail {

using namespace front;

bool is_shaped_inside(const LeafRef* results, std::size_t count) {
    Inside inside(controls().back().scopes.back());
    for (std::size_t k = 0; k < count; ++k) {
        const Leaf result = to_leaf(results[k]);
        for (std::size_t axis = 0; axis < type_of(result).shape.size(); ++axis)
            if (inside.decides(result, axis)) return true;
    }
    return false;
}

LeafRef first_slice(const LeafRef& array, location where) {
    const Leaf leaf = to_leaf(array, where);
    const Scalar scalar = type_of(leaf).scalar;
    const Leaf zero{make_node(Literal{0}, {{scalar, {}}}, where), 0};
    Pad op{leaf, zero, {}, slice_extents(leaf, where), {}};
    op.start.assign(op.extent.size(), std::int64_t{0});
    return without_outermost(std::move(op), scalar, where);
}

LeafRef outer_slice(const LeafRef& array, SizeArgument index, location where) {
    const Leaf leaf = to_leaf(array, where);
    Slice op{leaf, {}, slice_extents(leaf, where), {}};
    op.start.assign(op.extent.size(), std::int64_t{0});
    op.start[0] = size_operand(index, "vmap", where);
    op.step.assign(op.extent.size(), 1);
    return without_outermost(std::move(op), type_of(leaf).scalar, where);
}

LeafRef copy_for_slices(const LeafRef& array, const LeafRef& like, location where) {
    const Leaf leaf = to_leaf(array, where);
    const SizeOperand slices = extent_operand(to_leaf(like, where), 0, where);
    std::vector<Extent> extents = type_of(leaf).shape;
    extents.insert(extents.begin(), known_extent(slices));
    std::vector<std::size_t> axes;
    for (std::size_t k = 0; k + 1 < extents.size(); ++k) axes.push_back(k + 1);
    return to_ref(view_of(Broadcast{leaf, std::move(axes), {slices}}, type_of(leaf).scalar, std::move(extents), where));
}

}  // namespace sinter::detail
