// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Clustering as an optimisation problem that knows nothing of programs (after the formulation of
/// van Balen 2024, figure 4).
///
/// A clustering of the vertices is *feasible* if its clusters can be executed one after the other without breaking an arc,
/// no cluster holds a separated pair, and every cluster is connected by terms that connect. Its cost is `constant`, plus
/// `launch` for every cluster, plus what the terms say. The two ends of an arc are either separated or members of a term
/// that connects. The same holds for the first member of a `together` term and each other member.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace sinter::fuse::solve {

using Vertex = std::uint32_t;
using Pair = std::pair<Vertex, Vertex>;
/// By vertex: the name of its cluster.
using Labels = std::vector<Vertex>;

/// A cost that shrinks as its members come together: it belongs to an array that is written or read.
struct Term {
    enum class Kind : std::uint8_t {
        together,  ///< `weight`, unless one cluster holds all members
        spread,    ///< `weight` for every cluster that holds members, except the first
    };
    Kind kind;
    bool connects;  ///< for spread: having this in common is reason enough for members to share a cluster
    double weight;
    std::vector<Vertex> members;  ///< increasing
};

/// A vertex does something in `order` if it shares a cluster with its leader.
struct Following {
    Vertex leader;
    std::uint32_t order;
};

/// A read of an array. Its order is that of the last leader that is in the reader's cluster, or the reader's own order if
/// none is. If a leader is in the cluster, so are all earlier ones that have other orders.
struct Read {
    Vertex reader;
    std::uint32_t own;
    std::vector<Following> following;
};

/// Reads that a term counts once for each cluster that holds any of them. A cluster pays `weight` for each further order.
struct ReadOrders {
    double weight;
    std::vector<Read> reads;
};

/// True if the reads could be in several orders.
bool may_differ(const ReadOrders& orders);

/// Marks a pattern that may occur again in a cluster after itself.
inline constexpr std::uint32_t repeatable = 1u << 31;

/// Two vertices (perhaps the same one twice) that share a cluster only if others are in it.
struct Condition {
    Pair pair;
    bool all;  ///< all of `others` have to be there, and are not movable; else one of them, and all have patterns
    std::vector<Vertex> others;
};

/// What a vertex makes. It is in memory if it is `stored` or if a reader is in another cluster. All that one cluster keeps
/// in memory has one shape, or shapes that are joined. A movable vertex makes results of the shape that it reads.
struct Result {
    Vertex vertex;
    std::uint32_t shape;
    bool stored;
    std::vector<Vertex> readers;  ///< others than the vertex
};

struct Problem {
    std::size_t count = 0;
    std::vector<Pair> arcs;  ///< the first of a pair runs in the cluster of the second, or in an earlier one
    std::vector<Pair> separations;
    /// By vertex; 0 if it has none. Vertices with different patterns are separated. So are those with equal patterns if one
    /// reaches the other, unless the pattern is marked as repeatable.
    std::vector<std::uint32_t> patterns;
    /// By vertex: true if it may go wherever its separations allow; `allowed` (below) never objects to that.
    std::vector<bool> movable;
    std::vector<Term> terms;
    std::vector<ReadOrders> read_orders;                                 ///< of vertices that are not movable
    std::vector<Result> results;                                         ///< `allowed` (below) checks these in any case
    std::vector<std::pair<std::uint32_t, std::uint32_t>> joined_shapes;  ///< increasing; each is a smaller and a larger
                                                                         ///< shape
    std::vector<Condition> conditions;  ///< on vertices that are not movable; `allowed` (below) checks these in any case
    double launch = 0;
    double constant = 0;
};

/// Why vertices cannot share a cluster: the two are in each other's way. `always`: in every cluster.
struct Conflict {
    Vertex first, second;
    bool always;
};
/// Checks what the problem does not say about a cluster, which has no separated pair and is increasing. Returns nothing if
/// the cluster is allowed, else a conflict.
using Allowed = std::function<std::optional<Conflict>(std::span<const Vertex>)>;

/// What an allowed cluster costs beyond what the problem says; it is not negative, and 0 for a single vertex.
using Surcharge = std::function<double(std::span<const Vertex>)>;

double cost(const Problem& problem, const Labels& labels);

/// The clusters of `labels`, each increasing, ordered by first vertex.
std::vector<std::vector<Vertex>> clusters(const Labels& labels);
Labels labels_of(std::size_t count, const std::vector<std::vector<Vertex>>& clusters);

}  // namespace sinter::fuse::solve
