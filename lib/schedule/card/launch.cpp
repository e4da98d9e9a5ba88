// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/card/launch.hpp"

#include "support/arithmetic.hpp"
#include "support/match.hpp"

#include <algorithm>

namespace sinter::schedule::card {

namespace {

void add_values(std::vector<StateArray>& arrays, const std::vector<ir::Scalar>& types, std::int64_t elements) {
    for (ir::Scalar type : types) arrays.push_back({detail::size_of(type), elements});
}

/// One array per value, [chunk][point].
std::vector<StateArray> states(const ReduceChunks& w, const Launch& launch) {
    std::vector<StateArray> arrays;
    add_values(arrays, w.loop->types, launch.points * launch.chunks);
    return arrays;
}

/// Words, of which the first does not belong to an entry, and words for each of the values that do not fit in them.
std::vector<StateArray> states(const ScanChunks& w, const Launch& launch) {
    const std::int64_t entries = launch.points * lookback_entries(launch.chunks);
    std::vector<StateArray> arrays{{8, entries + 1, true}};
    if (!w.packed) arrays.insert(arrays.end(), w.loop->types.size(), {8, entries});
    return arrays;
}

/// One array per value, [chunk][destination], and one of flags if there is no neutral element.
std::vector<StateArray> states(const CopiesInOrder& w, const Launch& launch) {
    std::vector<StateArray> arrays;
    add_values(arrays, w.update->fold.types, launch.chunks * launch.destinations);
    if (!w.update->has_neutral) arrays.push_back({1, launch.chunks * launch.destinations});
    return arrays;
}

std::vector<StateArray> states(const Sorted& w, const Launch& launch) {
    std::vector<StateArray> arrays(note_array::values, {4, launch.points});
    add_values(arrays, w.update->fold.types, launch.points);
    return arrays;
}

template <class W>
std::vector<StateArray> states(const W& /*way*/, const Launch& /*launch*/) {
    return {};
}

/// The number of blocks that have something to do.
std::int64_t blocks(const Way& way, const Launch& l, Role role) {
    return match(
        way, [&](const Points&) { return ceil_div(l.points, block_threads); }, [&](const Squares&) { return l.tiles; },
        [&](const TransposedSquares&) { return l.tiles; }, [&](const RegisterTiles&) { return l.tiles; },
        [&](const Warps&) { return ceil_div(l.points, block_warps); }, [&](const Blocks&) { return l.points; },
        [&](const ReduceChunks&) { return role == Role::partial ? l.points * l.chunks : l.points; },
        [&](const ScanChunks&) { return l.points * l.chunks; },
        [&](const CopiesInAnyOrder&) { return ceil_div(l.points, block_threads * tuning::updates_each); },
        [&](const CopiesInOrder&) { return role == Role::merge ? ceil_div(l.destinations, block_warps) : l.chunks; },
        [&](const Sorted&) { return ceil_div(l.points, block_threads); }, [](const OnHost&) { return std::int64_t{0}; });
}

}  // namespace

std::vector<Role> roles_of(const Way& way) {
    if (std::holds_alternative<ReduceChunks>(way)) return {Role::partial, Role::finish};
    if (std::holds_alternative<ScanChunks>(way)) return {Role::scan};
    if (std::holds_alternative<CopiesInOrder>(way)) return {Role::update, Role::merge};
    if (std::holds_alternative<Sorted>(way)) return {Role::note, Role::apply};
    if (std::holds_alternative<OnHost>(way)) return {};
    return {Role::whole};
}

std::vector<StateArray> states_of(const Way& way, const Launch& launch) {
    return std::visit([&](const auto& w) { return states(w, launch); }, way);
}

std::vector<Stage> stages_of(const Way& way, const Launch& launch, const Card& card) {
    std::vector<Stage> result;
    for (Role role : roles_of(way))
        if (const std::int64_t count = blocks(way, launch, role); count > 0)
            result.push_back({role, std::min(count, card.blocks)});
    return result;
}

Cut cut_of(const Way& way) {
    return match(
        way, [](const Points&) { return Cut::at_points; }, [](const Squares&) { return Cut::at_points; },
        [](const TransposedSquares&) { return Cut::at_points; }, [](const RegisterTiles&) { return Cut::at_points; },
        [](const Warps&) { return Cut::at_points; }, [](const Blocks&) { return Cut::at_points; },
        [](const ReduceChunks&) { return Cut::at_chunks; }, [](const auto&) { return Cut::nowhere; });
}

Launch part_of(const Way& way, const Launch& whole, std::int64_t length, std::int64_t extent, const Card& card) {
    Launch part = whole;
    if (cut_of(way) == Cut::at_chunks) {
        part.stages = {{Role::partial, std::min(whole.points * length, card.blocks)}};
        return part;
    }
    part.points = whole.points / extent * length;
    part.tiles = std::min(whole.tiles, ceil_div(whole.tiles, extent) * length);
    part.stages = stages_of(way, part, card);
    return part;
}

}  // namespace sinter::schedule::card
