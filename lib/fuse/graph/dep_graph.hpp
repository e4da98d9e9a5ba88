// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The data dependence graph of one body, which every strategy works on (van Balen 2024, section 4.1).
///
/// Its *vertices* are the operations that clusters are made of: all but dead ones and those transparent ones whose result
/// nobody needs in memory. Its *accesses* are the reads of vertices after looking through transparent operations; an access
/// of what another vertex makes is an edge, fusible with a traversal order (its label) or infusible with a reason.
#pragma once

#include "fuse/graph/label.hpp"
#include "fuse/partition.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinter::fuse {

/// What an operation is to fusion.
enum class Role : std::uint8_t {
    dead,         ///< nothing needs its results; in no cluster
    transparent,  ///< read through; in no cluster
    stored,       ///< transparent for its readers, but also needed in memory: a vertex without fusible uses
    compute,      ///< anything that can share a cluster
    barrier,      ///< force, cond, loop, sort, foreign: a cluster of its own
};

/// How an operation runs over its space. A cluster has one pattern beside maps.
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
};
/// In words for users.
std::string describe(Obstacle obstacle);

/// One operation reads one variable in one order.
struct Access {
    Operation reader;
    ir::ValueId variable;
    Label label = identity;              ///< from the reader's index, or from the index into the space it reduces
    bool reduced = false;                ///< argument of a fold
    bool whole = false;                  ///< from memory, in no order (its label means nothing)
    bool updated = false;                ///< destination of a scatter
    ir::ValueId repeated = {};           ///< if it is read through a broadcast: what that repeats
    std::int64_t looks = -1;             ///< of a captured array: elements for each point of the reader; -1: not known
    Operation producer = {};             ///< invalid: a parameter or a variable of an enclosing body
    Obstacle obstacle = Obstacle::none;  ///< only if there is a producer
};

struct DepGraph {
    const ir::Program* program;
    const ir::Body* body;
    std::size_t base;                 ///< level of the body's first parameter
    std::vector<ir::Type> types;      ///< by level
    std::vector<std::size_t> levels;  ///< by operation: that of its first result
    std::vector<Role> roles;          ///< by operation
    std::vector<Operation> vertices;  ///< increasing
    std::vector<Access> accesses;     ///< grouped by reader, readers increasing, no repetitions
    std::vector<std::pair<std::uint32_t, std::uint32_t>> read_ranges;  ///< by operation: into accesses
    std::vector<std::vector<std::uint32_t>> uses;                      ///< by operation: the accesses it is the producer of
    std::vector<bool> stored;  ///< by level: made here and in memory whatever the partition
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
    /// Shape of the points an operation is evaluated at: its first result's, but for compact and scatter that of what they
    /// read.
    const ir::Shape& points(Operation op) const;
    /// Shape of the space an operation runs over: a fold's elements, else its points.
    const ir::Shape& space(Operation op) const;
    /// "map %5", for messages.
    std::string name(Operation op) const;
};

/// Why an access is infusible, in words for users.
std::string describe(const DepGraph& graph, const Access& access);

/// Near-linear in the program's size.
DepGraph dep_graph(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer);

}  // namespace sinter::fuse
