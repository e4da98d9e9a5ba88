// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/cost.hpp"

#include "fuse/rules/transparent.hpp"
#include "fuse/whole_traffic.hpp"

#include "fuse/tuning.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace sinter::fuse {

namespace {

using Read = std::tuple<ir::ValueId, bool, Label, bool>;  // variable, read as a whole, course and space of the order

/// The bytes of the cache lines that `access` touches from this many points if consecutive reads lie `stride` elements
/// apart; at most the size of the array.
double bytes_read(const DepGraph& graph, const Access& access, const Extents& extents, double points, std::int64_t stride) {
    const ir::Type& type = graph.types[access.variable.index];
    const double all = extents.bytes(type);
    if (access.whole)
        return access.looks >= 0 ? std::min(all, points * static_cast<double>(access.looks * tuning::line_bytes)) : all;
    if (access.repeated.valid()) points = std::min(points, extents.elements(graph.types[access.repeated.index].shape));
    const std::int64_t apart = stride * detail::size_of(type.scalar);
    return std::min(all, points * static_cast<double>(std::min(apart, tuning::line_bytes)));
}

/// The same, from all points of the reader's space.
double bytes_read(const DepGraph& graph, const Access& access, const Extents& extents) {
    const std::int64_t stride = graph.labels.stride(access.label, graph.types[access.variable.index].rank());
    return bytes_read(graph, access, extents, extents.elements(graph.space(access.reader)), stride);
}

/// The number of points of its space at which an operation of a cluster is evaluated: as many as those have which read it in
/// an order of their own.
class Visits {
  public:
    Visits(const DepGraph& graph, const Legality& legality, const Operations& operations, const Extents& extents)
        : graph_(graph), legality_(legality), extents_(extents) {
        for (Operation op : operations) {
            const Order& order = legality.order(op);
            if (order.label == identity) most_[order.element] = std::max(most_[order.element], elements(graph.points(op)));
            if (graph.fold(op)) most_[true] = std::max(most_[true], elements(graph.space(op)));
        }
    }
    double of(Operation op) const {
        const double own = elements(graph_.space(op));
        const Order& order = legality_.order(op);
        return order.label == identity ? own : std::min(own, most_[order.element]);
    }

  private:
    double elements(const ir::Shape& shape) const { return extents_.elements(shape); }

    const DepGraph& graph_;
    const Legality& legality_;
    const Extents& extents_;
    double most_[2] = {0, 0};  ///< points of the root; points of its elements
};

/// For each result of an operation of the cluster that `legality` was asked about: true if it is in memory.
std::vector<bool> manifest_results(const DepGraph& graph, const Legality& legality, Operation op) {
    std::vector<bool> manifest(graph.result_count(op));
    for (std::size_t k = 0; k < manifest.size(); ++k) manifest[k] = graph.stored[graph.result(op, k).index];
    for (std::uint32_t use : graph.uses[op.index]) {
        const Access& access = graph.accesses[use];
        if (!legality.is_member(access.reader)) manifest[access.variable.index - graph.levels[op.index]] = true;
    }
    return manifest;
}

bool is_barrier(const DepGraph& graph, const Operations& cluster) { return graph.roles[cluster[0].index] == Role::barrier; }

/// What one cluster reads and writes, at the prices `of_read` (given an access and an order) and `of_written` (given an
/// operation and a type).
template <class OfRead, class OfWritten>
Traffic traffic_of(const DepGraph& graph, Legality& legality, const Operations& operations, OfRead of_read,
                   OfWritten of_written) {
    Traffic result;
    if (is_barrier(graph, operations)) return result;
    check(!legality.hindrance(operations), "cost of an illegal cluster");
    std::vector<std::pair<Read, double>> reads;
    for (Operation op : operations) {
        auto manifest = manifest_results(graph, legality, op);
        for (std::size_t k = 0; k < manifest.size(); ++k)
            if (manifest[k]) result.written += of_written(op, graph.binding(op).types[k]);
        for (const Access& access : graph.reads(op)) {
            if (access.producer.valid() && legality.is_member(access.producer)) continue;
            Order order = access.whole ? Order() : legality.read_order(access);
            reads.push_back(
                {{access.variable, access.whole, legality.course(order), order.element}, of_read(access, order)});
        }
    }
    std::sort(reads.begin(), reads.end(), std::greater<>());  // the dearest of equal reads first
    for (std::size_t k = 0; k < reads.size(); ++k)
        if (k == 0 || reads[k].first != reads[k - 1].first) result.read += reads[k].second;
    return result;
}

/// For each cluster: the number of fusible edges that lead into it.
std::vector<std::size_t> unfused_edges(const DepGraph& graph, const Clusters& clusters) {
    std::vector<std::size_t> cluster_of(graph.roles.size()), count(clusters.size(), 0);
    for (std::size_t c = 0; c < clusters.size(); ++c)
        for (Operation op : clusters[c]) cluster_of[op.index] = c;
    for (const Access& access : graph.accesses)
        if (access.producer.valid() && access.obstacle == Obstacle::none &&
            cluster_of[access.producer.index] != cluster_of[access.reader.index])
            ++count[cluster_of[access.reader.index]];
    return count;
}

}  // namespace

