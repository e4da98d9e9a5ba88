// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Scalars as text. Exact: a finite float is the shortest decimal that reads back as the same bits, infinities and NaNs are
/// bit patterns (0x7f800000), integers are decimal, and booleans are true and false.
#pragma once

#include <sinter/detail/scalar.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sinter::ir {

void append_literal(std::string& out, detail::Scalar type, std::uint64_t bits);
/// Nothing if `text` is not a literal of this type or is out of its range.
std::optional<std::uint64_t> parse_literal(detail::Scalar type, std::string_view text);

}  // namespace sinter::ir
