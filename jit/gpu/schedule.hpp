// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a kernel is executed on this call's extents.
#pragma once

#include "jit/gpu/emit/kernel.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinter::gpu {

/// What can be said of a kernel before its extents are known.
struct Traits {
    struct Extent {
        bool constant;
        std::int64_t value;  ///< the number, or a position in the size table
    };
    struct Loop {
        const lower::Inst* inst;
        std::optional<std::vector<Extent>> extents;  ///< nothing: computed by the kernel
    };
    std::vector<Loop> loops;               ///< of the body
    const lower::Inst* chunked = nullptr;  ///< the only loop, if it may be cut into chunks
    std::optional<Captured> captured;      ///< the update of a kernel without loops
    bool on_host = false;                  ///< the parameters do not fit
    bool ordered = false;                  ///< an update in arbitrary order would show
    bool neighbours = false;               ///< neighbouring points read neighbours
    bool against_grain = false;  ///< loads of neighbouring points lie apart by a fixed distance, and there are rows
};

/// Refers to the kernel.
Traits traits_of(const lower::Kernel& kernel);

/// A launch. Chunks, and so all results, depend on extents alone.
struct Geometry {
    Schedule schedule;
    std::int64_t points = 1;
    std::int64_t chunks = 1, chunk_length = 0;

    std::int64_t tiles = 0;  ///< of form tiles
    std::int64_t bins = 0;   ///< of forms counts and bins

    /// Blocks that have something to do in this role.
    std::int64_t blocks(Role role) const;
};
Geometry choose(const lower::Kernel& kernel, const Traits& traits, const std::int64_t* sizes);

/// In one line: "a block per chunk: 1 points, 4 chunks of 4096".
std::string summary(const Geometry& geometry);

}  // namespace sinter::gpu
