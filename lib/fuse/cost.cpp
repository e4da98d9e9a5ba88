// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/cost.hpp"

#include "support/check.hpp"

#include <algorithm>
#include <tuple>

namespace sinter::fuse {

namespace {

constexpr std::int64_t nominal_extent = 10'000;

using Read = std::tuple<ir::ValueId, bool, Label, bool>;  // variable, as a whole, order

/// Bytes that `access` touches: no more than there are, and no more than its reader asks for.
double bytes_read(const DepGraph& graph, const Access& access, const Extents& extents) {
    const ir::Type& type = graph.types[access.variable.index];
    double all = extents.bytes(type);
    if (access.whole || extents.is_unit()) return all;
    return std::min(all, extents.elements(graph.space(access.reader)) * detail::size_of(type.scalar));
}

double bytes_written(const DepGraph& graph, const Legality& legality, Operation op, const Extents& extents) {
    std::vector<bool> manifest(graph.result_count(op));
    for (std::size_t k = 0; k < manifest.size(); ++k) manifest[k] = graph.stored[graph.result(op, k).index];
    for (std::uint32_t use : graph.uses[op.index]) {
        const Access& access = graph.accesses[use];
        if (!legality.is_member(access.reader)) manifest[access.variable.index - graph.levels[op.index]] = true;
    }
    double bytes = 0;
    for (std::size_t k = 0; k < manifest.size(); ++k)
        if (manifest[k]) bytes += extents.bytes(graph.binding(op).types[k]);
    return bytes;
}

Traffic traffic_of(const DepGraph& graph, Legality& legality, const Operations& operations, const Extents& extents) {
    Traffic result;
    if (graph.roles[operations[0].index] == Role::barrier) return result;
    check(!legality.hindrance(operations), "cost of an illegal cluster");
    std::vector<std::pair<Read, double>> reads;
    for (Operation op : operations) {
        result.written += bytes_written(graph, legality, op, extents);
        for (const Access& access : graph.reads(op)) {
            if (access.producer.valid() && legality.is_member(access.producer)) continue;
            Order order = access.whole ? Order() : legality.read_order(access);
            reads.push_back(
                {{access.variable, access.whole, order.label, order.element}, bytes_read(graph, access, extents)});
        }
    }
    std::sort(reads.begin(), reads.end(), std::greater<>());  // the largest of equal reads first
    for (std::size_t k = 0; k < reads.size(); ++k)
        if (k == 0 || reads[k].first != reads[k - 1].first) result.read += reads[k].second;
    return result;
}

}  // namespace

Extents Extents::nominal(const ir::SizeTable& sizes) {
    return Extents(ir::evaluate(sizes, [](const ir::Size&) { return nominal_extent; }));
}

double Extents::elements(const ir::Shape& shape) const {
    double count = 1;
    for (ir::SizeId size : shape) count *= static_cast<double>(std::max<std::int64_t>(values_[size.index], 0));
    return count;
}

double Extents::bytes(const ir::Type& type) const {
    if (is_unit()) return type.rank() > 0 ? 1 : 0;
    return elements(type.shape) * detail::size_of(type.scalar);
}

std::vector<Traffic> traffic(const DepGraph& graph, const Clusters& clusters, const Extents& extents) {
    Legality legality(graph);
    std::vector<Traffic> result;
    result.reserve(clusters.size());
    for (const Operations& operations : clusters) result.push_back(traffic_of(graph, legality, operations, extents));
    return result;
}

double cost(const DepGraph& graph, const Clusters& clusters, const Extents& extents) {
    double total = static_cast<double>(clusters.size()) * (extents.is_unit() ? 0.001 : launch_bytes);
    for (const Traffic& t : traffic(graph, clusters, extents)) total += t.read + t.written;
    return total;
}

std::vector<Traffic> traffic(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer,
                             const Partition& partition, const Extents& extents) {
    Clusters clusters;
    for (const Cluster& cluster : partition.clusters) clusters.push_back(cluster.operations);
    return traffic(dep_graph(program, body, outer), clusters, extents);
}

}  // namespace sinter::fuse
