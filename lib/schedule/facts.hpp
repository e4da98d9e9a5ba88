// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What can be said of a kernel before its extents and the machine are known: gathered once, whatever it is to run on.
#pragma once

#include "lower/kernel.hpp"
#include "schedule/pattern.hpp"
#include "schedule/ways/update_facts.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::schedule {

/// Of an axis: a number, or an entry of the kernel's size table.
struct Extent {
    bool constant;
    std::int64_t value;
    std::int64_t of(const std::int64_t* sizes) const { return constant ? value : sizes[value]; }
};

/// Refers to the kernel.
struct Facts {
    /// A loop of the body.
    struct Loop {
        const lower::Inst* inst;
        std::optional<std::vector<Extent>> extents;  ///< nothing: computed by the kernel
        Profile element;                             ///< of an element, lanes on the loop's innermost axis
        Profile combine;                             ///< of a reduce: of combining an element with others
        bool commutative = false;                    ///< of a reduce: the operator is marked so, or has neutral elements
    };
    Profile points;           ///< of a point, lanes on the innermost parallel axis
    std::vector<Loop> loops;  ///< reduces, for_eaches, scans and compacts that every point executes
    const lower::Inst* chunked =
        nullptr;  ///< the body's only loop, of extents known at launch, if it may be cut into chunks
    std::vector<std::size_t> state_bytes;    ///< of the chunked loop's values
    bool updates_before_chunked = false;     ///< what stands before that loop updates: chunks cannot each execute it
    std::vector<UpdateFact> updates;         ///< of elements in place
    std::optional<CapturedUpdate> captured;  ///< the update of a kernel without loops, where points may leave it to others
    bool nested_loops = false;               ///< branches or sequential loops of the body contain loops
    bool has_local_buffers = false;          ///< points keep arrays of their own
};

Facts facts_of(const lower::Kernel& kernel);

}  // namespace sinter::schedule
