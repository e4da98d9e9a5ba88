// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The program: array operations in A-normal form with de Bruijn levels. What sharing recovery makes, optimisation maps
/// to itself, fusion partitions and the interpreter executes.
///
/// Variables are numbered like locals of functions (function.hpp): program inputs first, then each binding's results;
/// nested bodies (cond, loop) continue at their own position and see all outer variables. Products have vanished: an
/// operation on arrays of k-tuples has k arguments and its results are as many arrays as its function has results.
///
/// Invariants, checked by ir/verify/verify.hpp: see there.
#pragma once

#include <sinter/error.hpp>

#include "ir/function.hpp"
#include "ir/type.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace sinter::ir {

/// What a function needs from outside: scalars become its last parameters, arrays fill its array slots.
struct Captures {
    std::vector<ValueId> scalars;  ///< rank-0 variables
    std::vector<ValueId> arrays;   ///< variables read at computed indices (or asked for an extent)
    bool operator==(const Captures&) const = default;
};

/// results[i] = fn(indices.., args[i].., scalars..). All args and results have one shape, the results' shape.
/// Without args it is a *generate*; of rank 0 a scalar computation. fn.params: rank indices if `indexed`, args, scalars.
struct Map {
    Fn fn;
    std::vector<ValueId> args;
    Captures captures;
    bool indexed = false;
    bool operator==(const Map&) const = default;
};

/// Reduces `axes` (increasing) of args with an associative operator: result = op(init, a0 op a1 op ...), init being
/// combined exactly once, from the left, and alone if there is no element. Several axes are combined in row-major order.
/// op.params: k accumulators, k elements, scalars; k results. inits and captured scalars have rank 0 or the results' shape.
struct Fold {
    Fn op;
    std::vector<ValueId> inits;
    std::vector<ValueId> args;
    Captures captures;
    std::vector<std::size_t> axes;
    bool commutative = false;  ///< op may also take its operands in any order
    bool operator==(const Fold&) const = default;
};

/// Prefixes of args along `axis` under an associative operator: element i of a line is init op a0 op ... op ai, without ai
/// if `exclusive`; from the other end if `reverse`: ai op ... op a(n-1) op init. Without inits only inclusive, without
/// totals. op as of Fold; inits and captured scalars have rank 0 or the shape without the axis. Results: k prefixes of the
/// args' shape, then if `totals` the k combinations of init with all elements, of the shape without the axis.
///
/// If `sequential` it is a recurrence: op is any function of k states and m elements, one for each of the args, to k states.
/// There are k inits, the states before the first element. Elements are taken one after another, from the other end if
/// `reverse`, and the prefixes are the states after each of them; never exclusive. op.params: k states, m elements, scalars.
struct Scan {
    Fn op;
    std::vector<ValueId> inits;
    std::vector<ValueId> args;
    Captures captures;
    std::size_t axis = 0;
    bool exclusive = false;
    bool reverse = false;
    bool totals = false;
    bool sequential = false;
    bool operator==(const Scan&) const = default;
    /// k: results without the totals.
    std::size_t states() const { return op.result_count(); }
};

/// Whether two scans of equal shapes are of one kind: one loop can make both.
bool are_alike(const Scan& a, const Scan& b);

/// The elements of args (rank 1) where `mask` is true, in order. Results: their number, a rank-0 i64, then the arrays, whose
/// extent is its value.
struct Compact {
    ValueId mask;
    std::vector<ValueId> args;
    bool operator==(const Compact&) const = default;
};

/// results[s] is dests[s], but its element (indices[0][i], indices[1][i], ..) is values[s][i], or without an operator is
/// op(what is there, values[s][i]) for all i. One i64 index array an axis of the dests, of the values' shape. Without an
/// operator indices are distinct, or which value wins is unspecified; an operator is associative and commutative, and
/// applied in an order fixed by the extents. `drops`: an element is dropped if its indices from that axis on are all
/// -1. op.params: k accumulators, k values, scalars (rank 0); k results.
struct Scatter {
    std::optional<Fn> op;
    std::vector<ValueId> dests;
    std::vector<ValueId> indices;
    std::vector<ValueId> values;
    Captures captures;
    std::optional<std::size_t> drops = {};
    bool operator==(const Scatter&) const = default;
};

/// args with each line of the innermost axis rearranged, stably, such that args[0 .. keys) ascend (descend) in lexicographic
/// order. The order of scalars: run/execute/sort.hpp.
struct Sort {
    std::vector<ValueId> args;
    std::size_t keys = 1;
    bool descending = false;
    bool operator==(const Sort&) const = default;
};

/// A C++ function of the user's, number `function` of those that come with the program. Results: the extents of all arrays
/// it returns, rank-0 i64, then the arrays, whose extents are those values.
struct Foreign {
    std::string name;
    std::size_t function = 0;
    std::vector<ValueId> args;
    std::optional<std::size_t> rule;  ///< the number of one of args, arrays it returns and cotangents of these, which
    std::vector<std::size_t> by;      ///< returns adjoints of args with these numbers (increasing)
    bool operator==(const Foreign&) const = default;
};

