// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/graph.hpp"

#include "ir/evaluate.hpp"
#include "support/check.hpp"

#include <utility>

namespace sinter::lower {

namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t part) {
    h = (h ^ part) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 31);
}

bool same_instruction(const Node& a, const Node& b) {
    return a.op == b.op && a.bits == b.bits && a.pinned == b.pinned && a.types == b.types && a.operands == b.operands;
}

}  // namespace

std::uint64_t Graph::hash_of(const Node& node) {
    std::uint64_t h = mix(static_cast<std::uint64_t>(node.op), node.bits);
    for (Scalar type : node.types) h = mix(h, static_cast<std::uint64_t>(type));
    return mix(h, hash_of_operands(node));
}

std::uint64_t Graph::hash_of_operands(const Node& node) {
    std::uint64_t h = 0;
    for (Ref operand : node.operands) h = mix(h, std::uint64_t{operand.node.index} << 32 | operand.result);
    return h;
}

Graph::Graph(std::size_t point_parameters) { open(RegionKind::point, std::vector<Scalar>(point_parameters, Scalar::i64)); }

RegionId Graph::open(RegionKind kind, std::vector<Scalar> parameters) {
    RegionId id(regions_.size());
    Region region{.kind = kind, .parent = current_, .parameters = NodeId(nodes_.size()), .results = {}, .effects = {}};
    if (current_.valid()) region.depth = regions_[current_.index].depth + 1;
    regions_.push_back(std::move(region));
    Node node;
    node.types = std::move(parameters);
    node.parameters = true;
    node.pinned = true;
    node.earliest = id;
    nodes_.push_back(std::move(node));
    current_ = id;
    return id;
}

void Graph::close(std::vector<Ref> results) {
    Region& region = regions_[current_.index];
    region.results = std::move(results);
    if (region.parent.valid()) current_ = region.parent;
}

RegionId Graph::enter(RegionId region) {
    check(encloses(region, current_) || encloses(current_, region), "regions are entered along a path");
    return std::exchange(current_, region);
}

std::vector<Ref> Graph::parameters(RegionId region) const {
    std::vector<Ref> refs;
    for (std::size_t k = 0; k < nodes_[regions_[region.index].parameters.index].types.size(); ++k)
        refs.push_back(parameter(region, k));
    return refs;
}

Ref Graph::add(Op op, std::vector<Ref> operands) {
    std::vector<Scalar> types;
    for (Ref operand : operands) types.push_back(type(operand));
    auto result = ir::result_type(op, types, Scalar::boolean);
    check(result.has_value(), "operands fit their operation");
    return add(op, *result, 0, std::move(operands));
}

Ref Graph::add(Op op, Scalar type, std::uint64_t bits, std::vector<Ref> operands) {
    if (operands.size() == 2 && ir::is_commutative(op) && detail::is_integer(this->type(operands[0])) &&
        constant_bits(operands[0]))
        std::swap(operands[0], operands[1]);
    if (Ref known = folded(op, type, operands); known.node.valid()) return known;
    if (Ref known = simplified(op, operands); known.node.valid()) return known;
    if (Ref known = without_signs(op, type, bits, operands); known.node.valid()) return known;
    Node node;
    node.op = op;
    node.types = {type};
    node.bits = bits;
    node.earliest = earliest(operands);
    node.operands = std::move(operands);
    return enter_node(std::move(node));
}

Ref Graph::add_pinned(Op op, Scalar type, std::uint64_t bits, std::vector<Ref> operands) {
    Node node;
    node.op = op;
    node.types = {type};
    node.bits = bits;
    node.operands = std::move(operands);
    node.pinned = true;
    node.earliest = current_;
    const std::uint64_t key = op == Op::check_index ? hash_of_operands(node) : 0;
    const Ref made = enter_node(std::move(node));
    if (op == Op::check_index) checks_.emplace(key, made.node);
    return made;
}

Ref Graph::find_check(Ref index, Ref extent) const {
    Node node;
    node.operands = {index, extent};
    auto [first, last] = checks_.equal_range(hash_of_operands(node));
    for (; first != last; ++first) {
        const Node& known = nodes_[first->second.index];
        if (known.operands == node.operands && encloses(known.earliest, current_)) return {first->second, 0};
    }
    return {};
}

Ref Graph::constant(Scalar type, std::uint64_t bits) { return add(Op::constant, type, bits, {}); }

void Graph::store(std::size_t buffer, Ref offset, Ref value) {
    Node node;
    node.op = Op::store;
    node.bits = buffer;
    node.operands = {offset, value};
    node.pinned = true;
    node.earliest = current_;
    regions_[current_.index].effects.push_back(NodeId(nodes_.size()));
    nodes_.push_back(std::move(node));
}

NodeId Graph::control(Op op, std::vector<Scalar> types, std::uint64_t bits, std::vector<Ref> operands,
                      std::vector<RegionId> regions) {
    Node node;
    node.op = op;
    node.types = std::move(types);
    node.bits = bits;
    node.earliest = earliest(operands);
    node.operands = std::move(operands);
    node.regions = std::move(regions);
    node.pinned = summarise_regions(node) || op == Op::while_loop;
    if (node.pinned) node.earliest = current_;
    nodes_.push_back(std::move(node));
    return NodeId(nodes_.size() - 1);
}

