// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank's part of a shared launch: what it can compute before messages arrive, and what it needs of others.
#include "place/intervals.hpp"
#include "place/share.hpp"

#include <algorithm>

namespace sinter::place {

using schedule::PartFacts;
using schedule::Reach;

namespace {

/// True if an input's elements may have to be brought together for a piece.
bool may_move(const LaunchFacts& launch, const Share& share, std::size_t k) {
    return launch.inputs[k].layout.blocks && !share.gathered[k] &&
           facts_of(launch, share.way).reach[k].kind != Reach::Kind::nothing;
}

/// The part of a rank's part that reads the rank's own elements only, where inputs are read along the axis that is cut.
Interval interior(const LaunchFacts& launch, const Share& share, int ranks, int rank) {
    const PartFacts& facts = facts_of(launch, share.way);
    Interval inside{0, facts.extent};
    for (std::size_t k = 0; k < launch.inputs.size(); ++k) {
        const Reach& reach = facts.reach[k];
        if (!may_move(launch, share, k) || reach.kind != Reach::Kind::near || reach.slope <= 0) continue;
        const Interval own = launch.inputs[k].layout.own(ranks, rank);
        const Interval within = reach.indices_within(own, facts.extent);
        if (own.begin > 0 || reach.wraps) inside.begin = std::max(inside.begin, within.begin);
        if (own.end < launch.inputs[k].layout.elements() || reach.wraps) inside.end = std::min(inside.end, within.end);
    }
    if (share.way == Way::chunks) {
        const bool last = inside.end == facts.extent;
        inside.begin = ceil_div(inside.begin, launch.chunk_length);
        inside.end = last ? launch.chunks : std::min(launch.chunks - 1, floor_div(inside.end, launch.chunk_length));
    }
    return common(share.parts[static_cast<std::size_t>(rank)], inside);
}

/// The interior and the borders; the whole part where there is no interior, or a piece would be shorter than parts may be.
std::vector<Interval> cut(const LaunchFacts& launch, const Share& share, int ranks, int rank) {
    const Interval part = share.parts[static_cast<std::size_t>(rank)], inside = interior(launch, share, ranks, rank);
    if (part.empty()) return {};
    if (inside.empty()) return {part};
    const std::int64_t least = share.way == Way::points ? launch.least_points : 1;
    std::vector<Interval> cuts;
    for (const Interval& piece : {inside, Interval{part.begin, inside.begin}, Interval{inside.end, part.end}}) {
        if (piece.empty()) continue;
        if (piece.length() < least) return {part};
        cuts.push_back(piece);
    }
    return cuts;
}

}  // namespace

std::vector<Piece> pieces(const LaunchFacts& launch, const Share& share, int ranks, int rank) {
    std::vector<Piece> result;
    for (const Interval& part : cut(launch, share, ranks, rank)) {
        Piece piece{part, std::vector<std::vector<Interval>>(launch.inputs.size())};
        for (std::size_t k = 0; k < launch.inputs.size(); ++k) {
            if (!may_move(launch, share, k)) continue;
            std::vector<Interval> need = needed(launch, share.way, k, part);
            if (missing(need, launch.inputs[k].layout.own(ranks, rank)) > 0) piece.brought[k] = std::move(need);
        }
        result.push_back(std::move(piece));
    }
    return result;
}

std::vector<Transfer> transfers_to(const LaunchFacts& launch, const std::vector<Piece>& pieces, int ranks, int rank) {
    std::vector<Transfer> transfers;
    for (std::size_t p = 0; p < pieces.size(); ++p)
        for (std::size_t k = 0; k < launch.inputs.size(); ++k) {
            const Layout& layout = launch.inputs[k].layout;
            for (const Interval& brought : pieces[p].brought[k])
                for (int from = layout.owner(ranks, brought.begin), last = layout.owner(ranks, brought.end - 1);
                     from <= last; ++from) {
                    const Interval part = common(brought, layout.own(ranks, from));
                    if (from != rank && !part.empty()) transfers.push_back({from, rank, p, k, part});
                }
        }
    return transfers;
}

}  // namespace sinter::place
