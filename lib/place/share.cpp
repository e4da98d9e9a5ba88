// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "place/share.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace sinter::place {

using schedule::PartFacts;
using schedule::Reach;

namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }
std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

Interval common(const Interval& a, const Interval& b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

const PartFacts& facts_of(const LaunchFacts& launch, Way way) {
    return way == Way::points ? *launch.points : *launch.reduced;
}

/// A way with the bytes that the busiest rank receives.
struct Candidate {
    Share share;
    std::int64_t bytes = 0;
};

/// True if the points or chunks of a part read whole rows, or some elements of these, at numbers that are not gathered.
bool looks_up_rows(const LaunchFacts& launch, const Share& share, std::size_t k) {
    const schedule::Lookup& lookup = facts_of(launch, share.way).reach[k].lookup;
    const Layout& layout = launch.inputs[k].layout;
    if (lookup.factor == 0 || lookup.by >= launch.inputs.size() || share.gathered[lookup.by]) return false;
    return lookup.factor == layout.row && lookup.low >= 0 && lookup.high < layout.row;
}

/// Says which inputs are gathered: those of which ranks together miss more than half of what a gather would bring, and those
/// that are read in bands that are too short.
void find_gathered(const LaunchFacts& launch, int ranks, std::int64_t least_band_bytes, Candidate& candidate) {
    const Way way = candidate.share.way;
    std::vector<std::int64_t> received(static_cast<std::size_t>(ranks));
    candidate.share.gathered.assign(launch.inputs.size(), false);
    for (std::size_t k = 0; k < launch.inputs.size(); ++k) {
        const Layout& layout = launch.inputs[k].layout;
        const Reach& reach = facts_of(launch, way).reach[k];
        if (!layout.blocks || reach.kind == Reach::Kind::nothing) continue;
        std::vector<std::int64_t> missed;
        double all = 0, read = 0, bands = 0;
        for (int rank = 0; rank < ranks; ++rank) {
            const Interval part = candidate.share.parts[static_cast<std::size_t>(rank)];
            const std::vector<Interval> need = needed(launch, way, k, part);
            missed.push_back(missing(need, layout.own(ranks, rank)));
            all += static_cast<double>(missed.back());
            if (need.size() <= 2) continue;
            bands += static_cast<double>(need.size());
            for (const Interval& band : need) read += static_cast<double>(band.length() * launch.inputs[k].bytes_each);
        }
        candidate.share.gathered[k] = 2 * all > static_cast<double>(ranks - 1) * static_cast<double>(layout.elements()) ||
                                      read < bands * static_cast<double>(least_band_bytes);
        for (std::size_t rank = 0; rank < missed.size(); ++rank)
            received[rank] +=
                launch.inputs[k].bytes_each * (candidate.share.gathered[k]
                                                   ? layout.elements() - layout.own(ranks, static_cast<int>(rank)).length()
                                                   : missed[rank]);
    }
    candidate.bytes = *std::max_element(received.begin(), received.end());
    for (std::size_t k = 0; k < launch.inputs.size(); ++k)
        candidate.share.looked_up.push_back(candidate.share.gathered[k] && looks_up_rows(launch, candidate.share, k));
}

/// Each rank computes the rows that it is to have. Nothing where results are cut at different places, or parts would be too
/// short.
std::optional<Candidate> by_points(const LaunchFacts& launch, int ranks, std::int64_t least_band_bytes, std::string& why) {
    const PartFacts& facts = *launch.points;
    if (!facts.possible) return why = "its points depend on each other", std::nullopt;
    Candidate candidate{{Way::points, {}, {}, {}, {}}};
    for (int rank = 0; rank < ranks; ++rank) {
        std::optional<Interval> part;
        for (std::size_t k = 0; k < launch.outputs.size(); ++k) {
            if (!launch.outputs[k].layout.blocks) return why = "its results are numbers", std::nullopt;
            const std::int64_t each = facts.reach[launch.inputs.size() + k].slope;
            const Interval own = launch.outputs[k].layout.own(ranks, rank);
            if (each == 0 || own.begin % each != 0 || own.end % each != 0)
                return why = "rows of its results end within its outermost points", std::nullopt;
            const Interval here{own.begin / each, own.end / each};
            if (part && !(*part == here)) return why = "its results have rows of different lengths", std::nullopt;
            part = here;
        }
        if (!part) return why = "it has no results", std::nullopt;
        if (!part->empty() && part->length() < launch.least_points) return why = "parts would be too short", std::nullopt;
        candidate.share.parts.push_back(*part);
    }
    find_gathered(launch, ranks, least_band_bytes, candidate);
    return candidate;
}

/// The input whose blocks decide which rank has which chunks: the largest that parts of the reduce read along it.
const Operand* leading_input(const LaunchFacts& launch, const Reach*& reach) {
    const Operand* leading = nullptr;
    for (std::size_t k = 0; k < launch.inputs.size(); ++k) {
        const Operand& input = launch.inputs[k];
        const Reach& r = launch.reduced->reach[k];
        const bool along = input.layout.blocks && r.kind == Reach::Kind::near && r.slope > 0;
        if (!along || (leading && leading->layout.elements() >= input.layout.elements())) continue;
        leading = &input, reach = &r;
    }
    return leading;
}

/// A chunk goes to the rank that has its first element.
std::optional<Candidate> by_chunks(const LaunchFacts& launch, int ranks, std::int64_t least_band_bytes) {
    if (!launch.reduced || !launch.reduced->possible) return std::nullopt;
    const std::int64_t chunks = launch.chunks;
    if (chunks < 2) return std::nullopt;
    const Reach* reach = nullptr;
    const Operand* leading = leading_input(launch, reach);
    auto first_of = [&](int rank) {
        if (rank == 0 || rank == ranks) return rank == 0 ? 0 : chunks;
        if (!leading) return rows_of(chunks, ranks, rank).begin;
        const std::int64_t index = ceil_div(leading->layout.own(ranks, rank).begin - reach->low, reach->slope);
        return std::clamp<std::int64_t>(ceil_div(index, launch.chunk_length), 0, chunks);
    };
    Candidate candidate{{Way::chunks, {}, {}, {}, {}}};
    for (int rank = 0; rank < ranks; ++rank) candidate.share.parts.push_back({first_of(rank), first_of(rank + 1)});
    find_gathered(launch, ranks, least_band_bytes, candidate);
    return candidate;
}

Share whole(const LaunchFacts& launch, std::string why) {
    Share result{Way::whole, std::move(why), {}, {}, {}};
    for (const Operand& input : launch.inputs) result.gathered.push_back(input.layout.blocks);
    result.looked_up.resize(launch.inputs.size());
    return result;
}

}  // namespace

