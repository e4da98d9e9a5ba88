// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks if the vertices of a cluster have something in common.
#pragma once

#include "fuse/solve/problem/problem.hpp"

namespace sinter::fuse::solve {

class Connectivity {
  public:
    /// Keeps a reference to `problem`.
    explicit Connectivity(const Problem& problem);

    /// A vertex that terms do not connect with the first one, if there is one. Linear in the terms of `cluster`.
    std::optional<Vertex> stranger(std::span<const Vertex> cluster);

  private:
    const Problem& problem_;
    std::vector<std::vector<std::uint32_t>> terms_;  ///< by vertex: its terms that connect
    std::uint32_t question_ = 0;
    std::vector<std::uint32_t> member_, reached_;  ///< by vertex: the last question that it was part of; the last in which
                                                   ///< it was reached
    std::vector<std::uint32_t> passed_;            ///< by term: the last question in which it was used
};

}  // namespace sinter::fuse::solve
