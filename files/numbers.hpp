// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Numbers of attributes, which are read as the type that the user asks for.
#pragma once

#include "slab.hpp"

namespace sinter::files {

/// The bits of a number as those of another type. UsageError if that type does not have the value: integers are exact,
/// floats are rounded; booleans are no numbers.
std::uint64_t exact_number(const Place& place, detail::Scalar from, std::uint64_t bits, detail::Scalar to);

}  // namespace sinter::files
