// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Variables whose values a program states.
#pragma once

#include "ir/program.hpp"

#include <cstdint>
#include <optional>

namespace sinter::ir {

/// The pattern of a variable of rank 0 that a binding of `body` itself makes as a constant. `base`: the level of the body's
/// first parameter. Linear in the bindings.
std::optional<std::uint64_t> constant_of(const Body& body, ValueId id, std::size_t base = 0);

}  // namespace sinter::ir
