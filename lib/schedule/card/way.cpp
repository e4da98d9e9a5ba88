// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/card/way.hpp"

#include "schedule/card/tuning.hpp"
#include "support/match.hpp"

#include <iterator>
#include <type_traits>

namespace sinter::schedule::card {

std::string_view name_of(const Way& way) {
    static constexpr std::string_view names[] = {"a thread per point",
                                                 "a square of points per block",
                                                 "a square of points per block, transposed in its memory",
                                                 "a tile of points per block, in registers",
                                                 "a warp per point",
                                                 "a block per point",
                                                 "a block per chunk of a reduce",
                                                 "a block per chunk of a scan",
                                                 "copies per block, updated in any order",
                                                 "copies per warp, updated in order",
                                                 "updates sorted by destination",
                                                 "on the host"};
    static_assert(std::size(names) == way_count);
    return names[way.index()];
}

std::size_t code_number(const Way& way) {
    const auto* tiles = std::get_if<RegisterTiles>(&way);
    if (!tiles) return way.index();
    if (tiles->tensor_cores) return way_count + (tiles->is_broad() ? 3 : tiles->is_narrow() ? 1 : 2);
    return tiles->is_narrow() ? way_count : way.index();
}

int blocks_each(const Way& way) {
    if (const auto* tiles = std::get_if<RegisterTiles>(&way))
        return tiles->is_broad() ? tuning::broad_blocks : (tiles->is_narrow() ? 2 : 1) * tuning::tile_blocks;
    return std::holds_alternative<ScanChunks>(way) ? tuning::scan_blocks : 0;
}

const lower::Inst* chunked_loop(const Way& way) {
    if (const auto* reduce = std::get_if<ReduceChunks>(&way)) return reduce->loop;
    if (const auto* scan = std::get_if<ScanChunks>(&way)) return scan->loop;
    return nullptr;
}

const CapturedUpdate* captured_in(const Way& way) {
    return std::visit(
        [](const auto& w) -> const CapturedUpdate* {
            if constexpr (requires { w.update; }) return w.update;
            return nullptr;
        },
        way);
}

bool is_all_on_card(const Way& way) { return !std::holds_alternative<OnHost>(way) && !std::holds_alternative<Sorted>(way); }

}  // namespace sinter::schedule::card
