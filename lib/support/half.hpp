// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// IEEE binary16 as a bit pattern: conversions only (see include/sinter/detail/half_bits.hpp).
#pragma once

#include <sinter/detail/half_bits.hpp>

namespace sinter {

using detail::float_from_half;
using detail::half_from;

}  // namespace sinter