double Prices::launch() const {
    if (function_ == CostFunction::bytes) return extents_.launch();
    return function_ == CostFunction::clusters ? 1 : 0;
}

double Prices::written(const ir::Type& type) const {
    if (function_ == CostFunction::bytes) return extents_.bytes(type);
    bool counts = function_ == CostFunction::arrays || function_ == CostFunction::reads_writes;
    return counts && type.rank() > 0 ? 1 : 0;
}

double Prices::read(const DepGraph& graph, const Access& access) const {
    if (graph.types[access.variable.index].rank() == 0) return 0;
    if (function_ == CostFunction::bytes) return bytes_read(graph, access, extents_);
    return function_ == CostFunction::reads || function_ == CostFunction::reads_writes ? 1 : 0;
}

double Prices::computed(const DepGraph& graph, Operation op) const {
    if (function_ != CostFunction::bytes) return 0;
    return extents_.elements(graph.points(op)) * arithmetic_of(std::get<ir::Map>(graph.binding(op).op));
}

Extents Extents::nominal(const ir::SizeTable& sizes, double launch) {
    return Extents(ir::evaluate(sizes, [](const ir::Size&) { return tuning::nominal_extent; }), launch);
}

double Extents::elements(const ir::Shape& shape) const {
    double count = 1;
    for (ir::SizeId size : shape) count *= static_cast<double>(std::max<std::int64_t>(values_[size.index], 0));
    return count;
}

double Extents::bytes(const ir::Type& type) const { return elements(type.shape) * detail::size_of(type.scalar); }

namespace {

/// How many neighbours of a point the reader needs of what `access` reads.
double neighbours(const DepGraph& graph, const Access& access) {
    const auto reads = graph.reads(access.reader);
    const Label course = graph.labels.course(access.label);
    return static_cast<double>(std::count_if(reads.begin(), reads.end(), [&](const Access& other) {
        return other.variable == access.variable && !other.whole && graph.labels.course(other.label) == course;
    }));
}

Traffic kernel_traffic(const DepGraph& graph, Legality& legality, const Operations& operations, const Extents& extents) {
    std::optional<Visits> visits;  // known once the orders of the cluster are
    auto read = [&](const Access& access, const Order& order) -> double {
        if (!visits) visits.emplace(graph, legality, operations, extents);
        const std::int64_t stride = legality.stride(order, graph.types[access.variable.index].rank());
        // scattered points share no neighbours
        const double together = legality.gathers(order) ? neighbours(graph, access) : 1;
        return access.updated ? 0 : bytes_read(graph, access, extents, visits->of(access.reader) * together, stride);
    };
    auto written = [&](Operation op, const ir::Type& type) { return graph.scatter(op) ? 0 : extents.bytes(type); };
    Traffic total = traffic_of(graph, legality, operations, read, written);
    for (Operation op : operations)
        if (graph.scatter(op)) total += update_traffic(graph, op, extents);
    return total;
}

}  // namespace

std::vector<Traffic> traffic(const DepGraph& graph, const Clusters& clusters, const Extents& extents) {
    Legality legality(graph, true);
    std::vector<Traffic> result;
    result.reserve(clusters.size());
    for (const Operations& operations : clusters)
        result.push_back(is_barrier(graph, operations) ? barrier_traffic(graph, operations[0], extents)
                                                       : kernel_traffic(graph, legality, operations, extents));
    return result;
}

double cost(const DepGraph& graph, Legality& legality, const Operations& cluster, const Prices& prices) {
    auto read = [&](const Access& access, const Order&) { return prices.read(graph, access); };
    auto written = [&](Operation, const ir::Type& type) { return prices.written(type); };
    return traffic_of(graph, legality, cluster, read, written).all();
}

std::vector<double> costs(const DepGraph& graph, const Clusters& clusters, const Prices& prices) {
    Legality legality(graph, true);
    std::vector<double> result(clusters.size());
    for (std::size_t k = 0; k < clusters.size(); ++k) result[k] = cost(graph, legality, clusters[k], prices);
    if (prices.edge() == 0) return result;
    const std::vector<std::size_t> edges = unfused_edges(graph, clusters);
    for (std::size_t k = 0; k < clusters.size(); ++k) result[k] += prices.edge() * static_cast<double>(edges[k]);
    return result;
}

double cost(const DepGraph& graph, const Clusters& clusters, const Prices& prices) {
    const std::vector<double> all = costs(graph, clusters, prices);
    return std::accumulate(all.begin(), all.end(), prices.launch() * static_cast<double>(clusters.size()));
}

std::vector<Traffic> traffic(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer,
                             const Partition& partition, const Extents& extents) {
    Clusters clusters;
    for (const Cluster& cluster : partition.clusters) clusters.push_back(cluster.operations);
    return traffic(dep_graph(program, body, outer), clusters, extents);
}

}  // namespace sinter::fuse
