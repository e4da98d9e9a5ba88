// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a message calls a loop on arrays.
#pragma once

#include "ir/program.hpp"

#include <string>

namespace sinter::ir {

/// What the user called at its site, as for_loop; the operation itself is named for.
inline std::string loop_name(bool counted, SiteId id, std::span<const Site> sites) {
    const Site site = site_of(sites, id);
    if (site.called) return site.called;
    return counted ? "for_loop" : "while_loop";
}

}  // namespace sinter::ir
