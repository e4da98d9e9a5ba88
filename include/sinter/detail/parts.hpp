// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The library's side of from_parts. Definition: lib/run/ranks/arrays/parts.cpp.
#pragma once

#include <sinter/detail/export.hpp>
#include <sinter/detail/handle.hpp>
#include <sinter/detail/scalar.hpp>
#include <sinter/error.hpp>

#include <cstddef>
#include <cstdint>

namespace sinter::detail {

/// An array of this shape, made of the rows that all ranks have: `part` is an array of this rank's, and `rows` has the
/// number of rows of each. All ranks call it.
SINTER_API LeafRef join_parts(const LeafRef& part, Scalar scalar, const std::int64_t* rows, const std::int64_t* shape,
                              std::size_t rank, location where);

}  // namespace sinter::detail
