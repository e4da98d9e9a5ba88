// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The result of fusion: which operations of one body are executed together.
#pragma once

#include "fuse/tuning.hpp"
#include "ir/program.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sinter::fuse {

/// Position of a binding in the body that is partitioned.
using Operation = Id<struct OperationTag>;
using ClusterId = Id<struct ClusterTag>;

/// Operations executed in one pass over one iteration space, in program order.
///
/// *Transparent* operations (views; generates and rank-0 maps that are so cheap that repeating them costs less than storing
/// them) are repeated in every cluster that reads through them. They are not manifest, unless they are results or have to be
/// stored for another reason. Every other operation is in exactly one cluster.
struct Cluster {
    std::vector<Operation> operations;
    /// Its scatter cannot overwrite its destination in place: some of the old contents would be read too late.
    bool needs_copy = false;
    bool operator==(const Cluster&) const = default;
};

/// An edge that was not fused, for explain(): the producer's result `array` is written to memory for `consumer`.
struct Unfused {
    Operation producer, consumer;
    std::size_t result;
    std::string reason;                 ///< in words that a user understands
    std::vector<Operation> about = {};  ///< the operations that the reason names, in the form of DepGraph::name
};

struct Partition {
    std::vector<Cluster> clusters;      ///< in an order in which they can be executed
    std::vector<ir::ValueId> manifest;  ///< variables of this body written to memory, increasing
    std::vector<Unfused> unfused;
    bool depends_on_extents = false;  ///< with other extents the strategy could choose other clusters
};

enum class Strategy : std::uint8_t { none, greedy_down, greedy_up, t2, optimal };

/// What clusters run on.
struct Target {
    double launch = tuning::launch_bytes;  ///< the price of a cluster, in bytes
    bool outer_folds = false;              ///< whether a cluster may have them (rules/outer_folds.hpp)
    bool ranks = false;  ///< ranks share launches, but not those of scans with folds beside them: these stay apart where the
                         ///< association of the folds does not show
};

/// Partitions the operations of `body`, a body of `program` whose enclosing variables have the types `outer`. Bodies nested
/// in cond and loop are partitioned separately. Force, cond and loop are clusters of their own; operations whose results
/// nobody needs are in no cluster. `sizes` are the values of the program's sizes, for strategies that compare costs; without
/// them every symbol has the same value. `launch` is the price of a cluster on the target, in bytes. The result is verified
/// in debug builds and if SINTER_VERIFY=1.
Partition partition(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer, Strategy strategy,
                    std::vector<std::int64_t> sizes = {}, const Target& target = {});

/// Makes a partition of known clusters, which have to be legal and may be in any order.
Partition partition_into(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer,
                         std::vector<std::vector<Operation>> clusters, std::vector<std::int64_t> sizes = {},
                         const Target& target = {});

/// The shape, in the enclosing table, of arrays that an operation makes, whether stored or not.
struct Made {
    ir::Shape shape;
    ir::SiteId site;
};

/// The cluster as a program of its own: inputs are the variables it reads (in order of first use), results the manifest
/// variables it makes (in increasing order). Canonical: equal clusters of different programs are equal programs.
struct Extracted {
    ir::Program program;
    std::vector<ir::ValueId> inputs;   ///< variables of the enclosing body that become its inputs
    std::vector<ir::ValueId> outputs;  ///< variables of the enclosing body that are its results
    std::vector<ir::SizeId> sizes;     ///< sizes[k] of the enclosing table is the extracted program's size argument k
    std::vector<ir::SiteId> sites;     ///< the extracted program's site k is the enclosing program's sites[k]
    std::vector<Made> made;            ///< shapes that no input has, each once; not those that are computed on the way
};
Extracted extract(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer,
                  const Cluster& cluster, const std::vector<ir::ValueId>& manifest);

}  // namespace sinter::fuse
