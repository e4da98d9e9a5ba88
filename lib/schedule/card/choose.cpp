// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides first about an update that points may leave to others, then about the number of threads per point.
#include "schedule/card/decision.hpp"

#include "schedule/card/tuning.hpp"
#include "support/arithmetic.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace sinter::schedule::card {

using ir::Op;

namespace {

std::int64_t elements_of(const Facts::Loop& loop, const std::int64_t* sizes) {
    if (!loop.extents) return tuning::unknown_elements;
    std::int64_t n = 1;
    for (const Extent& extent : *loop.extents) n *= std::max<std::int64_t>(0, extent.of(sizes));
    return n;
}

/// The number of copies of all destinations for which a block has room: a power of two, and at most one per warp. 0 if there
/// is room for none.
std::int64_t copies_of(const CapturedUpdate& update, std::int64_t destinations) {
    const std::int64_t most = tuning::copies_bytes / (update.bytes() * std::max<std::int64_t>(1, destinations));
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(std::min(most, block_warps))));
}

/// True if the value of a chunk fits in one word together with a flag. For a compact, the value is a number of elements,
/// which does.
bool is_packed(const lower::Inst& loop) {
    unsigned bits = 0;
    for (ir::Scalar type : loop.types) bits += 8 * static_cast<unsigned>(detail::size_of(type));
    return bits < tuning::packed_bits || loop.op == Op::compact;
}

class Choose {
  public:
    Choose(const lower::Kernel& kernel, const Candidates& candidates, const std::int64_t* sizes, const Card& card)
        : kernel_(kernel), candidates_(candidates), facts_(candidates.facts), sizes_(sizes), card_(card) {}

    Decision operator()() {
        for (ir::SizeId id : kernel_.space) launch().points *= sizes_[id.index];
        for (const Facts::Loop& loop : facts_.loops) d.elements = std::max(d.elements, elements_of(loop, sizes_));
        if (facts_.captured) launch().destinations = sizes_[kernel_.buffers[facts_.captured->buffer].elements.index];
        if (candidates_.prints)
            take(OnHost{}, Reason::prints);
        else if (!kernel_.accumulators.empty())
            take(OnHost{}, Reason::accumulators);
        else if (!choose_for_update())
            candidates_.order_shows() ? take(OnHost{}, Reason::order_shows) : choose_threads();
        if (!std::holds_alternative<OnHost>(d.way) && candidates_.has_many_parameters(d.way)) give_up();
        std::visit([&](const auto& way) { cut(way); }, d.way);
        return std::move(d);
    }

  private:
    void take(Way way, Reason reason) {
        d.way = way;
        d.reason = reason;
    }

    void give_up() {
        take(OnHost{}, Reason::parameters);
        launch().tiles = 0;
    }

    /// Decides how the captured update is executed. Returns false if it is left to updates of the destinations themselves.
    bool choose_for_update() {
        if (!facts_.captured) return false;
        const CapturedUpdate& update = *facts_.captured;
        const std::int64_t points = launch().points, destinations = launch().destinations;
        const std::int64_t copies = copies_of(update, destinations);
        const bool many = points >= tuning::many_updates && points >= tuning::updates_each * destinations;
        if (update.fact.atomic && update.has_neutral) {
            if (many && copies > 0) take(CopiesInAnyOrder{&update}, Reason::many_updates);
            return many && copies > 0;
        }
        const bool ordered = candidates_.order_shows();
        if (copies == block_warps && (ordered || many))
            return take(CopiesInOrder{&update}, ordered ? Reason::order_shows : Reason::many_updates), true;
        if (!ordered || points >= tuning::most_sorted || destinations >= tuning::most_sorted) return false;
        return take(Sorted{&update}, Reason::no_room_in_blocks), true;
    }

    /// True if there are points enough, and at least half of the rows and of the columns of a tile are points.
    bool fills(std::size_t row_axis, std::int64_t rows, std::int64_t columns) {
        auto extent = [&](std::size_t axis) { return sizes_[kernel_.space[axis].index]; };
        return launch().points >= tuning::few_points && 2 * extent(row_axis) >= rows &&
               2 * extent(kernel_.space.size() - 1) >= columns;
    }
    bool fills(const TransposedSquares& way) { return fills(way.row_axis, way.edge, way.edge); }

