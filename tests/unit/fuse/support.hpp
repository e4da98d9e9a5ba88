// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs and partitions as texts.
#pragma once

#include "fuse/cost.hpp"
#include "fuse/partition.hpp"
#include "fuse/rules/verify_partition.hpp"
#include "ir/text/parse.hpp"
#include "ir/verify/verify.hpp"

#include <string>

namespace sinter::fuse::test {

struct NamedStrategy {
    const char* name;
    Strategy strategy;
};
inline constexpr NamedStrategy strategies[] = {{"none", Strategy::none},
                                               {"greedy_down", Strategy::greedy_down},
                                               {"greedy_up", Strategy::greedy_up},
                                               {"t2", Strategy::t2},
                                               {"optimal", Strategy::optimal}};

/// Partitions the outermost body; what comes back has passed the verifier.
inline Partition partition_of(const ir::Program& program, Strategy strategy) {
    Partition result = partition(program, program.body, {}, strategy);
    verify(program, program.body, {}, result);
    return result;
}

inline Clusters clusters_of(const Partition& partition) {
    Clusters clusters;
    for (const Cluster& cluster : partition.clusters) clusters.push_back(cluster.operations);
    return clusters;
}

/// "{%1 %2} {%3} manifest %2 %3": operations by their first result.
inline std::string text(const ir::Program& program, const Partition& partition) {
    DepGraph graph = dep_graph(program, program.body, {});
    std::string out;
    for (const Cluster& cluster : partition.clusters) {
        out += '{';
        for (Operation op : cluster.operations)
            out += (out.back() == '{' ? "%" : " %") + std::to_string(graph.levels[op.index]);
        out += "} ";
    }
    out += "manifest";
    for (ir::ValueId id : partition.manifest) out += " %" + std::to_string(id.index);
    return out;
}

}  // namespace sinter::fuse::test
