// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a partition costs to execute: by default the bytes written and read, and a constant per cluster.
#pragma once

#include "fuse/cluster_set.hpp"
#include "fuse/tuning.hpp"

#include <cstdint>
#include <vector>

namespace sinter::fuse {

/// What the cost of a call depends on: values for the sizes of its program, and the price of a launch where it runs.
class Extents {
  public:
    /// `values[k]` is the value of size k; `launch` is the cost of starting one more cluster, in bytes that could have been
    /// moved in the same time.
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

/// What a partition is charged for. All but the first count in units: the five cost functions of van Balen 2024, section
/// 4.1.
enum class CostFunction : std::uint8_t {
    bytes,         ///< bytes moved, and the price of one launch per cluster
    clusters,      ///< (a)
    edges,         ///< (b): fusible edges that are not fused
    arrays,        ///< (c): arrays written to memory
    reads,         ///< (d): pairs of an array and an order in which a cluster reads it
    reads_writes,  ///< (e): the sum of (c) and (d)
};

/// The cost of each thing under a cost function and the extents of a call. Reading scalars is free.
class Prices {
  public:
    Prices(CostFunction function, Extents extents) : function_(function), extents_(std::move(extents)) {}
    static Prices bytes(Extents extents) { return {CostFunction::bytes, std::move(extents)}; }

    double launch() const;
    double edge() const { return function_ == CostFunction::edges ? 1 : 0; }
    double written(const ir::Type& type) const;
    double read(const DepGraph& graph, const Access& access) const;
    /// The arithmetic of a map, which a copy of it costs.
    double computed(const DepGraph& graph, Operation op) const;

  private:
    CostFunction function_;
    Extents extents_;
};

/// Bytes that one cluster moves to and from memory.
struct Traffic {
    double read = 0;     ///< each array once per course in which it is read
    double written = 0;  ///< manifest results

    double all() const { return read + written; }
    Traffic& operator+=(const Traffic& other) {
        read += other.read, written += other.written;
        return *this;
    }
};

/// By cluster. Loops and conditionals count nothing: what their bodies move is counted in the partitions of these.
std::vector<Traffic> traffic(const DepGraph& graph, const Clusters& clusters, const Extents& extents);

double cost(const DepGraph& graph, const Clusters& clusters, const Prices& prices);

/// The cost of each cluster alone, without its launch.
std::vector<double> costs(const DepGraph& graph, const Clusters& clusters, const Prices& prices);

/// The cost of one legal cluster, without its launch and without edges.
double cost(const DepGraph& graph, Legality& legality, const Operations& cluster, const Prices& prices);

/// For explain(): the bytes that each cluster of `partition` moves.
std::vector<Traffic> traffic(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer,
                             const Partition& partition, const Extents& extents);

}  // namespace sinter::fuse
