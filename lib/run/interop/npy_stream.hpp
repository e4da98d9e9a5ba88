// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays in NumPy's format, from any source: files or members of archives.
#pragma once

#include <sinter/detail/interop.hpp>

#include "run/interop/file.hpp"

namespace sinter::runtime {

using detail::FileElement;

/// Reads an array of this element type and rank; with `convert`, from elements of any type. `out`: one leaf, or two for
/// complex numbers.
void read_npy(Source& source, FileElement element, std::size_t rank, bool convert, detail::LeafRef* out);

/// The header of an array and its elements in row-major order. They refer to `leaves`, except for complex numbers, which are
/// copied.
struct NpyImage {
    std::string header;
    Bytes own;
    std::span<const unsigned char> elements;
};
NpyImage make_npy_image(FileElement element, const std::int64_t* shape, std::size_t rank, const detail::LeafRef* leaves,
                        const char* what, location where);

}  // namespace sinter::runtime
