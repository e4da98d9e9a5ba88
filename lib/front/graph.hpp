// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The graph that combinators build: immutable, reference-counted array nodes. A node's identity (its serial number) is the
/// *stable name* of sharing recovery (McDonell 2013, section 3). A node owns everything that it refers to; releasing a chain
/// of a million nodes does not recurse.
#pragma once

#include <sinter/error.hpp>

#include "ir/program.hpp"
#include "support/buffer.hpp"
#include "support/foreign.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::front {

using detail::Scalar;

struct Node;
void retain(Node* node) noexcept;
void release(Node* node) noexcept;

/// Owning reference to a node.
class NodeRef {
  public:
    NodeRef() = default;
    /// Takes over one reference that the caller holds.
    static NodeRef adopt(Node* node) {
        NodeRef r;
        r.node_ = node;
        return r;
    }
    NodeRef(const NodeRef& o) noexcept : node_(o.node_) {
        if (node_) retain(node_);
    }
    NodeRef(NodeRef&& o) noexcept : node_(std::exchange(o.node_, nullptr)) {}
    NodeRef& operator=(NodeRef o) noexcept {
        std::swap(node_, o.node_);
        return *this;
    }
    ~NodeRef() {
        if (node_) release(node_);
    }
    Node* get() const { return node_; }
    Node* operator->() const { return node_; }
    explicit operator bool() const { return node_ != nullptr; }
    Node* detach() { return std::exchange(node_, nullptr); }

  private:
    Node* node_ = nullptr;
};

/// One result of a node: an array of scalars.
struct Leaf {
    NodeRef node;
    std::uint32_t result = 0;
};

/// An extent, if the front end knows it; `unknown` inside compile() and loops.
using Extent = std::int64_t;
inline constexpr Extent unknown = -1;

struct LeafType {
    Scalar scalar;
    std::vector<Extent> shape;
};

/// A size that the user gave: a literal, or a rank-0 i64 array of the enclosing program.
using SizeOperand = std::variant<std::int64_t, Leaf>;

struct Captures {
    std::vector<Leaf> scalars;
    std::vector<Leaf> arrays;
};

// The node kinds; each mirrors an operation of ir/program.hpp, which defines its meaning.
struct Input {
    BufferRef buffer;
};  ///< a manifest array
struct Parameter {
    std::uint32_t position;
};  ///< of compile(), or of a loop's body
struct Literal {
    std::uint64_t bits;
};  ///< rank 0: a C++ scalar
struct ExtentOf {
    Leaf array;
    std::size_t axis;
};  ///< rank 0, i64
struct Map {
    ir::Fn fn;
    std::vector<Leaf> args;
    Captures captures;
    bool indexed;
    std::vector<SizeOperand> shape;
};
struct Fold {
    ir::Fn op;
    std::vector<Leaf> inits, args;
    Captures captures;
    std::vector<std::size_t> axes;
    bool commutative;
    const char* nonempty = nullptr;  ///< the combinator that needs elements along the axes, if one does
};
struct Transpose {
    Leaf arg;
    std::vector<std::size_t> axes;
};
/// extent is that of the result; start and step are as for ir::Slice.
struct Slice {
    Leaf arg;
    std::vector<SizeOperand> start, extent;
    std::vector<std::int64_t> step;
};
/// Reversal of axes: the start depends on the extent, which may be unknown here.
struct Reverse {
    Leaf arg;
    std::vector<std::size_t> axes;
};
/// shape has the sizes of the new axes only, in order; axes is as for ir::Broadcast.
struct Broadcast {
    Leaf arg;
    std::vector<std::size_t> axes;
    std::vector<SizeOperand> new_extents;
};
struct Reshape {
    Leaf arg;
    std::vector<SizeOperand> shape;
};
struct Flatten {
    Leaf arg;
};
struct Gather {
    std::vector<Leaf> indices, sources;
};
struct Force {
    std::vector<Leaf> args;
};
/// A nested scope: its parameters (nodes of kind Parameter) and results.
struct Scope {
    std::vector<NodeRef> params;
    std::vector<Leaf> results;
};
struct Cond {
    Leaf condition;
    Scope then, otherwise;
};
struct Loop {
    bool counted;
    Leaf count;
    std::vector<Leaf> inits;
    Scope condition, body;
};  ///< condition is not used if the loop is counted

