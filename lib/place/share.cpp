// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "place/share.hpp"

#include "place/intervals.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace sinter::place {

using schedule::PartFacts;
using schedule::Reach;

namespace {

/// True if the points or chunks of a part read whole rows, or some elements of these, at the numbers in another input.
bool looks_up_rows(const LaunchFacts& launch, Way way, std::size_t k) {
    const schedule::Lookup& lookup = facts_of(launch, way).reach[k].lookup;
    const Layout& layout = launch.inputs[k].layout;
    if (lookup.factor == 0 || lookup.by >= launch.inputs.size()) return false;
    return lookup.factor == layout.row && lookup.low >= 0 && lookup.high < layout.row;
}

/// What the busiest rank is expected to receive of rows that are looked up.
std::int64_t expected(const LaunchFacts& launch, const Share& share, std::size_t k, int ranks) {
    const Operand& input = launch.inputs[k];
    const std::vector<std::int64_t> missed = rows_missed(launch, share, k, ranks);
    const std::int64_t all = std::accumulate(missed.begin(), missed.end(), std::int64_t{0});
    if (!is_worth_looking_up(all, input.layout, input.bytes_each, ranks)) return gathered_bytes(input, ranks);
    return *std::max_element(missed.begin(), missed.end()) * input.layout.row * input.bytes_each +
           all / ranks * number_bytes;
}

/// What a launch that is shared in some way reads of an input in blocks.
Offer::Input read_of(const LaunchFacts& launch, const Share& share, std::size_t k, int ranks,
                     std::int64_t least_band_bytes) {
    const Operand& input = launch.inputs[k];
    const Reach::Kind kind = facts_of(launch, share.way).reach[k].kind;
    if (!input.layout.blocks || kind == Reach::Kind::nothing) return {};
    if (kind == Reach::Kind::anything && !looks_up_rows(launch, share.way, k)) return {.gathered = true};
    if (kind == Reach::Kind::anything) return {.busiest = expected(launch, share, k, ranks), .looked_up = true};
    Offer::Input result;
    double read = 0, bands = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        const std::vector<Interval> need = needed(launch, share.way, k, share.parts[static_cast<std::size_t>(rank)]);
        const std::int64_t missed = missing(need, input.layout.own(ranks, rank));
        result.missed += missed;
        result.busiest = std::max(result.busiest, missed * input.bytes_each);
        if (need.size() <= 2) continue;
        bands += static_cast<double>(need.size());
        for (const Interval& band : need) read += static_cast<double>(band.length() * input.bytes_each);
    }
    result.gathered = read < bands * static_cast<double>(least_band_bytes);
    return result;
}

Offer offer(const LaunchFacts& launch, Way way, std::vector<Interval> parts, int ranks, std::int64_t least_band_bytes) {
    Offer result{{way, {}, {}, {}, std::move(parts)}, {}};
    for (std::size_t k = 0; k < launch.inputs.size(); ++k)
        result.inputs.push_back(read_of(launch, result.share, k, ranks, least_band_bytes));
    return result;
}

/// Each rank computes the rows that it is to have. Nothing where results are cut at different places, or parts would be too
/// short.
std::optional<Offer> by_points(const LaunchFacts& launch, int ranks, std::int64_t least_band_bytes, std::string& why) {
    const PartFacts& facts = *launch.points;
    if (!facts.possible) return why = "its points depend on each other", std::nullopt;
    std::vector<Interval> parts;
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
        parts.push_back(*part);
    }
    return offer(launch, Way::points, std::move(parts), ranks, least_band_bytes);
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
std::optional<Offer> by_chunks(const LaunchFacts& launch, int ranks, std::int64_t least_band_bytes) {
    if (!launch.reduced || !launch.reduced->possible) return std::nullopt;
    const std::int64_t chunks = launch.chunks;
    if (chunks < 2) return std::nullopt;
    const Reach* reach = nullptr;
    const Operand* leading = leading_input(launch, reach);
    auto first_of = [&](int rank) {
        if (rank == 0 || rank == ranks) return rank == 0 ? 0 : chunks;
        if (!leading) return rows_of(chunks, ranks, rank).begin;
        const std::int64_t index = ceil_div(leading->layout.own(ranks, rank).begin * reach->over - reach->low, reach->slope);
        return std::clamp<std::int64_t>(ceil_div(index, launch.chunk_length), 0, chunks);
    };
    std::vector<Interval> parts;
    for (int rank = 0; rank < ranks; ++rank) parts.push_back({first_of(rank), first_of(rank + 1)});
    return offer(launch, Way::chunks, std::move(parts), ranks, least_band_bytes);
}

