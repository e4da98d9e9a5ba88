// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which operations are transparent: clusters read through them instead of reading their results.
#pragma once

#include "ir/program.hpp"

#include <vector>

namespace sinter::fuse {

/// By binding of `body`, whose first parameter has level `base`: true for views, for generates of at most 4 cheap
/// instructions, and for rank-0 maps of at most 16 (those of the transparent scalars they read included, a function of the
/// mathematical library counting 8). Constants are free; instructions that may fail, control and reads never qualify.
std::vector<bool> transparent_operations(const ir::Body& body, std::size_t base);

/// Whether its function is so fast that doing it again costs less than reading a result from memory: at most 8 cheap
/// instructions, none of which divides, reads an array or may fail.
bool is_cheap_to_repeat(const ir::Map& map);

/// Those of its function, as above.
int instructions_of(const ir::Map& map);

/// Whether doing something again for each of so many elements that one reader looks at costs less than storing it: if that
/// takes no more loads than its own, a store and a load for each look, and at most 32 instructions.
bool is_cheap_to_repeat(double looks, double loads, double instructions);

}  // namespace sinter::fuse