/// The results are those of ir::Scan.
struct Scan {
    ir::Fn op;
    std::vector<Leaf> inits, args;
    Captures captures;
    std::size_t axis;
    bool exclusive, reverse, totals, sequential;
};
/// Results: the number of elements kept (rank 0, i64), followed by the arrays, of unknown extent.
struct Compact {
    Leaf mask;
    std::vector<Leaf> args;
};
/// As ir::Scatter.
struct Scatter {
    std::optional<ir::Fn> op;
    std::vector<Leaf> dests, indices, values;
    Captures captures;
    bool drops;
};
struct Sort {
    std::vector<Leaf> args;
    std::size_t keys;
    bool descending;
};
/// Results: the extents of all arrays that it returns (rank 0, i64), followed by the arrays, of unknown extents.
struct Foreign {
    std::string name;
    ForeignRef function;
    std::vector<Leaf> args;
    ForeignRef rule;  ///< or null
    std::vector<std::size_t> by;
};
/// The parameters of the body are slices of args along the outermost axis.
struct Vmap {
    std::vector<Leaf> args;
    Scope body;
};
/// The parameters of the body are two slices of each of args along the outermost axis.
struct Rows {
    ir::Rows::Kind kind;
    bool reverse;
    std::vector<Leaf> inits, args;
    Scope body;
};
/// As ir::Derivative.
struct Derivative {
    ir::Derivative::Mode mode;
    std::vector<Leaf> args;
    std::vector<std::size_t> by;
    std::vector<Leaf> seeds;
    Scope body;
};
/// As ir::Custom.
struct Custom {
    ir::Custom::Kind kind;
    std::vector<Leaf> args;
    Scope function, rule;
};
struct Shift {
    Leaf arg;
    std::vector<std::int64_t> offset;
    ir::Boundary boundary;
};
/// A slice with steps 1 that may leave the argument; there it has the value `fill` (rank 0). Literal starts may be negative.
struct Pad {
    Leaf arg, fill;
    std::vector<SizeOperand> start, extent;
    std::vector<std::size_t> around;  ///< axes along which the argument has to lie inside, which is to be checked
};

using NodeOp = std::variant<Input, Parameter, Literal, ExtentOf, Map, Fold, Transpose, Slice, Reverse, Broadcast, Reshape,
                            Flatten, Gather, Force, Cond, Loop, Scan, Compact, Scatter, Sort, Foreign, Vmap, Rows,
                            Derivative, Custom, Shift, Pad>;

struct Node {
    std::atomic<std::uint32_t> references{1};
    std::uint64_t serial;  ///< unique in the process and increasing: the stable name
    NodeOp op;
    std::vector<LeafType> types;   ///< one per result
    location where;                ///< the call of the combinator
    const char* called = nullptr;  ///< the combinator, in static storage; null if it has the operation's name
    Node* next_dead = nullptr;     ///< links nodes that are being released
};

NodeRef make_node(NodeOp op, std::vector<LeafType> types, location where, const char* called = nullptr);
/// A manifest array.
NodeRef make_input(BufferRef buffer, Scalar scalar, std::span<const Extent> shape, location where);

inline const LeafType& type_of(const Leaf& leaf) { return leaf.node->types[leaf.result]; }

/// Calls visit(const Leaf&) on every leaf that `op` uses directly, in a fixed order (scopes are not entered).
template <class F>
void for_each_leaf(const NodeOp& op, F visit);

/// For example "map", "generate", "fold", "slice".
std::string name_of(const NodeOp& op);
/// The name used in messages: what the user called.
std::string name_of(const Node& node);

}  // namespace sinter::front

#include "front/graph_inline.hpp"
