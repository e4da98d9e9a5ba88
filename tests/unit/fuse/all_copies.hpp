// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// All sets of copies in small programs.
#pragma once

#include "all_partitions.hpp"
#include "fuse/rules/repeat.hpp"
#include "fuse/rules/transparent.hpp"
#include "fuse/strategy/candidates.hpp"
#include "fuse/tuning.hpp"
#include "ir/verify/verify.hpp"

#include <set>
#include <vector>

namespace sinter::fuse::test {

/// Copies of `op` that one point of a reader needs, with copies of `candidates` between.
inline int looks_at(const DepGraph& graph, Operation op, const std::set<std::size_t>& candidates) {
    std::map<Operation, std::set<Label>> labels;
    for (const Access& access : graph.accesses)
        if (access.producer == op) labels[access.reader].insert(access.label);
    int most = 0;
    for (const auto& [reader, looks] : labels) {
        const int of_reader = candidates.count(reader.index) ? looks_at(graph, reader, candidates) : 1;
        most = std::max(most, static_cast<int>(looks.size()) * of_reader);
    }
    return most;
}

/// A cheap map, which nothing reads from memory or more often than it has elements.
inline bool is_possible(const DepGraph& graph, const Extents& extents, Operation op) {
    const auto* map = std::get_if<ir::Map>(&graph.binding(op).op);
    if (!map || graph.points(op).empty() || graph.any_stored(op) || !is_cheap_to_repeat(*map)) return false;
    return std::all_of(graph.accesses.begin(), graph.accesses.end(), [&](const Access& access) {
        if (access.producer != op) return true;
        return access.obstacle == Obstacle::none && !access.whole &&
               extents.elements(graph.space(access.reader)) <= extents.elements(graph.points(op));
    });
}

struct Work {
    std::set<std::pair<ir::ValueId, Label>> loads;
    double instructions = 0;
};

/// What an element of `op` takes if all that could have copies has.
inline void add_work(const DepGraph& graph, const Extents& extents, Operation op, Work& work) {
    work.instructions += instructions_of(std::get<ir::Map>(graph.binding(op).op));
    for (const Access& access : graph.reads(op)) {
        if (graph.types[access.variable.index].rank() == 0) continue;
        if (access.producer.valid() && is_possible(graph, extents, access.producer))
            add_work(graph, extents, access.producer, work);
        else
            work.loads.emplace(access.variable, access.label);
    }
}

/// Whether the results of `op`, if they are stored, are not in a cache when they are read.
inline bool is_far(const DepGraph& graph, const Extents& extents, Operation op) {
    double bytes = 0;
    for (const ir::Type& type : graph.binding(op).types) bytes += extents.bytes(type);
    return bytes >= tuning::far_bytes;
}

/// From the definition: possible, cheap for all looks of a reader, read in several places or only by what is.
inline std::set<std::size_t> repeatable_operations(const DepGraph& graph, const Extents& extents) {
    std::set<std::size_t> candidates;
    for (auto op = graph.vertices.rbegin(); op != graph.vertices.rend(); ++op) {
        if (!is_possible(graph, extents, *op)) continue;
        std::size_t readers = 0, candidate_readers = 0;
        for (const Access& access : graph.accesses) {
            if (access.producer != *op) continue;
            ++readers;
            candidate_readers += candidates.count(access.reader.index);
        }
        Work work;
        add_work(graph, extents, *op, work);
        const double looks = looks_at(graph, *op, candidates);
        const auto loads = static_cast<double>(work.loads.size());
        const bool is_cheap = is_cheap_to_repeat(looks, loads, work.instructions) ||
                              (is_far(graph, extents, *op) && is_cheap_beside_memory(looks, loads, work.instructions));
        if (is_cheap && (readers > 1 || readers == candidate_readers)) candidates.insert(op->index);
    }
    return candidates;
}

/// With the views that lead to what is copied.
inline std::set<std::size_t> with_views(const DepGraph& graph, std::set<std::size_t> chosen) {
    for (std::size_t i = 0; i < graph.roles.size(); ++i) {
        if (graph.roles[i] != Role::transparent) continue;
        for (ir::ValueId id : ir::operands(graph.binding(Operation(i)).op))
            for (std::size_t made : std::set(chosen))
                if (graph.levels[made] <= id.index && id.index < graph.levels[made] + graph.result_count(Operation(made)))
                    chosen.insert(i);
    }
    return chosen;
}

/// By operation: what each further copy costs, infinite where there is to be none; nothing of those that always pay.
inline std::vector<double> arithmetic(const DepGraph& graph, const Extents& extents, const std::set<std::size_t>& all) {
    const Prices prices = Prices::bytes(extents);
    std::vector<double> result(graph.roles.size(), std::numeric_limits<double>::infinity());
    for (std::size_t op : all) result[op] = prices.computed(graph, Operation(op));
    for (const Candidate& c : candidates(graph, extents, prices).list) result[c.operation.index] = c.arithmetic;
    return result;
}

/// What the copies cost beside their partition: the arithmetic of each but the first.
inline double arithmetic_of(const ir::Program& program, const DepGraph& graph, const std::set<std::size_t>& chosen,
                            const Copies& copies, const std::vector<double>& again) {
    const auto place = places(program);
    const auto count = times(copies);
    double total = 0;
    for (std::size_t op : chosen)
        total += again[op] * static_cast<double>(count.at(place.at(&graph.binding(Operation(op)))) - 1);
    return total;
}

/// By set of copies of `candidates`, as bits: the cost of the best partition, with arithmetic. Nothing if that takes too
/// long to find out.
inline std::vector<double> least_by_copies(const ir::Program& program, const std::set<std::size_t>& candidates,
                                           const ExtentsOf& extents) {
    const DepGraph graph = dep_graph(program, program.body, {});
    const std::vector<std::size_t> all(candidates.begin(), candidates.end());
    if (graph.vertices.size() > 8 || all.size() > tuning::most_candidates) return {};
    const std::vector<double> again = arithmetic(graph, extents(program), candidates);
    std::vector<double> least{least_costs(graph, {Prices::bytes(extents(program))})[0]};
    for (std::size_t bits = 1; bits < std::size_t{1} << all.size(); ++bits) {
        std::set<std::size_t> chosen;
        for (std::size_t k = 0; k < all.size(); ++k)
            if (bits >> k & 1) chosen.insert(all[k]);
        const Copies copies = with_copies(program, with_views(graph, chosen));
        ir::verify(copies.program);
        const DepGraph copied = dep_graph(copies.program, copies.program.body, {});
        if (copied.vertices.size() > 10) return {};
        const Prices prices = Prices::bytes(extents(copies.program));
        least.push_back(least_costs(copied, {prices})[0] + arithmetic_of(program, graph, chosen, copies, again));
    }
    return least;
}

}  // namespace sinter::fuse::test
