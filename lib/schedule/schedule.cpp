// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/schedule.hpp"

#include <iterator>

namespace sinter::schedule {

std::string_view name_of(const Way& way) {
    static constexpr std::string_view names[] = {"points",     "squares",       "inner",
                                                 "row blocks", "register tile", "rows together"};
    static_assert(std::size(names) == std::variant_size_v<Way>);
    return names[way.index()];
}

}  // namespace sinter::schedule