NodeId Graph::effect(Op op, std::vector<Scalar> types, std::uint64_t bits, std::vector<Ref> operands,
                     std::vector<RegionId> regions) {
    NodeId id = control(op, std::move(types), bits, std::move(operands), std::move(regions));
    nodes_[id.index].pinned = true;
    nodes_[id.index].earliest = current_;
    regions_[current_.index].effects.push_back(id);
    return id;
}

/// Deepens node.earliest by what its regions use from outside; returns true if they have an effect or can fail.
bool Graph::summarise_regions(Node& node) const {
    std::vector<NodeId> stack;
    auto push = [&](std::span<const Ref> refs) {
        for (Ref ref : refs) stack.push_back(ref.node);
    };
    auto is_inside = [&](RegionId region) { return region != current_ && encloses(current_, region); };
    std::vector<RegionId> regions = node.regions;
    for (std::size_t k = 0; k < regions.size(); ++k) {
        push(regions_[regions[k].index].results);
        if (!regions_[regions[k].index].effects.empty()) return true;
    }
    std::unordered_map<NodeId, bool> seen;
    while (!stack.empty()) {
        NodeId id = stack.back();
        stack.pop_back();
        if (!seen.try_emplace(id, true).second) continue;
        const Node& used = nodes_[id.index];
        if (!is_inside(used.earliest)) {
            node.earliest = deeper(node.earliest, used.earliest);
            continue;
        }
        if (used.pinned && !used.parameters) return true;
        push(used.operands);
        for (RegionId nested : used.regions) push(regions_[nested.index].results);
    }
    return false;
}

Ref Graph::enter_node(Node node) {
    std::uint64_t hash = hash_of(node);
    if (Ref equal = find(node, hash); equal.node.valid()) return equal;
    NodeId id(nodes_.size());
    nodes_.push_back(std::move(node));
    known_.emplace(hash, id);
    return {id, 0};
}

Ref Graph::find(const Node& node, std::uint64_t hash) const {
    auto [first, last] = known_.equal_range(hash);
    for (; first != last; ++first) {
        const Node& known = nodes_[first->second.index];
        if (same_instruction(node, known) && (!node.pinned || encloses(known.earliest, current_))) return {first->second, 0};
    }
    return {};
}

RegionId Graph::earliest(std::span<const Ref> operands) const {
    RegionId region = root();
    for (Ref operand : operands) region = deeper(region, nodes_[operand.node.index].earliest);
    return region;
}

const std::uint64_t* Graph::constant_bits(Ref ref) const {
    const Node& node = nodes_[ref.node.index];
    return node.op == Op::constant && !node.parameters ? &node.bits : nullptr;
}

bool Graph::is_constant(Ref ref, std::uint64_t bits) const {
    const std::uint64_t* value = constant_bits(ref);
    return value && *value == bits;
}

bool Graph::encloses(RegionId outer, RegionId inner) const {
    while (regions_[inner.index].depth > regions_[outer.index].depth) inner = regions_[inner.index].parent;
    return inner == outer;
}

RegionId Graph::deeper(RegionId a, RegionId b) const { return regions_[a.index].depth < regions_[b.index].depth ? b : a; }

/// The result of an operation whose operands are all constant, unless it would fail.
Ref Graph::folded(Op op, Scalar result, std::span<const Ref> operands) {
    if (!ir::can_evaluate(op) || operands.empty()) return {};
    std::vector<Scalar> types;
    std::vector<std::uint64_t> values;
    for (Ref operand : operands) {
        const std::uint64_t* bits = constant_bits(operand);
        if (!bits) return {};
        types.push_back(type(operand));
        values.push_back(*bits);
    }
    if (ir::may_fail(op, types[0]) && values[1] == 0) return {};
    return constant(result, ir::evaluate(op, result, types, values));
}

/// Integer identities. A constant operand of a commutative operation is on the right.
Ref Graph::simplified(Op op, std::span<const Ref> operands) const {
    if (operands.size() != 2 || !detail::is_integer(type(operands[0]))) return {};
    auto right_is = [&](std::uint64_t bits) { return is_constant(operands[1], bits); };
    switch (op) {
        case Op::sub:
            if (const Node& right = nodes_[operands[1].node.index];  // a - (a - b): what is reversed twice
                right.op == Op::sub && !right.parameters && right.operands[0] == operands[0])
                return right.operands[1];
            [[fallthrough]];
        case Op::add:
        case Op::shift_left:
        case Op::shift_right:
        case Op::bit_or:
        case Op::bit_xor:
            return right_is(0) ? operands[0] : Ref{};
        case Op::mul:
            return right_is(1) ? operands[0] : right_is(0) ? operands[1] : Ref{};
        case Op::div:
            return right_is(1) ? operands[0] : Ref{};
        case Op::minimum:
        case Op::maximum:
        case Op::bit_and:
            return operands[0] == operands[1] ? operands[0] : Ref{};
        default:
            return {};
    }
}

}  // namespace sinter::lower
