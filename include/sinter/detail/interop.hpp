// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays from and to foreign memory and files: what sinter/npy.hpp and sinter/dlpack.hpp call. Definitions: lib/run.
#pragma once

#include <sinter/detail/handle.hpp>
#include <sinter/detail/scalar.hpp>
#include <sinter/error.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace sinter::detail {

/// The caller's memory as an array. release(owner) is called once, possibly on another thread, when nothing refers to the
/// memory any more (not if this function throws).
SINTER_API LeafRef adopt_array(Scalar type, const void* data, void* owner, void (*release)(void* owner),
                               const std::int64_t* shape, std::size_t rank, location where);

/// A path and the place of the call.
struct PathHere {
    template <class S>
        requires std::is_convertible_v<const S&, std::string>
    PathHere(const S& path, location at = location::current()) : text(path), where(at) {}
    std::string text;
    location where;
};

/// An element type as files know it: a scalar, or a complex number made of two (two leaves).
struct FileElement {
    Scalar scalar;
    bool complex;
};

/// Converts elements as cast does. A byte of a boolean other than 0 is true.
SINTER_API void cast_elements(Scalar from, const void* source, Scalar to, void* target, std::size_t count);

/// Reads an array of this element type and rank; with `convert`, from elements of any type. `out`: one leaf, or two for
/// complex numbers.
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

/// An archive that is there completely, or not at all.
SINTER_API void save_checkpoint(const std::string& path, const NpzMember* members, std::size_t count, location where);
SINTER_API void load_checkpoint(const std::string& path, const std::string& name, FileElement element, std::size_t rank,
                                LeafRef* out, location where);
SINTER_API bool has_checkpoint(const std::string& path, location where);

/// Images of bytes: height, width, channels (1: grey, 2: grey and opacity, 3: red, green, blue, 4: those and opacity).
SINTER_API LeafRef load_png(const std::string& path, location where);
SINTER_API void save_png(const std::string& path, const LeafRef& image, const std::int64_t* shape, location where);

}  // namespace sinter::detail