    /// Takes tiles of as many points as leave work for most of a card, if there are any.
    bool choose_tiles() {
        RegisterTiles tiles = *candidates_.tiles;
        if (card_.tensor_cores && !tiles.factors.empty()) tiles = tiles.by_tensor_cores();
        if (d.elements < tuning::least_tile_elements) return false;
        for (const auto& [shape, least] : {std::pair(tiles.broad, tuning::many_tiles),
                                           {tiles.wide, tuning::many_tiles},
                                           {tiles.narrow, tuning::few_tiles}}) {
            if (shape == tiles.broad && !tiles.tensor_cores) continue;
            tiles.tile = shape;
            cut(tiles);
            if (launch().tiles < least || !fills(tiles.row_axis, tiles.block_rows(), tiles.block_columns())) continue;
            take(std::move(tiles), Reason::product);
            return true;
        }
        launch().tiles = 0;
        return false;
    }

    void choose_threads() {
        const std::int64_t points = launch().points;
        if (candidates_.transposed && fills(*candidates_.transposed))
            take(*candidates_.transposed, Reason::against_grain);
        else if (facts_.loops.empty() && candidates_.in_squares &&
                 fills(kernel_.space.size() - 2, tuning::square_edge, tuning::square_edge))
            take(Squares{}, Reason::against_grain);
        else if (candidates_.tiles && choose_tiles())
            return;
        else if (facts_.loops.empty())
            take(Points{candidates_.group}, facts_.captured ? Reason::few_updates : Reason::no_loops);
        else if (points >= tuning::many_points && facts_.points.contiguous > 0)
            take(Points{candidates_.group}, Reason::many_points);
        else if (candidates_.chunked && points < tuning::few_points &&
                 d.elements >= tuning::least_chunks * tuning::chunk_elements)
            take(in_chunks(*facts_.chunked), Reason::few_points);
        else if (d.elements >= tuning::block_elements)
            take(Blocks{}, Reason::length);
        else if (d.elements >= tuning::warp_elements)
            take(Warps{}, Reason::length);
        else if (facts_.loops.size() > 1)
            take(Warps{}, Reason::several_loops);
        else
            take(Points{candidates_.group}, Reason::length);
    }

    static Way in_chunks(const lower::Inst& loop) {
        if (loop.op == Op::reduce) return ReduceChunks{&loop};
        return ScanChunks{&loop, is_packed(loop)};
    }

    template <class W>
    void cut(const W& /*way*/) {}

    void cut(const Squares&) { cut_tiles(kernel_.space.size() - 2, tuning::square_edge, tuning::square_edge); }
    void cut(const TransposedSquares& way) { cut_tiles(way.row_axis, way.edge, way.edge); }

    void cut(const RegisterTiles& way) { cut_tiles(way.row_axis, way.block_rows(), way.block_columns()); }

    void cut_tiles(std::size_t row_axis, std::int64_t rows, std::int64_t columns) {
        launch().tiles = 1;
        for (std::size_t axis = 0; axis < kernel_.space.size(); ++axis) {
            const std::int64_t along = axis == row_axis ? rows : axis + 1 == kernel_.space.size() ? columns : 1;
            launch().tiles *= ceil_div(sizes_[kernel_.space[axis].index], along);
        }
    }

    void cut(const ReduceChunks&) {
        const std::int64_t most =
            std::max<std::int64_t>(1, tuning::wanted_chunks / std::max<std::int64_t>(1, launch().points));
        const std::int64_t least = std::max(tuning::chunk_elements, ceil_div(d.elements, most));
        set_chunks(d.elements, round_up(least, tuning::chunk_multiple));
    }

    void cut(const ScanChunks&) { set_chunks(d.elements, candidates_.in_chunks[0].tile.of_block()); }

    void cut(const CopiesInAnyOrder& way) { launch().chunks = copies_of(*way.update, launch().destinations); }

    void cut(const CopiesInOrder&) {
        const std::int64_t points = launch().points, destinations = launch().destinations;
        const std::int64_t least =
            std::max({tuning::chunk_points, tuning::updates_each * destinations, ceil_div(points, tuning::wanted_chunks)});
        set_chunks(points, round_up(least, block_threads));
    }

    void set_chunks(std::int64_t elements, std::int64_t length) {
        launch().chunk_length = length;
        launch().chunks = ceil_div(elements, length);
    }

    Launch& launch() { return d.launch; }

    const lower::Kernel& kernel_;
    const Candidates& candidates_;
    const Facts& facts_;
    const std::int64_t* sizes_;
    const Card& card_;
    Decision d;
};

}  // namespace

Decision decide(const lower::Kernel& kernel, const Candidates& candidates, const std::int64_t* sizes, const Card& card) {
    Decision decision = Choose(kernel, candidates, sizes, card)();
    decision.launch.states = states_of(decision.way, decision.launch);
    if (!std::holds_alternative<OnHost>(decision.way))
        for (ir::SizeId elements : candidates.scatters.claimed)
            decision.launch.states.push_back(bits_for(sizes[elements.index]));
    decision.launch.stages = stages_of(decision.way, decision.launch, card);
    return decision;
}

}  // namespace sinter::schedule::card
