// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A kernel under construction: instructions as a graph without positions, in a tree of regions that will become its blocks.
/// An instruction is placed when all its uses are known (place.hpp), so values can be asked for in any order and from any
/// depth.
#pragma once

#include "ir/function.hpp"

#include <span>
#include <unordered_map>
#include <vector>

namespace sinter::lower {

using ir::Op;
using ir::Scalar;
using ir::SizeId;

using NodeId = Id<struct NodeTag>;
using RegionId = Id<struct RegionTag>;

/// Result `result` of a node.
struct Ref {
    NodeId node;
    std::uint32_t result = 0;
    bool operator==(const Ref&) const = default;
};

/// An instruction (its nested blocks are regions), or the parameters of a region.
struct Node {
    Op op = Op::constant;
    std::vector<Scalar> types;
    std::uint64_t bits = 0;
    std::vector<Ref> operands;
    std::vector<RegionId> regions;
    bool parameters = false;
    bool pinned = false;  ///< it stays in region `earliest`: it may fail, stores, may not terminate, or relies on a check
                          ///< there
    RegionId earliest;    ///< the outermost region in which its operands are available
};

enum class RegionKind : std::uint8_t {
    point,    ///< the kernel's body
    branch,   ///< of a cond: may or may not be executed
    loop,     ///< condition or body of a loop, executed any number of times
    element,  ///< of a reduce, executed any number of times
    combine,  ///< of a reduce, executed any number of times
    emit,     ///< of a scan, executed any number of times
};

struct Region {
    RegionKind kind;
    RegionId parent;
    std::uint32_t depth = 0;
    NodeId parameters;
    std::vector<Ref> results;
    std::vector<NodeId> effects;  ///< stores, and control instructions that store
};

/// Nodes and regions, of which one is current. Instructions without regions are hash-consed (pinned ones only with those
/// pinned in the current region or around it); integer arithmetic is simplified, and operations on constants are computed.
class Graph {
  public:
    /// The outermost region, whose parameters are i64, becomes current.
    explicit Graph(std::size_t point_parameters);

    RegionId open(RegionKind kind, std::vector<Scalar> parameters);
    void close(std::vector<Ref> results);
    RegionId current() const { return current_; }
    /// Makes another region current, which has to be around the current one or to be left in the same way; returns the
    /// previously current one.
    RegionId enter(RegionId region);
    static RegionId root() { return RegionId(0); }

    Ref parameter(RegionId region, std::size_t k) const {
        return {regions_[region.index].parameters, static_cast<std::uint32_t>(k)};
    }
    std::vector<Ref> parameters(RegionId region) const;

    /// Adds an operation whose type follows from its operands.
    Ref add(Op op, std::vector<Ref> operands);
    /// Adds any instruction without regions.
    Ref add(Op op, Scalar type, std::uint64_t bits, std::vector<Ref> operands);
    /// As add, but the instruction never moves out of the current region.
    Ref add_pinned(Op op, Scalar type, std::uint64_t bits, std::vector<Ref> operands);
    /// A check of this index, whichever it is, that is executed before what is added now; else an invalid reference.
    Ref find_check(Ref index, Ref extent) const;
    Ref constant(Scalar type, std::uint64_t bits);
    Ref index(std::int64_t value) { return constant(Scalar::i64, static_cast<std::uint64_t>(value)); }
    void store(std::size_t buffer, Ref offset, Ref value);
    /// Adds an instruction with closed regions that are children of the current one.
    NodeId control(Op op, std::vector<Scalar> types, std::uint64_t bits, std::vector<Ref> operands,
                   std::vector<RegionId> regions);

    /// The same for an instruction whose purpose is what it stores.
    NodeId effect(Op op, std::vector<Scalar> types, std::uint64_t bits, std::vector<Ref> operands,
                  std::vector<RegionId> regions);

    const Node& operator[](NodeId id) const { return nodes_[id.index]; }
    const Region& operator[](RegionId id) const { return regions_[id.index]; }
    std::size_t node_count() const { return nodes_.size(); }
    Scalar type(Ref ref) const { return nodes_[ref.node.index].types[ref.result]; }
    /// The value if it is a constant, else null.
    const std::uint64_t* constant_bits(Ref ref) const;
    bool is_constant(Ref ref, std::uint64_t bits) const;
    /// True if `outer` is `inner` or around it.
    bool encloses(RegionId outer, RegionId inner) const;
    RegionId deeper(RegionId a, RegionId b) const;

  private:
    Ref enter_node(Node node);
    RegionId earliest(std::span<const Ref> operands) const;
    bool summarise_regions(Node& node) const;
    Ref simplified(Op op, std::span<const Ref> operands) const;
    Ref folded(Op op, Scalar type, std::span<const Ref> operands);
    Ref find(const Node& node, std::uint64_t hash) const;
    static std::uint64_t hash_of(const Node& node);
    static std::uint64_t hash_of_operands(const Node& node);

    // signs.cpp
    Ref without_signs(Op op, Scalar type, std::uint64_t bits, std::span<const Ref> operands);
    Ref opposite_product(Scalar type, std::uint64_t bits, Ref a, Ref b);
    Ref negated(Ref ref) const;
    Ref known(Op op, Scalar type, std::uint64_t bits, std::vector<Ref> operands) const;

    std::vector<Node> nodes_;
    std::vector<Region> regions_;
    RegionId current_;
    std::unordered_multimap<std::uint64_t, NodeId> known_;
    std::unordered_multimap<std::uint64_t, NodeId> checks_;  ///< by operands
};

}  // namespace sinter::lower
