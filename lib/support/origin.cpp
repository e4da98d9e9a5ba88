// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/origin.hpp"

#include "support/settings.hpp"

#include <fmt/format.h>

namespace sinter {

bool names_origins() {
    static const bool wanted = !setting("SINTER_PROFILER").empty() || !setting("SINTER_DEBUGGER").empty();
    return wanted;
}

std::string with_origin(const std::string& name, location where) {
    return where.line() == 0 ? name : fmt::format("{}@{}:{}", name, where.file_name(), where.line());
}

}  // namespace sinter
