// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the threads of a card run a kernel: the last decision before code is written. The emitter gets a Schedule and the
/// launcher a Launch (launch.hpp); neither decides anything more.
///
/// A kernel without loops has one thread per point. If it has loops, a team of threads may share them, depending on the
/// number of points and the length of the loops. If points are few and a loop is long, blocks take chunks of it: those of a
/// reduce leave partial results to a second kernel (Harris, Optimizing Parallel Reduction in CUDA, 2007); those of a scan,
/// while all of them run, learn from the chunks before them what precedes their own (Merrill and Garland, Single-pass
/// Parallel Prefix Scan with Decoupled Look-back, 2016; ours has fixed windows, see jit/gpu/emit/team/lookback.hpp).
///
/// Updates by many threads at once meet at destinations. If their order does not show, atomic instructions execute them;
/// where destinations are few, they do so on copies in the memory of a block (Podlozhnyuk, Histogram Calculation in CUDA,
/// 2007). Otherwise the extents fix the order: either each warp has copies and applies its updates in order, or updates are
/// sorted by destination.
#pragma once

#include "schedule/card/register_tiles.hpp"
#include "schedule/card/scatters.hpp"
#include "schedule/card/shared_loop.hpp"
#include "schedule/card/transposed_squares.hpp"
#include "schedule/ways/update_facts.hpp"
#include "support/shared.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

namespace sinter::schedule::card {

/// One thread per point; loops are sequential.
struct Points {
    std::int64_t group = 1;  ///< neighbouring points that a thread takes at once
};

/// The same, but the threads of a block take a square of the innermost two axes: for loads against the grain that cannot go
/// through a block's memory (TransposedSquares).
struct Squares {};

/// One warp per point: its threads share the loops of the body.
struct Warps {};

/// One block per point: its threads share the loops of the body.
struct Blocks {};

/// The body's only loop, a reduce, is cut into chunks, with one block per chunk of a point.
struct ReduceChunks {
    const lower::Inst* loop;
};

/// The same for a scan or compact; a chunk is a tile.
struct ScanChunks {
    const lower::Inst* loop;
    bool packed;  ///< the value of a chunk fits in one word together with the flag that says that it is there
};

/// One thread per point; a block updates copies by atomic instructions, in any order.
struct CopiesInAnyOrder {
    const CapturedUpdate* update;
};

/// The points are cut into chunks, with one block per chunk; each of its warps updates a copy in order.
struct CopiesInOrder {
    const CapturedUpdate* update;
};

/// Updates are noted, sorted by destination and applied, with one thread per destination.
struct Sorted {
    const CapturedUpdate* update;
};

/// The host runs the kernel instead.
struct OnHost {};

using Way = std::variant<Points, Squares, TransposedSquares, RegisterTiles, Warps, Blocks, ReduceChunks, ScanChunks,
                         CopiesInAnyOrder, CopiesInOrder, Sorted, OnHost>;
constexpr std::size_t way_count = std::variant_size_v<Way>;
/// Code is made once for each of these numbers: by way, and for register tiles also by their shape and by who multiplies.
constexpr std::size_t code_count = way_count + 4;
std::size_t code_number(const Way& way);
/// For example "a thread per point".
std::string_view name_of(const Way& way);

/// Blocks for which a multiprocessor has to have room, or 0 if that does not matter: more blocks have fewer registers.
SINTER_SHARED int blocks_each(const Way& way);

/// The loop that is cut into chunks, or null.
SINTER_SHARED const lower::Inst* chunked_loop(const Way& way);
/// The update that points leave to others, or null.
const CapturedUpdate* captured_in(const Way& way);
/// True if launches need nothing from the host: they may be guarded by the device and recorded.
bool is_all_on_card(const Way& way);

/// Everything that code depends on. Refers to the candidates from which it was made.
struct Schedule {
    Way way;
    std::span<const SharedLoop> loops;    ///< by loop of the body, if teams share loops; else empty
    std::span<const UpdateFact> updates;  ///< how elements are updated
    const Scatters* scatters;             ///< at which stores threads may meet
    bool is_part = false;                 ///< launches execute a part of what there is (launch.hpp)

    const SharedLoop* find(const lower::Inst& loop) const {
        for (const SharedLoop& shared : loops)
            if (shared.inst == &loop) return &shared;
        return nullptr;
    }
    const UpdateFact* find_update(const lower::Inst& update) const {
        for (const UpdateFact& fact : updates)
            if (fact.inst == &update) return &fact;
        return nullptr;
    }
};

}  // namespace sinter::schedule::card
