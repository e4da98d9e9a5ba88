// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The data dependence graph of one body, which every strategy works on (van Balen 2024, section 4.1).
///
/// Its *vertices* are the operations that clusters are made of: all except dead ones and those transparent ones whose result
/// nobody needs in memory. Its *accesses* are the reads by vertices, after looking through transparent operations. An access
/// to what another vertex makes is an edge, which is either fusible, with a traversal order (its label), or infusible, with
/// a reason.
#pragma once

#include "fuse/graph/label.hpp"
#include "fuse/partition.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinter::fuse {

/// What an operation is for fusion.
enum class Role : std::uint8_t {
    dead,         ///< nothing needs its results; it is in no cluster
    transparent,  ///< read through; it is in no cluster
    stored,       ///< transparent for its readers, but also needed in memory: a vertex without fusible uses
    compute,      ///< any operation that can share a cluster
    barrier,      ///< force, cond, loop, sort, foreign: each is a cluster of its own
};

/// How an operation runs over its space. Beside maps, a cluster has one pattern.
enum class Pattern : std::uint8_t { map, fold, scan, compact, scatter };

/// Why an edge is infusible.
enum class Obstacle : std::uint8_t {
    none,
    random_reads,   ///< captured array
    scalar,         ///< a scalar that all elements need
    initial_value,  ///< of a fold
    repetition,     ///< broadcast; fusible where a row's value meets the elements of the row
    force,
    sort,
    foreign,
    control,
    extent,
    barrier_result,  ///< made by a barrier
    update,          ///< destination of a scatter
    updated,         ///< result of a scatter
    irregular,       ///< result of a compact
    total,           ///< of a scan
    tiles,           ///< a product by index, which a pass over rows reads
};
/// The obstacle in words for users.
std::string describe(Obstacle obstacle);

/// One operation reads one variable in one order.
struct Access {
    Operation reader;
    ir::ValueId variable;
    Label label = identity;              ///< from the reader's index, or from the index into the space that the reader
                                         ///< reduces
    bool reduced = false;                ///< argument of a fold
    bool whole = false;                  ///< read from memory, in no order (its label means nothing)
    bool updated = false;                ///< destination of a scatter
    ir::ValueId repeated = {};           ///< if it is read through a broadcast: the variable that is repeated
    std::int64_t looks = -1;             ///< for a captured array: elements read per point of the reader; -1 if not known
    Operation producer = {};             ///< invalid for a parameter or a variable of an enclosing body
    Obstacle obstacle = Obstacle::none;  ///< set only if there is a producer
};

struct DepGraph {
    const ir::Program* program;
    const ir::Body* body;
    std::size_t base;                 ///< level of the body's first parameter
    std::vector<ir::Type> types;      ///< by level
    std::vector<std::size_t> levels;  ///< by operation: the level of its first result
    std::vector<Role> roles;          ///< by operation
    std::vector<Operation> vertices;  ///< increasing
    std::vector<Access> accesses;     ///< grouped by reader, readers increasing, no repetitions
    std::vector<std::pair<std::uint32_t, std::uint32_t>> read_ranges;  ///< by operation: the range of its accesses
    std::vector<std::vector<std::uint32_t>> uses;                      ///< by operation: the accesses it is the producer of
    std::vector<bool> stored;  ///< by level: made in this body, and in memory whatever the partition
    LabelTable labels;

    const ir::Binding& binding(Operation op) const { return body->bindings[op.index]; }
    std::span<const Access> reads(Operation op) const {
        auto [first, last] = read_ranges[op.index];
        return std::span(accesses).subspan(first, last - first);
    }
    std::size_t result_count(Operation op) const { return binding(op).types.size(); }
    ir::ValueId result(Operation op, std::size_t k) const { return ir::ValueId(levels[op.index] + k); }
    bool any_stored(Operation op) const {
        for (std::size_t k = 0; k < result_count(op); ++k)
            if (stored[result(op, k).index]) return true;
        return false;
    }
    const ir::Fold* fold(Operation op) const { return std::get_if<ir::Fold>(&binding(op).op); }
    const ir::Scan* scan(Operation op) const { return std::get_if<ir::Scan>(&binding(op).op); }
    const ir::Scatter* scatter(Operation op) const { return std::get_if<ir::Scatter>(&binding(op).op); }
    Pattern pattern(Operation op) const;
    /// The shape of the points at which an operation is evaluated: that of its first result, except that compact and scatter
    /// have the shape of what they read.
    const ir::Shape& points(Operation op) const;
    /// The shape of the space that an operation runs over: for a fold its elements, otherwise its points.
    const ir::Shape& space(Operation op) const;
    /// For example "map %5", for messages.
    std::string name(Operation op) const;
};

/// Why an access is infusible, in words for users.
std::string describe(const DepGraph& graph, const Access& access);

/// Builds the graph of a body. Near-linear in the program's size.
DepGraph dep_graph(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer);

}  // namespace sinter::fuse
