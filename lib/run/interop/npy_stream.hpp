// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays in NumPy's format, from any source: files or members of archives.
#pragma once

#include <sinter/detail/interop.hpp>

#include "place/layout.hpp"
#include "run/interop/npy_header.hpp"
#include "run/interop/shared_file.hpp"

#include <functional>

namespace sinter::runtime {

using detail::FileElement;
using schedule::Interval;

std::size_t npy_bytes(FileElement element);
/// Byte order and element type, for example "<f4".
std::string npy_descr(FileElement element);

NpyHeader read_npy_header(Source& source);

/// Reads an array of this element type and rank; with `convert`, from elements of any type. `out`: one leaf, or two for
/// complex numbers.
void read_npy(Source& source, FileElement element, std::size_t rank, bool convert, detail::LeafRef* out);

/// What this rank has read.
struct NpyRead {
    bool in_blocks = false;                      ///< only its rows
    std::uint32_t header_sum = 0, rows_sum = 0;  ///< checksums; that of rows has a meaning in C order only
    std::uint64_t bytes = 0;                     ///< of these rows
};
/// The same for a file: if there are several ranks, each reads its own rows of an array that is worth it.
NpyRead read_own_npy(FilePart& source, FileElement element, std::size_t rank, bool convert, detail::LeafRef* out);

/// An array as a .npy file, of which each rank writes its part: the rows that it has, or everything on rank 0. Elements are
/// in row-major order.
class NpyImage {
  public:
    NpyImage(FileElement element, std::vector<std::int64_t> shape, const detail::LeafRef* leaves, const char* what,
             location where);

    const std::string& header() const { return header_; }
    /// Of the header and all elements.
    std::uint64_t bytes() const;
    bool in_blocks() const { return in_blocks_; }
    /// Calls write(position from the beginning of the header, bytes) for the elements of this rank, in order.
    void each_own(const std::function<void(std::uint64_t, std::span<const unsigned char>)>& write) const;

  private:
    std::size_t parts() const { return element_.complex ? 2 : 1; }
    Interval own() const;

    FileElement element_;
    std::vector<std::int64_t> shape_;
    const detail::LeafRef* leaves_;
    location where_;
    std::string header_;
    std::int64_t elements_ = 0;
    bool in_blocks_ = false;
};

}  // namespace sinter::runtime
