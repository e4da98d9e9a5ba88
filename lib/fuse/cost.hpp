// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a partition costs to execute: by default bytes written and read, and a constant a cluster.
#pragma once

#include "fuse/cluster_set.hpp"
#include "fuse/tuning.hpp"

#include <cstdint>
#include <vector>

namespace sinter::fuse {

/// What a call is charged by: values for the sizes of its program, and the price of a launch where it runs.
class Extents {
  public:
    /// `values[k]` is the value of size k; `launch`: what starting one more cluster costs, in bytes that could have been
    /// moved meanwhile.
    explicit Extents(std::vector<std::int64_t> values, double launch = tuning::launch_bytes)
        : values_(std::move(values)), launch_(launch) {}
    /// For a program whose extents are not known: every symbol is 10,000.
    static Extents nominal(const ir::SizeTable& sizes, double launch = tuning::launch_bytes);
    double launch() const { return launch_; }
    double elements(const ir::Shape& shape) const;
    double bytes(const ir::Type& type) const;

  private:
    std::vector<std::int64_t> values_;
    double launch_;
};

/// What a partition is charged for. All but the first count in units: the five of van Balen 2024, section 4.1.
enum class CostFunction : std::uint8_t {
    bytes,         ///< moved, and the price of a launch a cluster
    clusters,      ///< (a)
    edges,         ///< (b): fusible ones that are not fused
    arrays,        ///< (c): written to memory
    reads,         ///< (d): of an array by a cluster in an order
    reads_writes,  ///< (e): of (c) and (d) the sum
};

/// What each thing costs under a cost function and the extents of a call. Reading scalars is free.
class Prices {
  public:
    Prices(CostFunction function, Extents extents) : function_(function), extents_(std::move(extents)) {}
    static Prices bytes(Extents extents) { return {CostFunction::bytes, std::move(extents)}; }

    double launch() const;
    double edge() const { return function_ == CostFunction::edges ? 1 : 0; }
    double written(const ir::Type& type) const;
    double read(const DepGraph& graph, const Access& access) const;

  private:
    CostFunction function_;
    Extents extents_;
};

/// Bytes that one cluster moves to and from memory.
struct Traffic {
    double read = 0;     ///< each array once for each course it is read in
    double written = 0;  ///< manifest results

    double all() const { return read + written; }
    Traffic& operator+=(const Traffic& other) {
        read += other.read, written += other.written;
        return *this;
    }
};

/// By cluster. Loops and conditionals count nothing: what their bodies move is their own partitions' matter.
std::vector<Traffic> traffic(const DepGraph& graph, const Clusters& clusters, const Extents& extents);

double cost(const DepGraph& graph, const Clusters& clusters, const Prices& prices);

/// Of each cluster alone, without its launch.
std::vector<double> costs(const DepGraph& graph, const Clusters& clusters, const Prices& prices);

/// Of one cluster, which is legal, without its launch and without edges.
double cost(const DepGraph& graph, Legality& legality, const Operations& cluster, const Prices& prices);

/// For explain(): the bytes that each cluster of `partition` moves.
std::vector<Traffic> traffic(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer,
                             const Partition& partition, const Extents& extents);

}  // namespace sinter::fuse
