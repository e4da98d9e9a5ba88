// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sharing recovery (McDonell 2013, section 3): from the graph that combinators build to a program in A-normal form.
///
///     graph -> prune -> size -> live -> float -> bind -> ir::Program
///
/// Equal graphs (same structure, built in any order, from any buffers) give equal programs; inputs are numbered in the order
/// in which a depth-first traversal from the roots first uses them.
#pragma once

#include "front/graph.hpp"
#include "ir/program.hpp"

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace sinter::convert {

/// What an input of the program is bound to.
struct ArrayArgument {
    BufferRef buffer;
    std::vector<std::int64_t> extents;
    bool operator==(const ArrayArgument&) const = default;
};
struct LiteralArgument {
    detail::Scalar scalar;
    std::uint64_t bits;
    bool operator==(const LiteralArgument&) const = default;
};
/// A parameter of a compiled function: Parameter::position, plus the result's number.
struct ParameterArgument {
    std::size_t position;
    bool operator==(const ParameterArgument&) const = default;
};
using Argument = std::variant<ArrayArgument, LiteralArgument, ParameterArgument>;

struct Result {
    ir::Program program;
    std::vector<Argument> arguments;           ///< one per program input
    std::vector<std::int64_t> size_arguments;  ///< the literals that the user wrote as sizes
    std::vector<ForeignRef> functions;         ///< the foreign functions, each once
};

struct Options {
    bool lift_literals = true;  ///< see lift.hpp; off in compile()
};

/// `parameters` are the nodes of the scope's parameters (compile()); those that are not used are not inputs. Sizes are
/// unified; what remains to be checked at the call becomes guards of bodies. A requirement of a branch is checked whether or
/// not the branch is taken. Throws ShapeError where sizes are known to differ, UsageError where a parameter is used outside
/// its scope. Linear in nodes and edges; recursive only in nested scopes.
Result convert(std::span<const front::Leaf> roots, std::span<const front::NodeRef> parameters, const Options& options);

}  // namespace sinter::convert