Interval indices(const LaunchFacts& launch, Way way, const Interval& part) {
    if (way == Way::points || part.empty()) return part;
    return {part.begin * launch.chunk_length,
            part.end == launch.chunks ? launch.reduced->extent : part.end * launch.chunk_length};
}

std::vector<Interval> needed(const LaunchFacts& launch, Way way, std::size_t input, const Interval& part) {
    return facts_of(launch, way).reach[input].parts_of(indices(launch, way, part), launch.inputs[input].layout.elements());
}

std::int64_t missing(const std::vector<Interval>& needed, const Interval& own) {
    std::int64_t elements = 0;
    for (const Interval& part : needed) elements += part.length() - common(part, own).length();
    return elements;
}

bool is_worth_looking_up(std::int64_t missed, const Layout& layout, std::int64_t bytes_each, int ranks) {
    const auto row = static_cast<double>(layout.row * bytes_each), number = 8.0;
    return 2 * static_cast<double>(missed) * (row + number) <=
           static_cast<double>(ranks - 1) * static_cast<double>(layout.rows) * row;
}

bool writes(const LaunchFacts& launch, std::size_t output) {
    return launch.reduced->reach[launch.inputs.size() + output].kind != Reach::Kind::nothing;
}

Interval written(const LaunchFacts& launch, const Share& share, std::size_t output, int rank) {
    const Interval part = share.parts[static_cast<std::size_t>(rank)];
    if (part.empty() || !writes(launch, output)) return {};
    const std::int64_t each = launch.reduced->reach[launch.inputs.size() + output].slope;
    const Interval range = indices(launch, share.way, part);
    return {range.begin * each, range.end * each};
}

Share share(const LaunchFacts& launch, int ranks, const Least& least) {
    if (launch.work < least.work) return whole(launch, "it is small");
    std::string why;
    std::optional<Candidate> points = by_points(launch, ranks, least.band_bytes, why),
                             chunks = by_chunks(launch, ranks, least.band_bytes);
    if (!points && !chunks) return whole(launch, why);
    // Where there are fewer points than ranks, some would have nothing to do.
    const bool few = points && launch.points->extent < ranks;
    if (!points || (chunks && (few || chunks->bytes < points->bytes))) {
        chunks->share.why = points ? "by points, more would be received" : why;
        return std::move(chunks->share);
    }
    return std::move(points->share);
}

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
        if (own.begin > 0 || reach.wraps)
            inside.begin = std::max(inside.begin, ceil_div(own.begin - reach.low, reach.slope));
        if (own.end < launch.inputs[k].layout.elements() || reach.wraps)
            inside.end = std::min(inside.end, floor_div(own.end - 1 - reach.high, reach.slope) + 1);
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
