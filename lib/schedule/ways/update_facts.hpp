// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What can be said of a kernel's `update` instructions where many threads execute them at once.
#pragma once

#include "lower/kernel.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::schedule {

/// One update instruction.
struct UpdateFact {
    const lower::Inst* inst;
    /// The order of updates does not matter to the bits, and one memory access does each: a value that is an integer or the
    /// extremum of floats.
    bool any_order = false;
    std::optional<ir::Op> atomic = {};  ///< the operation of an atomic instruction that does the whole update
};
/// Of all updates of the kernel, in order.
std::vector<UpdateFact> update_facts(const lower::Kernel& kernel);

/// The only update of a kernel, which each of its points executes at most once, by an operator that needs nothing else.
struct CapturedUpdate {
    UpdateFact fact;
    lower::Inst fold;  ///< a reduce with the operator, for a block that starts at level 0
    bool has_neutral;
    std::size_t buffer;  ///< the first one updated

    /// What is kept of a destination.
    std::int64_t bytes() const;
};
/// `updates`: those of the kernel.
std::optional<CapturedUpdate> captured_update(const lower::Kernel& kernel, const std::vector<UpdateFact>& updates);

}  // namespace sinter::schedule
