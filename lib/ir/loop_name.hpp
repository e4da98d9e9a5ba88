// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The name of a loop on arrays in messages.
#pragma once

#include "ir/program.hpp"

#include <string>

namespace sinter::ir {

/// What the user called at its site, for example for_loop. (The operations themselves are named while and for.)
inline std::string loop_name(bool counted, SiteId id, std::span<const Site> sites) {
    const Site site = site_of(sites, id);
    if (site.called) return site.called;
    return counted ? "for_loop" : "while_loop";
}

}  // namespace sinter::ir
