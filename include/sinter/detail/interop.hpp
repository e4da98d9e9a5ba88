// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays from and to foreign memory and files: what sinter/npy.hpp and sinter/dlpack.hpp call. Definitions: lib/run.
#pragma once

#include <sinter/detail/handle.hpp>
#include <sinter/detail/scalar.hpp>
#include <sinter/error.hpp>

#include <cstdint>
#include <string>
#include <vector>

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

/// Reads an array of this element type and rank; `convert`: from any. `out`: one leaf, two of complex numbers.
SINTER_API void load_npy(const std::string& path, FileElement element, std::size_t rank, bool convert, LeafRef* out,
                         location where);
SINTER_API void save_npy(const std::string& path, FileElement element, const std::int64_t* shape, std::size_t rank,
                         const LeafRef* leaves, location where);

/// An array of an archive.
struct NpzMember {
    std::string name;  ///< without .npy
    FileElement element;
    std::vector<std::int64_t> shape;
    const LeafRef* leaves;
};
SINTER_API void save_npz(const std::string& path, const NpzMember* members, std::size_t count, location where);
SINTER_API void load_npz(const std::string& path, const std::string& name, FileElement element, std::size_t rank,
                         bool convert, LeafRef* out, location where);
SINTER_API std::vector<std::string> npz_names(const std::string& path, location where);

/// Images of bytes: height, width, channels (1: grey, 2: grey and opacity, 3: red, green, blue, 4: and opacity).
SINTER_API LeafRef load_png(const std::string& path, location where);
SINTER_API void save_png(const std::string& path, const LeafRef& image, const std::int64_t* shape, location where);

}  // namespace sinter::detail
