// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the functions of GradBench (https://github.com/gradbench/gradbench) have in common. Each is written from the suite's
/// definition, in double precision, as one would write it in Sinter; its derivatives are taken by the suite's modes.
#pragma once

#include <sinter/sinter.hpp>

#include <cstdint>

namespace gradbench {

using namespace sinter;

using Long = std::int64_t;
using Real = Exp<double>;
using Index = Exp<Long>;
using Vector = Delayed<double>;
using Matrix = Delayed<double, 2>;
using Scalar = Delayed<double, 0>;

/// log sum exp(x), without overflow.
inline Scalar log_sum_exp(Vector x) {
    const Scalar largest = max(x);
    return largest + log(sum(exp(x - largest)));
}

}  // namespace gradbench
