// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the threads of a card run a kernel: the last decision before code is written. The emitter gets a Schedule, the
/// launcher a Launch (launch.hpp), and neither decides anything more.
///
/// A kernel without loops has a thread for each point. Where it has loops, a team of threads may share them: it depends on
/// how many points there are and how long the loops. Where points are few and the loop is long, blocks take chunks of it:
/// those of a reduce leave partial results to a second kernel (Harris, Optimizing Parallel Reduction in CUDA, 2007), those
/// of a scan learn from the chunks before them, while all of them run, what comes before (Merrill and Garland, Single-pass
/// Parallel Prefix Scan with Decoupled Look-back, 2016; ours has fixed windows, see jit/gpu/emit/team/lookback.hpp).
///
/// Updates by many threads at once meet at destinations. If the order does not show, atomic instructions do them, on copies
/// in the memory of a block where destinations are few (Podlozhnyuk, Histogram Calculation in CUDA, 2007). Else the order is
/// fixed by the extents: each warp has copies and applies its updates in order, or updates are sorted by their destination.
#pragma once

#include "schedule/card/shared_loop.hpp"
#include "schedule/ways/update_facts.hpp"
#include "support/shared.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

namespace sinter::schedule::card {

/// A thread a point; loops are sequential.
struct Points {
    std::int64_t group = 1;  ///< neighbours that a thread takes at once
};

/// The same, the threads of a block a square of the innermost two axes: for loads against the grain.
struct Squares {};

/// A warp a point: its threads share the loops of the body.
struct Warps {};

/// A block a point, likewise.
struct Blocks {};

/// The body's only loop, a reduce, is cut into chunks, a block a chunk of a point.
struct ReduceChunks {
    const lower::Inst* loop;
};

/// The same of a scan or compact; a chunk is a tile.
struct ScanChunks {
    const lower::Inst* loop;
    bool packed;  ///< a chunk's values fit one word, with the flag that says that they are there
};

/// A thread a point; a block updates copies by atomic instructions, in any order.
struct CopiesInAnyOrder {
    const CapturedUpdate* update;
};

/// The points are cut into chunks, a block a chunk, each of whose warps updates a copy in order.
struct CopiesInOrder {
    const CapturedUpdate* update;
};

/// Updates are noted, sorted by destination and applied, a thread a destination.
struct Sorted {
    const CapturedUpdate* update;
};

/// Not on the card.
struct OnHost {};

using Way =
    std::variant<Points, Squares, Warps, Blocks, ReduceChunks, ScanChunks, CopiesInAnyOrder, CopiesInOrder, Sorted, OnHost>;
constexpr std::size_t way_count = std::variant_size_v<Way>;
/// "a thread per point".
std::string_view name_of(const Way& way);

/// The loop that is cut into chunks, or null.
SINTER_SHARED const lower::Inst* chunked_loop(const Way& way);
/// The update that points leave to others, or null.
const CapturedUpdate* captured_in(const Way& way);
/// Whether launches need nothing of the host: what may be guarded by the device and recorded.
bool is_all_on_card(const Way& way);

/// All that code depends on. Refers to the candidates it is of.
struct Schedule {
    Way way;
    std::span<const SharedLoop> loops;    ///< of the body, where teams share them; else empty
    std::span<const UpdateFact> updates;  ///< how elements are updated

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
