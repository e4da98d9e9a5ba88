// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Clustering as an optimisation problem that knows nothing of programs (after the formulation of
/// van Balen 2024, figure 4).
///
/// A *feasible* clustering of the vertices: its clusters can be executed one after the other without breaking an arc; no
/// cluster holds a separated pair; every cluster is connected by terms that connect. Its cost is `constant`, `launch` for
/// every cluster, and what the terms say. Both ends of an arc are separated or members of a term that connects; so are, of a
/// `together` term, one member and each other.
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

/// A cost that shrinks as its members come together: an array that is written or read.
struct Term {
    enum class Kind : std::uint8_t {
        together,  ///< `weight`, unless one cluster holds all members
        spread,    ///< `weight` for every cluster that holds members but the first
    };
    Kind kind;
    bool connects;  ///< of spread: that they have this in common is reason enough for members to share a cluster
    double weight;
    std::vector<Vertex> members;  ///< increasing
};

/// A vertex does something in `order` if it shares a cluster with its leader.
struct Following {
    Vertex leader;
    std::uint32_t order;
};

/// A read of an array: in the order of the last leader that is in the reader's cluster; if none is, in its own. Where one
/// is, all before it are that have other orders.
struct Read {
    Vertex reader;
    std::uint32_t own;
    std::vector<Following> following;
};

/// Reads of which a term counts one for each cluster that holds any: a cluster pays `weight` for each further order.
struct ReadOrders {
    double weight;
    std::vector<Read> reads;
};

/// Whether they could be in several orders.
bool may_differ(const ReadOrders& orders);

/// Marks a pattern that a cluster may have again after itself.
inline constexpr std::uint32_t repeatable = 1u << 31;

/// Two vertices that share a cluster only with others; the two may be one.
struct Condition {
    Pair pair;
    bool all;  ///< with all of `others`, which are not movable; else with one of them, which have patterns
    std::vector<Vertex> others;
};

/// What a vertex makes: it is in memory if it is `stored` or a reader is in another cluster. What one cluster keeps in
/// memory has one shape, or shapes that are joined. A movable vertex makes the shape that it reads.
struct Result {
    Vertex vertex;
    std::uint32_t shape;
    bool stored;
    std::vector<Vertex> readers;  ///< others than the vertex
};

struct Problem {
    std::size_t count = 0;
    std::vector<Pair> arcs;  ///< the first runs in the cluster of the second, or in an earlier one
    std::vector<Pair> separations;
    /// By vertex; 0: none. Different patterns are separated, and equal ones of which one reaches the other unless they are
    /// marked as repeatable.
    std::vector<std::uint32_t> patterns;
    /// By vertex: may go wherever its separations allow; `allowed` (below) never objects to that.
    std::vector<bool> movable;
    std::vector<Term> terms;
    std::vector<ReadOrders> read_orders;                                 ///< of vertices that are not movable
    std::vector<Result> results;                                         ///< `allowed` (below) looks after them anyway
    std::vector<std::pair<std::uint32_t, std::uint32_t>> joined_shapes;  ///< increasing; a smaller one and a larger one
    std::vector<Condition> conditions;  ///< of vertices that are not movable; `allowed` (below) asks for them anyway
    double launch = 0;
    double constant = 0;
};

/// Why vertices cannot share a cluster: one of the pair is in the way of the other. `always`: in every cluster.
struct Conflict {
    Vertex first, second;
    bool always;
};
/// What the problem does not say of a cluster, which has no separated pair and is increasing: nothing, or a conflict.
using Allowed = std::function<std::optional<Conflict>(std::span<const Vertex>)>;

/// What a cluster that is allowed costs beyond what the problem says; not negative, and 0 of one vertex.
using Surcharge = std::function<double(std::span<const Vertex>)>;

double cost(const Problem& problem, const Labels& labels);

/// The clusters of `labels`, each increasing, by first vertex.
std::vector<std::vector<Vertex>> clusters(const Labels& labels);
Labels labels_of(std::size_t count, const std::vector<std::vector<Vertex>>& clusters);

}  // namespace sinter::fuse::solve