/// Index functions: result[i] = arg[f(i)]. None computes or copies by itself.
struct Transpose {
    std::vector<std::size_t> axes;  ///< result axis k is arg axis axes[k]
    bool operator==(const Transpose&) const = default;
};
struct Slice {  ///< result[i..] = arg[start + i * step ..]; the extents are the result's
    std::vector<SizeId> start;
    std::vector<std::int64_t> step;  ///< not 0; -1 with start n-1 reverses
    bool operator==(const Slice&) const = default;
};
struct Broadcast {
    std::vector<std::size_t> axes;  ///< arg axis k is result axis axes[k] (increasing); the other result axes are new
    bool operator==(const Broadcast&) const = default;
};
struct Reshape {  ///< same elements in row-major order; the shape is the result's
    bool operator==(const Reshape&) const = default;
};
enum class Boundary : std::uint8_t {
    clamp,      ///< the nearest element
    wrap,       ///< as if the array were repeated
    symmetric,  ///< as if it were reflected, the border element repeated
    reflect,    ///< as if it were reflected, the border element not repeated
};
struct Shift {  ///< result[i..] = arg[i + offset ..], of one shape
    std::vector<std::int64_t> offset;
    Boundary boundary = Boundary::clamp;
    bool operator==(const Shift&) const = default;
};
using IndexFunction = std::variant<Transpose, Slice, Broadcast, Reshape, Shift>;

struct View {
    ValueId arg;
    IndexFunction function;
    std::optional<ValueId> fill = {};  ///< a rank-0 variable: what a slice with steps 1 has where it leaves the argument
    bool operator==(const View&) const = default;
};

/// results[s][i] = sources[s][indices[0][i], indices[1][i], ..]. One i64 index array an axis of the sources, all of the
/// results' shape. Whether indices are checked is lowering's choice.
struct Gather {
    std::vector<ValueId> indices;
    std::vector<ValueId> sources;
    bool operator==(const Gather&) const = default;
};

/// Makes args manifest: nothing fuses across.
struct Force {
    std::vector<ValueId> args;
    bool again = false;  ///< what is made of the results is computed although it may have been made of args
    bool operator==(const Force&) const = default;
};

struct Body;

/// Results of one of two bodies (no params), chosen by a rank-0 boolean.
struct Cond {
    ValueId condition;
    std::vector<Body> bodies;  ///< {then, otherwise}
    bool operator==(const Cond&) const;
};

/// An axis of a loop's state.
struct StateAxis {
    std::size_t state, axis;
    bool operator==(const StateAxis&) const = default;
};

/// Sequential loop over array states. while: bodies {condition: states -> boolean, body: states -> states}.
/// for: `count` is a rank-0 i64, bodies {body: (i64 index, states) -> states}. Results: final states.
/// Of the `changing` axes the extent may be another after each iteration. Where there are any, their extents, rank-0 i64,
/// are further parameters of the bodies before the states, and further results of the loop before the final states.
struct Loop {
    std::optional<ValueId> count;
    std::vector<ValueId> inits;
    std::vector<Body> bodies;
    std::vector<StateAxis> changing = {};  ///< by state, then axis
    bool operator==(const Loop&) const;
    /// Parameters of the body before the extents that change.
    std::size_t indices() const { return count ? 1 : 0; }
};

/// results[k][i..] are the body's results for params args[k][i..]: one slice of each argument along the outermost axis.
/// Passes after lifting (enable/lift/lift.hpp) never see it.
struct Vmap {
    std::vector<ValueId> args;
    std::vector<Body> bodies;  ///< one
    bool operator==(const Vmap&) const;
};

/// Slices of args along the outermost axis, combined with an associative operator of whole slices. The body has k left and k
/// right operands, slices all, and k results. A fold's results are init op slice 0 op slice 1 .., those of a scan are all of
/// them: the first i + 1 slices at i, the first i if it is `exclusive`; from the other end, slice i op .. op init, if
/// `reverse`. One init an argument. Passes after lifting (enable/lift/lift.hpp) never see it.
struct Rows {
    enum class Kind : std::uint8_t { fold, inclusive, exclusive } kind = Kind::fold;
    bool reverse = false;
    std::vector<ValueId> inits;
    std::vector<ValueId> args;
    std::vector<Body> bodies;  ///< one
    bool operator==(const Rows&) const;
};

/// The body's results for args, and its derivatives by the floating-point arguments number `by` (increasing). Forward: the
/// tangents of its floating-point results, given one seed for each of `by`, the argument's tangent. Reverse: one adjoint for
/// each of `by`, given one seed for each floating-point result, its cotangent. Only differentiation (lib/ad) sees it.
struct Derivative {
    enum class Mode : std::uint8_t { forward, reverse } mode = Mode::forward;
    std::vector<ValueId> args;
    std::vector<std::size_t> by;
    std::vector<ValueId> seeds;
    std::vector<Body> bodies;  ///< one
    bool operator==(const Derivative&) const;
};

