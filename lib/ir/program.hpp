// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The program: array operations in A-normal form with de Bruijn levels. Sharing recovery makes it, optimisation maps it to
/// itself, fusion partitions it, and the interpreter executes it.
///
/// Variables are numbered like locals of functions (function.hpp): program inputs first, then each binding's results; nested
/// bodies (cond, loop) continue at their own position and see all outer variables. There are no products any more: an
/// operation on arrays of k-tuples has k arguments, and its results are as many arrays as its function has results.
///
/// ir/verify/verify.hpp lists the invariants and checks them.
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

/// What a function needs from outside: the scalars become its last parameters, and the arrays fill its array slots.
struct Captures {
    std::vector<ValueId> scalars;  ///< rank-0 variables
    std::vector<ValueId> arrays;   ///< variables that are read at computed indices (or of which an extent is used)
    bool operator==(const Captures&) const = default;
};

/// results[i] = fn(indices.., args[i].., scalars..). All args and results have one shape. Without args it is a *generate*;
/// with rank 0 it is a scalar computation. fn.params: rank indices if `indexed`, args, scalars.
struct Map {
    Fn fn;
    std::vector<ValueId> args;
    Captures captures;
    bool indexed = false;
    bool operator==(const Map&) const = default;
};

/// Reduces `axes` (increasing) of args with an associative operator: result = op(init, a0 op a1 op ...). init is combined
/// exactly once, from the left, and is the result if there is no element. Several axes are combined in row-major order.
/// op.params: k accumulators, k elements, scalars; it has k results. inits and captured scalars have rank 0 or the results'
/// shape.
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
/// if `exclusive`. If `reverse`, it starts from the other end: ai op ... op a(n-1) op init. Without inits it is inclusive
/// and without totals. op is as for Fold; inits and captured scalars have rank 0 or the shape without the axis. Results: k
/// prefixes of the args' shape, then, if `totals`, the k combinations of init with all elements, of the shape without the
/// axis.
///
/// If `sequential`, it is a recurrence: op is any function from k states and m elements, one for each of the args, to k
/// states. There are k inits, the states before the first element. Elements are taken one after another, from the other end
/// if `reverse`, and the prefixes are the states after each of them; it is never exclusive. op.params: k states, m elements,
/// scalars.
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
    /// k: the number of results without the totals.
    std::size_t states() const { return op.result_count(); }
};

/// True if two scans of equal shapes are of one kind: one loop can compute both.
bool are_alike(const Scan& a, const Scan& b);

/// The elements of args (rank 1) where `mask` is true, in order. Results: their number, a rank-0 i64, followed by the
/// arrays, whose extent is its value.
struct Compact {
    ValueId mask;
    std::vector<ValueId> args;
    bool operator==(const Compact&) const = default;
};

/// results[s] is dests[s], except that for all i its element (indices[0][i], indices[1][i], ..) is values[s][i], or, with an
/// operator, op(what is there, values[s][i]). There is one i64 index array per axis of the dests, with the values' shape.
/// Without an operator, indices are distinct, or it is unspecified which value wins. An operator is associative and
/// commutative, and is applied in an order fixed by the extents. `drops`: an element is dropped if its indices from that
/// axis on are all -1. op.params: k accumulators, k values, scalars (rank 0); it has k results.
struct Scatter {
    std::optional<Fn> op;
    std::vector<ValueId> dests;
    std::vector<ValueId> indices;
    std::vector<ValueId> values;
    Captures captures;
    std::optional<std::size_t> drops = {};
    bool operator==(const Scatter&) const = default;
};

/// args with each line of the innermost axis rearranged, stably, such that args[0 .. keys) ascend (or descend) in
/// lexicographic order. run/execute/sort.hpp defines the order of scalars. The results may be shorter along that axis: then
/// they are the first elements of each line.
struct Sort {
    std::vector<ValueId> args;
    std::size_t keys = 1;
    bool descending = false;
    bool operator==(const Sort&) const = default;
};

/// A C++ function of the user: number `function` of those that come with the program. Results: the extents of all arrays
/// that it returns, as rank-0 i64, followed by the arrays, whose extents are those values.
struct Foreign {
    std::string name;
    std::size_t function = 0;
    std::vector<ValueId> args;
    std::optional<std::size_t> rule;  ///< its rule: the number of a function of args, the arrays that this one returns, and
                                      ///< their cotangents;
    std::vector<std::size_t> by;      ///< it returns adjoints of the args with these numbers (increasing)
    bool operator==(const Foreign&) const = default;
};

