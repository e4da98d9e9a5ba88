// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where a kernel comes from, as part of its name: "map_fold@program.cpp:12". Kernels have such names only if a profiler or
/// a debugger is to know them (SINTER_PROFILER, SINTER_DEBUGGER), because the name is part of the key under which their code
/// is kept.
#pragma once

#include <sinter/error.hpp>

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace sinter {

/// True if a profiler or a debugger is to know kernels.
bool names_origins();

/// `name` with the place in the user's program, if it is known.
std::string with_origin(const std::string& name, location where);

/// The parts of such a name.
struct Origin {
    std::string operations;  ///< including what follows the place: the number, if the operations became several kernels
    std::string file;
    unsigned line;
};

/// Nothing for any other name.
inline std::optional<Origin> origin_of(std::string_view name) {
    const std::size_t at = name.find('@'), colon = name.rfind(':');
    if (at == std::string_view::npos || colon == std::string_view::npos || colon < at) return std::nullopt;
    Origin result{std::string(name.substr(0, at)), std::string(name.substr(at + 1, colon - at - 1)), 0};
    const char* const end = name.data() + name.size();
    const auto number = std::from_chars(name.data() + colon + 1, end, result.line);
    if (number.ec != std::errc()) return std::nullopt;
    result.operations.append(number.ptr, end);
    return result;
}

}  // namespace sinter
