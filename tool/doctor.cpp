// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sinter/detail/tool.hpp>

#include "commands.hpp"

#include <unistd.h>

#include <cstdio>
#include <string_view>

namespace tool {

int doctor() {
    for (const auto& [what, value] : sinter::detail::diagnose()) std::printf("%-12s %s\n", what.c_str(), value.c_str());
    for (char** variable = environ; *variable; ++variable)
        if (std::string_view(*variable).starts_with("SINTER_")) std::printf("%-12s %s\n", "environment", *variable);
    return 0;
}

}  // namespace tool
