// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What code for a card is made from.
#pragma once

#include "lower/kernel.hpp"
#include "schedule/card/launch.hpp"

#include <variant>

namespace sinter::codegen {

/// The kernels of a way. Refers to what it is made from.
struct CardKernels {
    const lower::Kernel& kernel;
    const schedule::card::Schedule& schedule;
};

/// A pass of a sort (jit/gpu/emit/sort/sort_kernels.hpp).
struct SortKind {
    lower::Scalar key;
    bool descending;
    bool indexed;  ///< positions, which are u32, travel with the keys
};

/// The kernels that a sort needs in addition to its passes.
struct Gather {
    int element_bytes;
};
struct RowNumbers {};

using CardCode = std::variant<CardKernels, SortKind, Gather, RowNumbers>;

struct PtxTarget {
    int architecture;  ///< 75, 80, 90, ...: compute capability times ten
    int version;       ///< of PTX, times ten
};

/// The threads for which a thread of a card's kernels may wait.
enum class Waits : std::uint64_t { no, in_block, for_blocks };

/// A card's kernels for the host: an object file in which `NAME.call` takes an array of pointers to the parameters of
/// `NAME`.
struct EmulatedCode {
    std::string object;
    std::size_t shared_bytes;  ///< memory of a block
    Waits waits;
};

}  // namespace sinter::codegen
