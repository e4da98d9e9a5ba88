// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The header of a .npy file: magic, version, length, and a Python dictionary of descr, fortran_order and shape (NEP 1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::runtime {

struct NpyHeader {
    std::string descr;  ///< for example "<f4"; the source text if it is not a string (structured types)
    bool fortran_order = false;
    std::vector<std::int64_t> shape;
};

/// Parses the dictionary; nothing if it is malformed.
std::optional<NpyHeader> parse_npy_dictionary(std::string_view text);

/// The whole header, padded so that the elements after it are aligned to 64 bytes. Version 1.0, or 2.0 if it is too long for
/// that.
std::string print_npy_header(const NpyHeader& header);

}  // namespace sinter::runtime
