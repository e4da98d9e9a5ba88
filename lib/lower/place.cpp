// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Global code motion (Click, PLDI 1995): each instruction may be anywhere on the path of the region tree from the common
// ancestor of its uses up to where its operands are available. We take the outermost region that can be reached without
// leaving a branch. Nodes are numbered after their operands, and the contents of regions before their instruction, so one
// descending pass sees all uses of a node before the node.
#include "lower/place.hpp"

#include "support/check.hpp"

#include <algorithm>

namespace sinter::lower {

namespace {

class Placement {
  public:
    explicit Placement(const Graph& graph) : graph_(graph), place_(graph.node_count()), members_(graph.node_count() + 1) {}

    ir::Block run() {
        use_region(Graph::root());
        for (std::size_t k = graph_.node_count(); k-- > 0;)
            if (place_[k].valid()) settle(NodeId(k));
        return block(Graph::root());
    }

  private:
    RegionId common(RegionId a, RegionId b) const {
        while (a != b) {
            bool a_deeper = graph_[a].depth >= graph_[b].depth, b_deeper = graph_[b].depth >= graph_[a].depth;
            if (a_deeper) a = graph_[a].parent;
            if (b_deeper) b = graph_[b].parent;
        }
        return a;
    }

    void use(NodeId node, RegionId region) {
        RegionId& place = place_[node.index];
        place = place.valid() ? common(place, region) : region;
    }

    void use_region(RegionId region) {
        for (Ref result : graph_[region].results) use(result.node, region);
        for (NodeId effect : graph_[region].effects) use(effect, region);
    }

    /// All uses of the node are known: decides its region and counts it as a user.
    void settle(NodeId id) {
        const Node& node = graph_[id];
        RegionId& place = place_[id.index];
        if (node.pinned) {
            check(graph_.encloses(node.earliest, place), "a pinned instruction is used only where it is available");
            place = node.earliest;
        }
        while (place != node.earliest && (graph_[place].kind != RegionKind::branch || costs_nothing(node)))
            place = graph_[place].parent;
        check(place.valid() && graph_.encloses(node.earliest, place), "operands are available where they are used");
        for (Ref operand : node.operands) use(operand.node, place);
        for (RegionId region : node.regions) use_region(region);
        if (!node.parameters) members_[place.index].push_back(id);
    }

    /// True if it may as well be executed in vain: constants, sizes, scalars that the kernel is given, comparisons of
    /// indices, and what keeps an index inside of an array. Where these stand outside of branches, a loop knows at which
    /// indices it has to turn from one branch to another, and at which no index reaches a border.
    bool costs_nothing(const Node& node) const {
        if (node.op == Op::constant || node.op == Op::size) return true;
        if (node.op == Op::load) return graph_.constant_bits(node.operands[0]) != nullptr;
        const bool bounds =
            node.op == Op::inside || ir::is_continuation(node.op) || node.op == Op::minimum || node.op == Op::maximum;
        return (ir::is_comparison(node.op) || bounds) &&
               std::all_of(node.operands.begin(), node.operands.end(), [&](Ref ref) { return is_index(ref, 0); });
    }

    /// True if it is an index, a size, or the sum of some.
    bool is_index(Ref ref, int depth) const {
        constexpr int deepest = 8;
        const Node& node = graph_[ref.node];
        if (graph_.type(ref) != Scalar::i64 || depth == deepest) return false;
        if (node.parameters) return true;
        if (node.op != Op::constant && node.op != Op::size && node.op != Op::add && node.op != Op::sub) return false;
        return std::all_of(node.operands.begin(), node.operands.end(), [&](Ref part) { return is_index(part, depth + 1); });
    }

    ir::Block block(RegionId region) {
        ir::Block result;
        std::size_t base = level_;
        const Node& parameters = graph_[graph_[region].parameters];
        result.params = parameters.types;
        define(graph_[region].parameters, parameters.types.size());
        const std::vector<NodeId>& members = members_[region.index];
        for (std::size_t k = members.size(); k-- > 0;) result.insts.push_back(instruction(members[k]));
        result.results = locals(graph_[region].results);
        level_ = base;
        return result;
    }

    ir::Inst instruction(NodeId id) {
        const Node& node = graph_[id];
        ir::Inst inst{node.op, node.types, node.bits, locals(node.operands), {}};
        for (RegionId region : node.regions) inst.blocks.push_back(block(region));
        define(id, node.types.size());
        return inst;
    }

    void define(NodeId id, std::size_t count) {
        if (first_.size() <= id.index) first_.resize(graph_.node_count());
        first_[id.index] = level_;
        level_ += count;
    }

    std::vector<ir::Local> locals(const std::vector<Ref>& refs) const {
        std::vector<ir::Local> result;
        for (Ref ref : refs) result.push_back(ir::Local(first_[ref.node.index] + ref.result));
        return result;
    }

    const Graph& graph_;
    std::vector<RegionId> place_;               ///< by node; invalid if it is not used
    std::vector<std::vector<NodeId>> members_;  ///< by region, last instruction first
    std::vector<std::size_t> first_;            ///< by node: the level of its first result
    std::size_t level_ = 0;
};

}  // namespace

ir::Block place(const Graph& graph) { return Placement(graph).run(); }

}  // namespace sinter::lower
