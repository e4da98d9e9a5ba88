// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/solve/problem/relations.hpp"

#include "fuse/solve/problem/graph.hpp"
#include "fuse/solve/problem/results.hpp"
#include "support/check.hpp"

#include <algorithm>

namespace sinter::fuse::solve {

namespace {

std::vector<Vertex> topological_order(const Problem& problem, const Adjacency& next) {
    std::vector<std::uint32_t> waits(problem.count, 0);
    for (auto [from, to] : problem.arcs) ++waits[to];
    std::vector<Vertex> order;
    order.reserve(problem.count);
    for (Vertex v = 0; v < problem.count; ++v)
        if (waits[v] == 0) order.push_back(v);
    for (std::size_t k = 0; k < order.size(); ++k)
        for (Vertex to : next[order[k]])
            if (--waits[to] == 0) order.push_back(to);
    check(order.size() == problem.count, "fusion: the dependences form a circle");
    return order;
}

/// The vertices that have a pattern.
std::vector<Vertex> patterned(const Problem& problem) {
    std::vector<Vertex> result;
    for (Vertex v = 0; v < problem.count; ++v)
        if (problem.patterns[v] != 0) result.push_back(v);
    return result;
}

void separate_different(const Problem& problem, Relations& r) {
    std::vector<Vertex> some = patterned(problem);
    for (Vertex a : some)
        for (Vertex b : some)
            if (problem.patterns[a] != problem.patterns[b]) put(r.apart[a], b);
}

/// `row`: the vertices that are below `v` and cannot be merged with it, because something between them is apart.
void add_along_paths(Relations& r, const Adjacency& next, Vertex v, Row row) {
    for (Vertex to : next[v])
        for (std::size_t w = 0; w < row.size(); ++w) row[w] |= r.apart[to][w] & r.below[to][w];
    for_each(ConstRow(r.below[v]), [&](std::size_t x) {
        if (!holds(r.apart[v], x) || holds(row, x)) return;
        put(row, x);
        unite(row, r.below[x]);
    });
}

/// For a pair that is apart, neither of which is above the other: what is above both is apart from what is below both.
void add_between(Relations& r, std::size_t x, std::size_t y) {
    if (!meet(r.below[x], r.below[y]) || !meet(r.above[x], r.above[y])) return;
    std::vector<std::uint64_t> bottom(r.below.words());
    for (std::size_t w = 0; w < bottom.size(); ++w) bottom[w] = r.below[x][w] & r.below[y][w];
    for_each(ConstRow(r.above[x]), [&](std::size_t v) {
        if (holds(r.above[y], v)) unite(r.apart[v], bottom);
    });
}

void mirror(Bits& bits, std::size_t count) {
    for (std::size_t v = 0; v < count; ++v) for_each(ConstRow(bits[v]), [&](std::size_t x) { put(bits[x], v); });
}

void close(const Problem& problem, const Adjacency& next, Relations& r) {
    for (std::size_t x = 0; x < problem.count; ++x)
        for_each(ConstRow(r.apart[x]), [&](std::size_t y) {
            if (y > x && !holds(r.below[x], y) && !holds(r.above[x], y)) add_between(r, x, y);
        });
    std::vector<std::uint64_t> row(r.below.words());
    for (auto v = r.order.rbegin(); v != r.order.rend(); ++v) {
        std::fill(row.begin(), row.end(), 0);
        add_along_paths(r, next, *v, row);
        unite(r.apart[*v], row);
    }
    mirror(r.apart, problem.count);
}

Bits reachable(std::span<const Vertex> order, const Adjacency& next) {
    Bits below(order.size());
    for (std::size_t k = order.size(); k-- > 0;)
        for (Vertex to : next[order[k]]) put(below[order[k]], to), unite(below[order[k]], below[to]);
    return below;
}

Bits turned(const Bits& bits, std::size_t count) {
    Bits result(count);
    for (std::size_t v = 0; v < count; ++v) for_each(bits[v], [&](std::size_t x) { put(result[x], v); });
    return result;
}

}  // namespace

void separate_patterns(Problem& problem) {
    std::vector<Vertex> some = patterned(problem);
    if (some.size() < 2) return;
    Adjacency next(problem.count, problem.arcs);
    Bits below = reachable(topological_order(problem, next), next);
    std::vector<std::uint64_t> all(below.words(), 0), further(below.words());
    for (Vertex v : some) put(all, v);
    for (Vertex v : some) {
        auto excludes = [&](std::size_t x) {
            const bool repeats = problem.patterns[v] == problem.patterns[x] && (problem.patterns[v] & repeatable) != 0;
            return holds(all, x) && !repeats;
        };
        std::fill(further.begin(), further.end(), 0);
        for_each(ConstRow(below[v]), [&](std::size_t x) {
            if (excludes(x)) unite(further, below[x]);
        });
        for_each(ConstRow(below[v]), [&](std::size_t x) {
            if (excludes(x) && !holds(further, x)) problem.separations.emplace_back(v, static_cast<Vertex>(x));
        });
    }
}

Relations relate(const Problem& problem) {
    Adjacency next(problem.count, problem.arcs);
    std::vector<Vertex> order = topological_order(problem, next);
    Bits below = reachable(order, next);
    Relations r{std::move(order), turned(below, problem.count), std::move(below), Bits(problem.count)};
    for (auto [a, b] : problem.separations) put(r.apart[a], b), put(r.apart[b], a);
    separate_different(problem, r);
    separate_stored(problem, r.apart);
    close(problem, next, r);
    return r;
}

void close_convexly(const Relations& r, std::vector<std::uint64_t>& set) {
    std::vector<std::uint64_t> below(set.size(), 0), above(set.size(), 0);
    for_each(ConstRow(set), [&](std::size_t v) { unite(below, r.below[v]), unite(above, r.above[v]); });
    for (std::size_t w = 0; w < set.size(); ++w) set[w] |= below[w] & above[w];
}

bool holds_apart(const Relations& r, ConstRow set) {
    bool found = false;
    for_each(set, [&](std::size_t v) { found = found || meet(r.apart[v], set); });
    return found;
}

}  // namespace sinter::fuse::solve
