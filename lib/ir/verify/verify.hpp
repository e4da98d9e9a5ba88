// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The invariants of functions and programs. verify() throws an InternalError that names the binding and the invariant if
/// one is violated. Linear.
///
/// Functions
///   F1  An operand is a local in scope: defined before, in the same block or in one around it. So are a block's results.
///   F2  Operand types fit the operation's table and result types are those it gives; one result, but for control.
///   F3  A constant is zero-extended from its type's width, a boolean 0 or 1; bits is 0 where ops.def gives it no meaning.
///   F4  Only control operations have blocks, of these forms. cond: boolean condition; two blocks without parameters whose
///       results have the instruction's types. while_loop: k >= 1 states; {k -> boolean, k -> k}. for_loop: i64 count, k >=
///       1 states; {i64 and k -> k}. States, results and parameters of a loop have the same types.
///   F5  read: its slot exists, one i64 operand per axis of the slot, the slot's type. extent: slot and axis exist.
///   F6  No operation of kernels (memory, size, check_divisor, print, reduce, for_each).
/// Programs
///   P1  An operand is a variable in scope. So are a body's results.
///   P2  A size used by a type, slice or guard is in the table; its input extents name axes of inputs, its arguments are
///       below size_arguments, its values rank-0 i64 variables in scope before the binding; in guards, at the end of
///       the body.
///   P3  map: captured scalars have rank 0; captured arrays match the slots of fn, parameters of fn are rank indices if
///       indexed, the arguments' types, the captured scalars' types. Arguments and results have one shape; the results'
///       scalars are those of fn; at least one result.
///   P4  fold: axes increase, at least one, below the rank of the arguments, which have one shape; as many inits (rank 0,
///       or of the results' shape, as captured scalars), arguments and results, at least one; op takes k accumulators, k
///       elements, captured scalars and gives k; the scalars of inits, arguments, results and op agree; the results' shape
///       is the arguments' without axes.
///   P5  view: the scalar stays. transpose: a permutation, of the shape too. slice: one start and one step, not 0, per
///       axis; the rank stays; filled, with a rank-0 variable of the argument's scalar, only with steps 1. shift: one offset
///       per axis; the shape stays. broadcast: axes increase, below the result's rank, extents agree. reshape: constant
///       element counts agree.
///   P6  gather: at least one source, sources of one rank >= 1, as many i64 index arrays, of the results' shape; one
///       result per source, with its scalar.
///   P7  force: results have the arguments' types; at least one.
///   P8  cond: rank-0 boolean condition; two bodies without parameters whose results have the binding's types.
///   P9  loop: at least one state; count is a rank-0 i64; for: {i64 and states -> states}, while: {states -> rank-0 boolean,
///       states -> states}; types of states, parameters and results are equal, but for extents that change. Of these each
///       is one more parameter and result; the states' types have its value there, or a size if a guard (of the body; of
///       that around the loop) says what it equals.
///   P10 A binding's site is invalid (unknown) or one of Program::sites.
///   P11 scan: as fold, of one axis; no inits or one per argument, and without inits inclusive and without totals;
///       results of the arguments' shape, then totals of the shape without the axis. recur: one init per state, at least
///       one argument; the operator takes states, elements and scalars to states; inclusive.
///   P12 compact: a rank-1 boolean mask; arguments of its shape; results: an i64 of rank 0, then one array of rank 1 per
///       argument, whose extent is that value, or a size if a guard of the body says what it equals.
///   P13 scatter: dests of the results' types, of one shape; one i64 index array per axis of it, all of the values' shape;
///       values of the dests' scalars; an operator as fold's, whose captured scalars have rank 0, or no captures.
///   P14 sort: results have the arguments' types, of one shape, rank >= 1; 1 to all of them are keys.
///   P15 foreign: the first results are rank-0 i64, one for every extent of the others, which are their values in order, or
///       sizes if guards of the body say what they equal.
///   P16 vmap: arguments and results of one outermost extent; one body, from slices of the arguments to slices of the
///       results, or, if it is joined (joined.hpp), to arrays of rank 1 and one shape.
///   P17 rows: as many arguments as inits; an argument has an outermost extent, the same for all, before its init's shape,
///       which is that of all inits; one body, from inits and inits to inits; results are inits, or of a scan arguments.
///   P18 jvp, vjp: one argument per parameter of the one body, of its type; `by` increases and names floating-point
///       arguments. jvp: a seed of the type of each of these; results: the body's, then another of the type of each that is
///       floating-point. vjp: a seed of the type of each floating-point result; results: the body's, then one of the type
///       of each of `by`.
///   P19 custom_jvp, custom_vjp, checkpoint: one argument per parameter of the first body, of its type; results: those of
///       that body. Parameters of the second: jvp: the arguments' types twice; vjp: the arguments', and twice the results'.
///       Results of the second: jvp: one of the type of each floating-point result; vjp: of each floating-point argument.
#pragma once

#include "ir/program.hpp"

namespace sinter::ir {

void verify(const Fn& fn);
void verify(const Program& program);

}  // namespace sinter::ir
