// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Decides which operations are transparent: clusters read through them instead of reading their results.
#pragma once

#include "ir/program.hpp"

#include <vector>

namespace sinter::fuse {

/// For each binding of `body`, whose first parameter has level `base`: true for views, for generates of at most 4 cheap
/// instructions, and for rank-0 maps of at most 16. For the latter, the instructions of the transparent scalars they read
/// are included, and a call of a mathematical function counts as 8. Constants are free; instructions that may fail, control
/// and reads never qualify.
std::vector<bool> transparent_operations(const ir::Body& body, std::size_t base);

/// True if the function of `map` is so fast that repeating it costs less than reading a result from memory: at most 8 cheap
/// instructions, none of which divides, reads an array or may fail.
bool is_cheap_to_repeat(const ir::Map& map);

/// The number of instructions of the map's function, counted as above.
int instructions_of(const ir::Map& map);

/// The arithmetic of its function for one element, in bytes that could be moved meanwhile.
double arithmetic_of(const ir::Map& map);

/// True if repeating an operation for each of the elements that one reader looks at costs less than storing it: if it takes
/// no more loads than its own, a store, and one load per look, and at most 32 instructions.
bool is_cheap_to_repeat(double looks, double loads, double instructions);

/// The same where what is stored would have to go to memory and back, which takes as long as dozens of loads from the
/// caches.
bool is_cheap_beside_memory(double looks, double loads, double instructions);

}  // namespace sinter::fuse
