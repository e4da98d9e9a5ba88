// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is known of a kernel before its extents and the machine are: gathered once, whatever it is to run on.
#pragma once

#include "lower/kernel.hpp"
#include "schedule/facts/borders.hpp"
#include "schedule/facts/row_borders.hpp"
#include "schedule/facts/sides.hpp"
#include "schedule/ways/update_facts.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sinter::schedule {

/// The extent of an axis: a number, or an entry of the kernel's size table.
struct Extent {
    bool constant;
    std::int64_t value;
    std::int64_t of(const std::int64_t* sizes) const { return constant ? value : sizes[value]; }
};

/// By counted sequential loop: the numbers of its steps and of those of the loops around it, as far as they are known at
/// launch.
using Steps = std::vector<std::vector<Extent>>;

/// What is known of a kernel. Refers to the kernel.
struct Facts {
    /// A loop of the body.
    struct Loop {
        const lower::Inst* inst;
        std::optional<std::vector<Extent>> extents;  ///< nothing if the kernel computes them
        Profile element;                             ///< of an element, with lanes on the loop's innermost axis
        Profile combine;                             ///< for a reduce or scan: of combining an element with others
        Steps steps = {};                            ///< of the sequential loops of an element
        bool commutative = false;                    ///< for a reduce: the operator is marked so, or has neutral elements
    };
    /// A sequential loop of the body as a reduce (lower/as_reduce.hpp).
    struct OrderedFold {
        const lower::Inst* inst;                    ///< the sequential loop
        std::shared_ptr<const lower::Inst> reduce;  ///< what it computes if elements are combined in order
        Loop loop;                                  ///< what is known of `reduce`: its extents
    };
    ControlFlow control;                     ///< what the states of loops and the results of branches vary with
    Profile points;                          ///< of a point, with lanes on the innermost parallel axis
    Sides sides;                             ///< of the body's comparisons, along the innermost parallel axis
    Borders borders = Borders::masked;       ///< of these lanes, where no point is left halfway through
    std::vector<Loop> loops;                 ///< the reduces, for_eaches, scans and compacts that every point executes
    std::optional<OrderedFold> ordered;      ///< the body's only loop, if it is a sequential one that folds, and its extents
                                             ///< are known at launch
    Steps steps;                             ///< of the body's sequential loops
    const lower::Inst* chunked = nullptr;    ///< the body's only loop, if its extents are known at launch and it may be cut
                                             ///< into chunks; with updates, only a scan whose emit block has them all:
                                             ///< chunks have accumulators of their own
    std::vector<std::size_t> state_bytes;    ///< bytes of each value of the chunked loop
    std::vector<UpdateFact> updates;         ///< the updates of elements in place
    std::optional<CapturedUpdate> captured;  ///< the update of a kernel without loops, if points may leave it to others
    bool nested_loops = false;               ///< branches or sequential loops of the body contain loops
    bool has_local_buffers = false;          ///< points have arrays of their own
    bool reads_shifted = false;              ///< loads at other elements than the points' own, as a stencil's
    RowBorders row_borders;                  ///< along the outer axes
};

Facts facts_of(const lower::Kernel& kernel);

}  // namespace sinter::schedule
