// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/card/way.hpp"

#include "support/match.hpp"

#include <iterator>
#include <type_traits>

namespace sinter::schedule::card {

std::string_view name_of(const Way& way) {
    static constexpr std::string_view names[] = {"a thread per point",
                                                 "a square of points per block",
                                                 "a square of points per block, transposed in its memory",
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
