// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/card/decision.hpp"

#include "support/match.hpp"

#include <fmt/format.h>

namespace sinter::schedule::card {

namespace {

std::string count(std::int64_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string neighbours(std::int64_t group) { return group > 1 ? fmt::format(", {} neighbours at once", group) : ""; }

/// What a way does, beside its name.
std::string details(const Candidates& candidates, const Way& way) {
    return match(
        way, [](const Points& w) { return neighbours(w.group); },
        [&](const ScanChunks& w) {
            return neighbours(candidates.in_chunks[0].tile.group) + (w.packed ? ", values beside their flag" : "");
        },
        [](const RegisterTiles& w) {
            return fmt::format(", {} by {} each, {} by {} for a thread{}", w.block_rows(), w.block_columns(), w.tile.rows,
                               w.tile.columns,
                               w.tf32()         ? ", by tensor cores as TF32"
                               : w.tensor_cores ? ", by tensor cores"
                                                : "");
        },
        [](const TransposedSquares& w) { return fmt::format(", {} rows by {} columns", w.edge, w.edge); },
        [](const auto&) { return std::string(); });
}

std::string text(const Candidates& candidates, const Decision& d) {
    const Launch& l = d.launch;
    auto destinations = [&] { return count(l.destinations, "destination"); };
    switch (d.reason) {
        case Reason::no_loops:
            return "no loops";
        case Reason::product:
            return fmt::format("{} of {}, which rows and columns share", count(l.tiles, "tile"),
                               count(d.elements, "element"));
        case Reason::against_grain:
            return "loads against the grain";
        case Reason::many_points:
            return fmt::format("{} are enough, and neighbours read neighbours", count(l.points, "point"));
        case Reason::few_points:
            return fmt::format("{} of {}", count(l.points, "point"), count(d.elements, "element"));
        case Reason::length:
            return fmt::format("{} each", count(d.elements, "element"));
        case Reason::several_loops:
            return fmt::format("{} loops", candidates.facts.loops.size());
        case Reason::many_updates:
            return fmt::format("{} of {}", count(l.points, "update"), destinations());
        case Reason::few_updates:
            return fmt::format("no copies for {} of {}", count(l.points, "update"), destinations());
        case Reason::prints:
            return "it prints";
        case Reason::accumulators:
            return "it adds to accumulators";
        case Reason::order_shows:
            return "the order of updates shows";
        case Reason::no_room_in_blocks:
            return fmt::format("the order of updates shows, {} are too many for copies", destinations());
        case Reason::parameters:
            return fmt::format("{} arrays and sizes", candidates.parameters);
    }
    return {};
}

/// For example "245 chunks of 4096; partial 245 blocks, finish 1 block".
std::string numbers(const Decision& d) {
    const Launch& l = d.launch;
    std::string result = count(l.points, "point");
    if (l.chunk_length > 0) result += fmt::format(", {} of {}", count(l.chunks, "chunk"), l.chunk_length);
    if (std::holds_alternative<CopiesInAnyOrder>(d.way))
        result += fmt::format(", {} in a block", l.chunks == 1 ? "1 copy" : fmt::format("{} copies", l.chunks));
    const char* separator = "; ";
    for (const Stage& stage : l.stages) {
        result += fmt::format("{}{} {}", separator, name_of(stage.role), count(stage.blocks, "block"));
        separator = ", ";
    }
    std::int64_t bytes = 0;
    for (const StateArray& array : l.states) bytes += array.element_bytes * array.elements;
    return bytes > 0 ? result + fmt::format("; {} bytes between blocks", bytes) : result;
}

}  // namespace

std::string summary(const Candidates& candidates, const Decision& decision) {
    return fmt::format("{}{}: {}", name_of(decision.way), details(candidates, decision.way), text(candidates, decision));
}

std::string print(const Candidates& candidates, const Decision& decision) {
    return summary(candidates, decision) + "\n" + (decision.launch.points > 0 ? numbers(decision) : "no points") + "\n";
}

}  // namespace sinter::schedule::card
