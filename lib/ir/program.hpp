// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The program: array operations in A-normal form with de Bruijn levels. What sharing recovery makes, optimisation maps
/// to itself, fusion partitions and the interpreter executes.
///
/// Variables are numbered like locals of functions (function.hpp): program inputs first, then each binding's results;
/// nested bodies (cond, loop) continue at their own position and see all outer variables. Products have vanished: an
/// operation on arrays of k-tuples has k arguments and its results are as many arrays as its function has results.
///
/// Invariants, checked by ir/verify.hpp: see there.
#pragma once

#include <sinter/error.hpp>

#include "ir/function.hpp"
#include "ir/type.hpp"

#include <functional>
#include <optional>
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
/// op.params: k accumulators, k elements, scalars; k results. inits are rank-0 variables.
struct Fold {
    Fn op;
    std::vector<ValueId> inits;
    std::vector<ValueId> args;
    Captures captures;
    std::vector<std::size_t> axes;
    bool commutative = false;  ///< op may also take its operands in any order
    bool operator==(const Fold&) const = default;
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
using IndexFunction = std::variant<Transpose, Slice, Broadcast, Reshape>;

struct View {
    ValueId arg;
    IndexFunction function;
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
    bool operator==(const Force&) const = default;
};

struct Body;

/// Results of one of two bodies (no params), chosen by a rank-0 boolean.
struct Cond {
    ValueId condition;
    std::vector<Body> bodies;  ///< {then, otherwise}
    bool operator==(const Cond&) const;
};

/// Sequential loop over array states. while: bodies {condition: states -> boolean, body: states -> states}.
/// for: `count` is a rank-0 i64, bodies {body: (i64 index, states) -> states}. Results: final states.
struct Loop {
    std::optional<ValueId> count;
    std::vector<ValueId> inits;
    std::vector<Body> bodies;
    bool operator==(const Loop&) const;
};

using ArrayOp = std::variant<Map, Fold, View, Gather, Force, Cond, Loop>;

struct Binding {
    ArrayOp op;
    std::vector<Type> types;  ///< one a result
    SiteId site;              ///< not part of the program's identity
    bool operator==(const Binding& other) const { return op == other.op && types == other.types; }
};

struct Body {
    std::vector<Type> params;
    std::vector<Binding> bindings;
    std::vector<ValueId> results;
    bool operator==(const Body&) const = default;
};

inline bool Cond::operator==(const Cond&) const = default;
inline bool Loop::operator==(const Loop&) const = default;

/// Two sizes that must be equal for the program to run; checked before anything that relies on it is executed. Values they
/// mention are variables of the outermost body.
struct Guard {
    SizeId left, right;
    SiteId site;
    std::string message;  ///< what the user did, e.g. "map: arguments 0 and 1, axis 0"
    bool operator==(const Guard& other) const { return left == other.left && right == other.right; }
};

/// `body.params` are the program's inputs; their extents are Size::input_extent of the table (or sizes unified with them).
struct Program {
    SizeTable sizes;
    Body body;
    std::vector<Guard> guards;
    std::vector<location> sites;  ///< not part of the program's identity
    std::size_t size_arguments = 0;
};

/// Every variable an operation uses directly, in order (captures included; bodies of cond and loop not entered).
std::vector<ValueId> operands(const ArrayOp& op);
/// Rewrites each of them in place.
void for_each_operand(ArrayOp& op, const std::function<void(ValueId&)>& visit);
/// "map", "generate", "fold", "transpose", ...: the name used in texts and messages.
std::string name_of(const ArrayOp& op);
/// The types of all variables in scope after `body`'s last binding, indexed by level. `outer` are those of enclosing bodies.
std::vector<Type> types_of(const Body& body, std::vector<Type> outer = {});

}  // namespace sinter::ir
