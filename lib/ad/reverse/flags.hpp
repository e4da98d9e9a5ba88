// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A flag for each of several values.
#pragma once

#include <algorithm>
#include <vector>

namespace sinter::ad {

using Flags = std::vector<bool>;

inline bool any(const Flags& flags) { return std::find(flags.begin(), flags.end(), true) != flags.end(); }

}  // namespace sinter::ad