/// The first body's results for args, differentiated in a way of its own. Only differentiation (lib/ad) sees it.
struct Custom {
    /// jvp, vjp: by the second body, the rule, instead of the first. Its parameters are args and their tangents, of any type
    /// (jvp), or args, the results and cotangents of these (vjp); its results are tangents of floating-point results, or
    /// adjoints of floating-point args, and linear in the tangents or cotangents.
    /// checkpoint: the reverse sweep keeps nothing of what the body computes, but computes it again.
    enum class Kind : std::uint8_t { jvp, vjp, checkpoint } kind = Kind::jvp;
    std::vector<ValueId> args;
    std::vector<Body> bodies;  ///< {function, rule}, {function}
    bool operator==(const Custom&) const;
};

using ArrayOp = std::variant<Map, Fold, View, Gather, Force, Cond, Loop, Scan, Compact, Scatter, Sort, Foreign, Vmap, Rows,
                             Derivative, Custom>;

struct Binding {
    ArrayOp op;
    std::vector<Type> types;  ///< one a result
    SiteId site;              ///< not part of the program's identity
    bool operator==(const Binding& other) const { return op == other.op && types == other.types; }
};

/// Two sizes that must be equal for a body to run, and not huge (size_arithmetic.hpp).
struct Guard {
    SizeId left, right;
    SiteId site;
    std::string message;  ///< what the user did, e.g. "map: arguments 0 and 1, axis 0"
    bool operator==(const Guard& other) const { return left == other.left && right == other.right; }
};

/// Guards are checked as soon as the values they mention are there, before anything that relies on them is executed. These
/// may be variables of the body or of enclosing ones.
struct Body {
    std::vector<Type> params;
    std::vector<Binding> bindings;
    std::vector<ValueId> results;
    std::vector<Guard> guards = {};
    bool operator==(const Body&) const = default;
};

inline bool Cond::operator==(const Cond&) const = default;
inline bool Loop::operator==(const Loop&) const = default;
inline bool Vmap::operator==(const Vmap&) const = default;
inline bool Rows::operator==(const Rows&) const = default;
inline bool Derivative::operator==(const Derivative&) const = default;
inline bool Custom::operator==(const Custom&) const = default;

/// `body.params` are the program's inputs; their extents are Size::input_extent of the table (or sizes unified with them).
struct Program {
    SizeTable sizes;
    Body body;
    std::vector<Site> sites;  ///< not part of the program's identity
    std::size_t size_arguments = 0;
};

/// Every variable an operation uses directly, in order (captures included; bodies of cond and loop not entered).
std::vector<ValueId> operands(const ArrayOp& op);
/// Rewrites each of them in place.
void for_each_operand(ArrayOp& op, const std::function<void(ValueId&)>& visit);
/// The bodies of cond, loop, vmap, rows and derivatives; none of others.
const std::vector<Body>* bodies_of(const ArrayOp& op);
std::vector<Body>* bodies_of(ArrayOp& op);
/// Whether there is a jvp or vjp in it, however deep.
bool contains_derivative(const Body& body);
/// Whether an operation with a rule for its derivative is in the body.
bool contains_custom(const Body& body);
/// The scalar function of a map, fold, scan or scatter, and what it captures; null for others.
struct FunctionPart {
    Fn* fn = nullptr;
    Captures* captures = nullptr;
    explicit operator bool() const { return fn != nullptr; }
};
FunctionPart function_of(ArrayOp& op);
const Fn* function_of(const ArrayOp& op);
bool has_changing_extent(const Loop& loop, std::size_t state);
/// Removes changing axes of states that are not `kept`, and numbers those of the others again.
void keep_changing(Loop& loop, const std::vector<bool>& kept);
/// Whether extents of its results are values of its own first results (compact, foreign, loops whose states change theirs).
bool binds_sizes(const ArrayOp& op);
/// Calls visit(SizeId&) on sizes an operation mentions beside its types: starts of slices.
template <class Op, class Visit>
void for_each_size(Op& op, Visit visit);
/// "map", "generate", "fold", "transpose", ...: the name used in texts.
std::string name_of(const ArrayOp& op);
/// Site `id`, or an unknown place.
Site site_of(std::span<const Site> sites, SiteId id);
/// What the user called: the name used in messages.
std::string name_of(const Binding& binding, std::span<const Site> sites);
/// "map: arguments 0 and 1, axis 0: extents 3 and 4 differ": a guard whose sides have these values does not hold. Equal ones
/// are huge (size_arithmetic.hpp).
std::string describe_failure(const SizeTable& sizes, const Guard& guard, std::int64_t left, std::int64_t right);
/// The types of all variables in scope after `body`'s last binding, indexed by level. `outer` are those of enclosing bodies.
std::vector<Type> types_of(const Body& body, std::vector<Type> outer = {});

template <class Op, class Visit>
void for_each_size(Op& op, Visit visit) {
    if (auto* view = std::get_if<View>(&op))
        if (auto* slice = std::get_if<Slice>(&view->function))
            for (auto& start : slice->start) visit(start);
}

}  // namespace sinter::ir
