// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The opcode enumeration made from ops.def.
#pragma once

#include <cstdint>

namespace sinter::detail {

enum class Op : std::uint8_t {
#define SINTER_OP(name, arity, domain, result, traits) name,
#include <sinter/detail/ops.def>
};

}  // namespace sinter::detail