Share whole(const LaunchFacts& launch, std::string why) {
    Share result{Way::whole, std::move(why), {}, {}, {}};
    for (const Operand& input : launch.inputs) result.gathered.push_back(input.layout.blocks);
    result.looked_up.resize(launch.inputs.size());
    return result;
}

/// Says which inputs are gathered: those that have to be, those that are wished to be, and where nothing is wished those of
/// which ranks together miss more than half of what a gather would bring.
Share accept(const LaunchFacts& launch, const Offer& offer, int ranks, const Wish* wish) {
    Share share = offer.share;
    auto is_gathered = [&](std::size_t k) {
        const Layout& layout = launch.inputs[k].layout;
        if (!layout.blocks || offer.inputs[k].gathered) return layout.blocks;
        if (wish) return bool{wish->gathered[k]};
        const double most = static_cast<double>(ranks - 1) * static_cast<double>(layout.elements());
        return 2 * static_cast<double>(offer.inputs[k].missed) > most;
    };
    for (std::size_t k = 0; k < launch.inputs.size(); ++k) share.gathered.push_back(is_gathered(k));
    const std::vector<bool> gathered = share.gathered;
    for (std::size_t k = 0; k < launch.inputs.size(); ++k) {
        const bool looked_up = offer.inputs[k].looked_up && !gathered[k];
        if (looked_up) share.gathered[k] = true;
        share.looked_up.push_back(looked_up && !gathered[facts_of(launch, share.way).reach[k].lookup.by]);
    }
    return share;
}

/// What the busiest rank receives in all.
std::int64_t bytes_of(const LaunchFacts& launch, const Offer& offer, const Share& share, int ranks) {
    std::int64_t bytes = 0;
    for (std::size_t k = 0; k < launch.inputs.size(); ++k)
        bytes += share.gathered[k] ? gathered_bytes(launch.inputs[k], ranks) : offer.inputs[k].busiest;
    return bytes;
}

}  // namespace

std::vector<Offer> offers(const LaunchFacts& launch, int ranks, const Least& least, std::string& why) {
    std::vector<Offer> result;
    std::optional<Offer> points = by_points(launch, ranks, least.band_bytes, why),
                         chunks = by_chunks(launch, ranks, least.band_bytes);
    // Where there are fewer points than ranks, some would have nothing to do.
    const bool few = points && launch.points->extent < ranks;
    if (chunks) chunks->share.why = points ? "by points, more would be received" : why;
    if (points && !(chunks && few)) result.push_back(std::move(*points));
    if (chunks) result.push_back(std::move(*chunks));
    return result;
}

Share share(const LaunchFacts& launch, int ranks, const Least& least, const Wish* wish) {
    const bool is_small = launch.work < least.work;
    if (is_small && (!wish || wish->estimated || wish->way == Way::whole)) return whole(launch, "it is small");
    if (wish && wish->way == Way::whole) return whole(launch, "shared, the program would take longer");
    std::string why;
    const std::vector<Offer> all = offers(launch, ranks, least, why);
    if (all.empty()) return whole(launch, why);
    const Offer* best = &all.front();
    for (const Offer& other : all) {
        if (wish ? other.share.way != wish->way
                 : bytes_of(launch, other, accept(launch, other, ranks, nullptr), ranks) >=
                       bytes_of(launch, *best, accept(launch, *best, ranks, nullptr), ranks))
            continue;
        best = &other;
    }
    return accept(launch, *best, ranks, wish);
}

}  // namespace sinter::place
