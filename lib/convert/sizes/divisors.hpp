// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The numbers by which functions of a program divide indices. An extent that is a multiple of one of them is likely to be
/// several extents counted as one, and as a constant it lets lowering count them apart (lower/index/axis_splits.hpp). The
/// numbers are part of the program's text anyway.
#pragma once

#include "convert/sharing/prune.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::convert {

class Divisors {
  public:
    explicit Divisors(const Pruned& pruned) : pruned_(pruned) {}

    /// Looks at the functions when it is first called.
    bool any_divides(std::int64_t extent);

  private:
    const Pruned& pruned_;
    std::optional<std::vector<std::int64_t>> found_;
};

}  // namespace sinter::convert
