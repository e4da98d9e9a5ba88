// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Scalar functions: the result of tracing a user's function that was given to a combinator. They are closed, in A-normal
/// form, with de Bruijn levels.
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
    std::vector<Scalar> types;  ///< one per result; most have one, store and for_each have none
    std::uint64_t bits = 0;     ///< constant: its bit pattern (zero-extended); for others see ops.def
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

/// An array that a function may read at computed indices. `once`: all calls that an operation makes together read each of
/// its elements at most once, or not much more often; no result depends on that.
struct ArrayParam {
    Scalar scalar;
    std::size_t rank;
    bool once = false;
    bool operator==(const ArrayParam&) const = default;
};

/// A closed function. `body.params` are all its scalar parameters (indices, elements, captured scalars, in that order; the
/// operation that owns the function says how many there are of each). `arrays` are the arrays that it reads, by slot.
struct Fn {
    std::vector<ArrayParam> arrays;
    Block body;
    bool operator==(const Fn&) const = default;
    std::size_t result_count() const { return body.results.size(); }
};

/// The array and axis of an `extent` instruction.
struct ExtentOf {
    std::size_t slot, axis;
};
constexpr std::uint64_t extent_axes = 64;  ///< no array has as many
inline ExtentOf extent_of(const Inst& extent) {
    return {static_cast<std::size_t>(extent.bits / extent_axes), static_cast<std::size_t>(extent.bits % extent_axes)};
}
constexpr std::uint64_t extent_bits(ExtentOf of) { return of.slot * extent_axes + of.axis; }

/// The number of instructions in the block and in those nested in it.
SINTER_SHARED std::size_t count_instructions(const Block& block);

/// The scalar type of every local of `fn` that is a result.
std::vector<Scalar> result_types(const Fn& fn);

/// Renumbers `fn` in post-order from its results and drops what these do not need (including instructions that may fail: an
/// unused read is not executed). Two functions that differ only in the order in which operands were built become equal.
Fn canonical(const Fn& fn);

/// The bits of a sum, difference or product whose rounding may be omitted (Options::contract); and of a product whose
/// factors may be rounded to TF32 besides (Options::tf32).
constexpr std::uint64_t contract_bits = 1, tf32_bits = 2;
/// True for an instruction that may have contract_bits.
SINTER_SHARED bool is_contractible(const Inst& inst);
/// True for one that may have tf32_bits: a product of floats.
SINTER_SHARED bool may_be_tf32(const Inst& inst);

/// The operation of a function that applies one binary operator to its two parameters, e.g. {a b -> add a b}; nothing for
/// any other function.
std::optional<Op> as_single_op(const Fn& fn);

}  // namespace sinter::ir
