// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Scalar functions: what a user's function given to a combinator becomes. Closed, in A-normal form, de Bruijn levels.
///
/// A *local* is a value of a function, named by its level: the number of locals in scope before it. Parameters come
/// first, then each instruction's results. A nested block continues the numbering at its own position; what follows the
/// instruction that owns the block continues after the instruction's results, so sibling blocks use the same numbers.
/// An environment is therefore a stack: entering a block pushes its parameters, leaving it truncates.
///
/// Control instructions:
///   cond        operands: condition. blocks: {then, otherwise}, no parameters. results: those of the taken block.
///   while_loop  operands: k initial states. blocks: {condition: k params -> boolean, body: k params -> k results}.
///   for_loop    operands: count (i64), k initial states. blocks: {body: (i64 index, k params) -> k results}.
///               Results of both loops: the k final states.
/// Kernels (lib/lower/kernel.hpp) use the same instructions and add memory, reduce and for_each.
#pragma once

#include "ir/op.hpp"
#include "ir/type.hpp"
#include "support/id.hpp"
#include "support/shared.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::ir {

using Local = Id<struct LocalTag>;

struct Block;

struct Inst {
    Op op = Op::constant;
    std::vector<Scalar> types;  ///< one a result; most have one, store and for_each none
    std::uint64_t bits = 0;     ///< constant: bit pattern (zero-extended). Others: see ops.def
    std::vector<Local> operands;
    std::vector<Block> blocks;

    Scalar type() const { return types[0]; }
    bool operator==(const Inst&) const;
};

struct Block {
    std::vector<Scalar> params;
    std::vector<Inst> insts;
    std::vector<Local> results;
    bool operator==(const Block&) const = default;
};

inline bool Inst::operator==(const Inst&) const = default;

/// An array a function may read at computed indices. `once`: all calls that an operation makes read each of its elements
/// once at most, or not much more often; no result depends on that.
struct ArrayParam {
    Scalar scalar;
    std::size_t rank;
    bool once = false;
    bool operator==(const ArrayParam&) const = default;
};

/// A closed function: `body.params` are all its scalar parameters (indices, elements, captured scalars, in that order:
/// the operation that owns the function says how many of each); `arrays` are the arrays it reads, by slot.
struct Fn {
    std::vector<ArrayParam> arrays;
    Block body;
    bool operator==(const Fn&) const = default;
    std::size_t result_count() const { return body.results.size(); }
};

/// Which array and axis an `extent` instruction asks for.
struct ExtentOf {
    std::size_t slot, axis;
};
constexpr std::uint64_t extent_axes = 64;  ///< no array has as many
inline ExtentOf extent_of(const Inst& extent) {
    return {static_cast<std::size_t>(extent.bits / extent_axes), static_cast<std::size_t>(extent.bits % extent_axes)};
}
constexpr std::uint64_t extent_bits(ExtentOf of) { return of.slot * extent_axes + of.axis; }

/// Instructions of the block and of those nested in it.
SINTER_SHARED std::size_t count_instructions(const Block& block);

/// The scalar type of every local of `fn` that is a result.
std::vector<Scalar> result_types(const Fn& fn);

/// Renumbers `fn` in post-order from its results and drops what they do not need (instructions that may fail included:
/// an unused read is not executed). Two functions that differ only in the order in which operands were built become equal.
Fn canonical(const Fn& fn);

/// A sum, difference or product whose rounding Options::contract may leave out: then with bits = 1.
SINTER_SHARED bool is_contractible(const Inst& inst);

/// Operations of one binary operator on both its parameters, e.g. {a b -> add a b}; nothing for anything else.
std::optional<Op> as_single_op(const Fn& fn);

}  // namespace sinter::ir
