// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Whether the vertices of a cluster have something in common.
#pragma once

#include "fuse/solve/problem/problem.hpp"

namespace sinter::fuse::solve {

class Connectivity {
  public:
    /// Keeps a reference to `problem`.
    explicit Connectivity(const Problem& problem);

    /// A vertex that terms do not connect with the first; nothing if there is none. Linear in the terms of `cluster`.
    std::optional<Vertex> stranger(std::span<const Vertex> cluster);

  private:
    const Problem& problem_;
    std::vector<std::vector<std::uint32_t>> terms_;  ///< by vertex: those that connect
    std::uint32_t question_ = 0;
    std::vector<std::uint32_t> member_, reached_;  ///< by vertex: the question it was last part of, reached in
    std::vector<std::uint32_t> passed_;            ///< by term: the question it was last used in
};

}  // namespace sinter::fuse::solve
