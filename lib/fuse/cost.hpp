// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a partition costs to execute (fusion.md, section 3): bytes written and read, and a constant a cluster.
#pragma once

#include "fuse/cluster_set.hpp"

#include <cstdint>
#include <vector>

namespace sinter::fuse {

/// Values for the sizes of a program, or one array = one unit.
class Extents {
  public:
    /// `values[k]` is the value of size k.
    explicit Extents(std::vector<std::int64_t> values) : values_(std::move(values)) {}
    /// For a program whose extents are not known: every symbol is 10,000.
    static Extents nominal(const ir::SizeTable& sizes);
    /// Every array counts 1, a scalar nothing: the cost functions of seed 001.
    static Extents unit() { return Extents(); }

    bool is_unit() const { return unit_; }
    double elements(const ir::Shape& shape) const;
    double bytes(const ir::Type& type) const;

  private:
    Extents() : unit_(true) {}
    std::vector<std::int64_t> values_;
    bool unit_ = false;
};

/// Bytes that one cluster moves to and from memory.
struct Traffic {
    double read = 0;     ///< each array once for each order it is read in
    double written = 0;  ///< manifest results
};

/// What starting one more cluster costs, in bytes that could have been moved meanwhile.
inline constexpr double launch_bytes = 16384;

/// By cluster. Force, loops and conditionals count nothing: what their bodies move is their own partitions' matter.
std::vector<Traffic> traffic(const DepGraph& graph, const Clusters& clusters, const Extents& extents);
/// Bytes, plus launch_bytes a cluster (in units: a thousandth a cluster).
double cost(const DepGraph& graph, const Clusters& clusters, const Extents& extents);

/// For explain(): the bytes that each cluster of `partition` moves.
std::vector<Traffic> traffic(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer,
                             const Partition& partition, const Extents& extents);

}  // namespace sinter::fuse
