// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which integers of slices grow evenly from slice to slice: the ends of windows, for example.
#pragma once

#include "ir/program.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sinter::enable {

/// In slice number k: constant + stride k + the sum of scalars, which have rank 0, each with its factor.
struct Linear {
    std::int64_t constant = 0, stride = 0;
    std::vector<std::pair<ir::ValueId, std::int64_t>> scalars = {};

    bool is_constant() const { return stride == 0 && scalars.empty(); }
};

/// What the variable is, as the operations in `written`, the last of which defines the variables before `level`, compute
/// it; nothing for what they compute in another way, or where numbers may become too large. It has type i64, and rank 1 with
/// one element per slice, or rank 0 if it is the same in all of them.
std::optional<Linear> linear_in_slice(const std::vector<ir::Binding>& written, std::size_t level, ir::ValueId id);

}  // namespace sinter::enable
