// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays from and to foreign memory and files: what sinter/npy.hpp and sinter/dlpack.hpp call. Definitions: lib/run.
#pragma once

#include <sinter/detail/handle.hpp>
#include <sinter/detail/scalar.hpp>
#include <sinter/error.hpp>

#include <string>

namespace sinter::detail {

/// The caller's memory as an array: release(owner) is called once, when nothing refers to the memory any more (not if this
/// throws). Possibly on another thread.
SINTER_API LeafRef adopt_array(Scalar type, const void* data, void* owner, void (*release)(void* owner),
                               const std::int64_t* shape, std::size_t rank, location where);

/// An element as files know it: a scalar, or a complex number of two of them (two leaves).
struct FileElement {
    Scalar scalar;
    bool complex;
};

/// Reads an array of this element type and rank; `out`: one leaf, two of complex numbers.
SINTER_API void load_npy(const std::string& path, FileElement element, std::size_t rank, LeafRef* out, location where);
SINTER_API void save_npy(const std::string& path, FileElement element, const std::int64_t* shape, std::size_t rank,
                         const LeafRef* leaves, location where);

}  // namespace sinter::detail
