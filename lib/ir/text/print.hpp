// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The text form of programs and functions; ir/text/parse.hpp reads it back exactly. It is canonical: equal programs have
/// equal texts, whatever order their sizes were made in. So it is also the key of caches. Linear time.
///
///   program   ["arguments" count] {"size" sK "=" size} {"guard" size "=" size "message"} inputs bindings "return" values
///   inputs    %0 : f32[n0, n0.1] = input            a body's parameters: "= param"
///   binding   %1 : f32[n0], %2 : i64[n0] = operation
///   operation map (args; scalars; arrays) fn        also map_indexed, and generate (indexed, no args)
///             fold [commutative] [axes] (args; scalars; arrays) from (inits) fn
///             transpose [axes] %0 | slice [start:step, ..] %0 | broadcast [axes] %0 | reshape %0
///             gather (indices) (sources) | force (args)
///             cond %0 body body | while (inits) body body | for %0 (inits) body
///   body      { params bindings "return" values }
///   size      n0, n0.1 (axis 0 and 1 of input 0), a0 (argument 0), %3 (value), 12, s0 (declared),
///             (n0 + 1), (n0 - n1), (n0 * 2), ceil_div(n0, 2), min(n0, n1), max(n0, n1)
///   fn        {@0: f32^2, x0: i64, x1: f32 -> x2: f32 = read @0 x0 x0; x3 = add x1 x2; x3}
///             parameters (arrays it reads: scalar^rank, then `once` if it does so), instructions, results. Control
///             instructions end in blocks: x4: f32 = cond x3 {-> x1} {-> x2}
///   A type is stated where the operation's table (ops.def) does not give it. Whitespace is free, levels are not.
/// Sites are not part of the text.
#pragma once

#include "ir/program.hpp"

#include <string>

namespace sinter::ir {

std::string print(const Program& program);
std::string print(const Fn& fn);
/// A block whose first parameter has level `level`; works for blocks of kernels, too.
std::string print(const Block& block, std::size_t level = 0);
std::string print(const SizeTable& sizes, const Type& type);
std::string print(const SizeTable& sizes, SizeId size);

}  // namespace sinter::ir
