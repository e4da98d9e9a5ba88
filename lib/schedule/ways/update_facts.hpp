// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is known of the `update` instructions of a kernel where many threads execute them at once.
#pragma once

#include "lower/kernel.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::schedule {

/// One update instruction.
struct UpdateFact {
    const lower::Inst* inst;
    /// The order of updates does not affect the bits, and one memory access executes each of them: the value is an integer
    /// or the extremum of floats.
    bool any_order = false;
    std::optional<ir::Op> atomic = {};  ///< the operation of an atomic instruction that executes the whole update
};
/// Facts about all updates of the kernel, in order.
std::vector<UpdateFact> update_facts(const lower::Kernel& kernel);

/// The only update of a kernel, if each of its points executes it at most once, by an operator that needs nothing else.
struct CapturedUpdate {
    UpdateFact fact;
    lower::Inst fold;  ///< a reduce with this operator, for a block that begins at level 0
    bool has_neutral;
    std::size_t buffer;  ///< the first one that is updated

    /// The bytes kept per destination.
    std::int64_t bytes() const;
};
/// The captured update, if there is one; `updates` are those of the kernel.
std::optional<CapturedUpdate> captured_update(const lower::Kernel& kernel, const std::vector<UpdateFact>& updates);

}  // namespace sinter::schedule