/// Index functions: result[i] = arg[f(i)]. None of them computes or copies by itself.
struct Transpose {
    std::vector<std::size_t> axes;  ///< result axis k is arg axis axes[k]
    bool operator==(const Transpose&) const = default;
};
struct Slice {  ///< result[i..] = arg[start + i * step ..]; the extents are the result's
    std::vector<SizeId> start;
    std::vector<std::int64_t> step;  ///< not 0; -1 with start n-1 reverses the axis
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
/// One of these; as ArrayOp, compiled once.
class IndexFunction : public std::variant<Transpose, Slice, Broadcast, Reshape, Shift> {
  public:
    IndexFunction(Transpose function);
    IndexFunction(Slice function);
    IndexFunction(Broadcast function);
    IndexFunction(Reshape function);
    IndexFunction(Shift function);
    IndexFunction();
    IndexFunction(const IndexFunction& other);
    IndexFunction(IndexFunction&& other) noexcept;
    IndexFunction& operator=(const IndexFunction& other);
    IndexFunction& operator=(IndexFunction&& other) noexcept;
    ~IndexFunction();
    bool operator==(const IndexFunction& other) const;
};

struct View {
    ValueId arg;
    IndexFunction function;
    std::optional<ValueId> fill = {};  ///< a rank-0 variable: the value of a slice with steps 1 where it leaves the argument
    bool operator==(const View&) const = default;
};

/// results[s][i] = sources[s][indices[0][i], indices[1][i], ..]. There is one i64 index array per axis of the sources; all
/// have the results' shape. Lowering chooses whether indices are checked.
struct Gather {
    std::vector<ValueId> indices;
    std::vector<ValueId> sources;
    bool operator==(const Gather&) const = default;
};

/// Makes args manifest: nothing is fused across.
struct Force {
    std::vector<ValueId> args;
    bool again = false;  ///< what is made from the results is computed even if it has already been made from args
    bool operator==(const Force&) const = default;
};

struct Body;

/// The results of one of two bodies (without params), chosen by a rank-0 boolean.
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

/// A sequential loop over array states. while: bodies {condition: states -> boolean, body: states -> states}. for: `count`
/// is a rank-0 i64, bodies {body: (i64 index, states) -> states}. Results: the final states. The extents of the `changing`
/// axes may be different after each iteration. If there are any, their extents, as rank-0 i64, are additional parameters of
/// the bodies before the states, and additional results of the loop before the final states.
struct Loop {
    std::optional<ValueId> count;
    std::vector<ValueId> inits;
    std::vector<Body> bodies;
    std::vector<StateAxis> changing = {};  ///< by state, then axis
    bool segment = false;                  ///< made by ad/loops/strip_mine.hpp, and not to be divided again
    std::vector<std::size_t> sums = {};    ///< states that iterations add to, in any order; only within ad/derivatives.hpp
    bool operator==(const Loop&) const;
    /// The number of the body's parameters before the extents that change.
    std::size_t indices() const { return count ? 1 : 0; }
};

/// results[k][i..] are the body's results for params args[k][i..]: one slice of each argument along the outermost axis,
/// unless it is joined (joined.hpp). Passes after lifting (enable/lift/lift.hpp) never see this operation.
struct Vmap {
    std::vector<ValueId> args;
    std::vector<Body> bodies;  ///< exactly one
    bool operator==(const Vmap&) const;
};

/// Slices of args along the outermost axis, combined with an associative operator on whole slices. The body has k left and k
/// right operands, all of them slices, and k results. The results of a fold are init op slice 0 op slice 1 .., those of a
/// scan are all prefixes: of the first i + 1 slices at i, or of the first i if it is `exclusive`. If `reverse`, it starts
/// from the other end: slice i op .. op init. There is one init per argument. Passes after lifting (enable/lift/lift.hpp)
/// never see this operation.
struct Rows {
    enum class Kind : std::uint8_t { fold, inclusive, exclusive } kind = Kind::fold;
    bool reverse = false;
    std::vector<ValueId> inits;
    std::vector<ValueId> args;
    std::vector<Body> bodies;  ///< exactly one
    bool operator==(const Rows&) const;
};

/// The body's results for args, and its derivatives with respect to the floating-point arguments with the numbers `by`
/// (increasing). Forward: the tangents of its floating-point results, given one seed for each of `by`, the argument's
/// tangent. Reverse: one adjoint for each of `by`, given one seed for each floating-point result, its cotangent. Only
/// differentiation (lib/ad) sees this operation.
struct Derivative {
    enum class Mode : std::uint8_t { forward, reverse } mode = Mode::forward;
    std::vector<ValueId> args;
    std::vector<std::size_t> by;
    std::vector<ValueId> seeds;
    std::vector<Body> bodies;  ///< exactly one
    bool operator==(const Derivative&) const;
};

/// The first body's results for args, with a derivative of their own. Only differentiation (lib/ad) sees this operation.
struct Custom {
    /// jvp, vjp: differentiated by the second body, the rule, instead of the first. Its parameters are args and their
    /// tangents, of any type (jvp), or args, the results and the cotangents of these (vjp). Its results are the tangents of
    /// floating-point results, or the adjoints of floating-point args; they are linear in the tangents or cotangents.
    /// checkpoint: the reverse sweep keeps nothing of what the body computes, but computes it again.
    enum class Kind : std::uint8_t { jvp, vjp, checkpoint } kind = Kind::jvp;
    std::vector<ValueId> args;
    std::vector<Body> bodies;  ///< {function, rule}, {function}
    bool operator==(const Custom&) const;
};

/// One of the operations. Construction, copies, moves, destruction and comparison of all of them are compiled once, in
/// array_op.cpp: most files include this one, and would spend up to a fifth of their compilation on instantiating these.
class ArrayOp : public std::variant<Map, Fold, View, Gather, Force, Cond, Loop, Scan, Compact, Scatter, Sort, Foreign, Vmap,
                                    Rows, Derivative, Custom> {
  public:
    ArrayOp(Map op);
    ArrayOp(Fold op);
    ArrayOp(View op);
    ArrayOp(Gather op);
    ArrayOp(Force op);
    ArrayOp(Cond op);
    ArrayOp(Loop op);
    ArrayOp(Scan op);
    ArrayOp(Compact op);
    ArrayOp(Scatter op);
    ArrayOp(Sort op);
    ArrayOp(Foreign op);
    ArrayOp(Vmap op);
    ArrayOp(Rows op);
    ArrayOp(Derivative op);
    ArrayOp(Custom op);
    ArrayOp();
    ArrayOp(const ArrayOp& other);
    ArrayOp(ArrayOp&& other) noexcept;
    ArrayOp& operator=(const ArrayOp& other);
    ArrayOp& operator=(ArrayOp&& other) noexcept;
    ~ArrayOp();
    bool operator==(const ArrayOp& other) const;
};

struct Binding {
    ArrayOp op;
    std::vector<Type> types;  ///< one per result
    SiteId site;              ///< not part of the program's identity
    bool operator==(const Binding& other) const;
};

/// Two sizes that must be equal, and not huge (size_arithmetic.hpp), for a body to run.
struct Guard {
    SizeId left, right;
    SiteId site;
    std::string message;  ///< what the user did, e.g. "map: arguments 0 and 1, axis 0"
    bool operator==(const Guard& other) const { return left == other.left && right == other.right; }
};

/// Guards are checked as soon as the values that they mention are there, before anything that relies on them is executed.
/// The values may be variables of the body or of enclosing ones.
struct Body {
    std::vector<Type> params;
    std::vector<Binding> bindings;
    std::vector<ValueId> results;
    std::vector<Guard> guards = {};
    bool operator==(const Body&) const;
};

/// `body.params` are the program's inputs; their extents are Size::input_extent of the table (or sizes that were unified
/// with these).
struct Program {
    SizeTable sizes;
    Body body;
    std::vector<Site> sites;  ///< not part of the program's identity
    std::size_t size_arguments = 0;
};

/// Every variable that an operation uses directly, in order, including captures but not the bodies of cond and loop.
std::vector<ValueId> operands(const ArrayOp& op);
/// Rewrites each operand in place.
void for_each_operand(ArrayOp& op, const std::function<void(ValueId&)>& visit);
/// The bodies of cond, loop, vmap, rows and derivatives; null for other operations.
const std::vector<Body>* bodies_of(const ArrayOp& op);
std::vector<Body>* bodies_of(ArrayOp& op);
/// True if the body contains a jvp or vjp, at any depth.
bool contains_derivative(const Body& body);
/// True if the body contains an operation with a rule for its derivative.
bool contains_custom(const Body& body);
/// The scalar function of a map, fold, scan or scatter, and what it captures; null for other operations.
struct FunctionPart {
    Fn* fn = nullptr;
    Captures* captures = nullptr;
    explicit operator bool() const { return fn != nullptr; }
};
FunctionPart function_of(ArrayOp& op);
const Fn* function_of(const ArrayOp& op);
bool has_changing_extent(const Loop& loop, std::size_t state);
/// Removes the changing axes of states that are not `kept`, and renumbers those of the others.
void keep_changing(Loop& loop, const std::vector<bool>& kept);
/// True if extents of the operation's results are values of its own first results (compact, foreign, vmap if it is joined,
/// and loops with states whose extents change).
bool binds_sizes(const ArrayOp& op);
/// Calls visit(SizeId&) on the sizes that an operation mentions beside its types: starts of slices.
template <class Op, class Visit>
void for_each_size(Op& op, Visit visit);
/// The name used in texts: "map", "generate", "fold", "transpose", ...
std::string name_of(const ArrayOp& op);
/// Site `id`, or an unknown place.
Site site_of(std::span<const Site> sites, SiteId id);
/// The name used in messages: what the user called.
std::string name_of(const Binding& binding, std::span<const Site> sites);
/// The text for a guard that does not hold because its sides have these values: "map: arguments 0 and 1, axis 0: extents 3
/// and 4 differ". If the values are equal, they are huge (size_arithmetic.hpp).
std::string describe_failure(const SizeTable& sizes, const Guard& guard, std::int64_t left, std::int64_t right);
/// The types of all variables in scope after `body`'s last binding, indexed by level. `outer` are the types of the variables
/// around it.
std::vector<Type> types_of(const Body& body, std::vector<Type> outer = {});

template <class Op, class Visit>
void for_each_size(Op& op, Visit visit) {
    if (auto* view = std::get_if<View>(&op))
        if (auto* slice = std::get_if<Slice>(&view->function))
            for (auto& start : slice->start) visit(start);
}

}  // namespace sinter::ir
