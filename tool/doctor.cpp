// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sinter/detail/tool.hpp>

#include "commands.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace tool {

namespace {

/// The variables that the library reads, by name.
nlohmann::json environment() {
    nlohmann::json result = nlohmann::json::object();
    for (char** variable = environ; *variable; ++variable) {
        const std::string_view text = *variable;
        const std::size_t name = text.find('=');
        if (text.starts_with("SINTER_") && name != text.npos)
            result[std::string(text.substr(0, name))] = text.substr(name + 1);
    }
    return result;
}

}  // namespace

int doctor(Format format) {
    const auto facts = sinter::detail::diagnose();
    const nlohmann::json variables = environment();
    if (format == Format::json) {
        nlohmann::ordered_json report;
        for (const auto& [what, value] : facts) report[what] = value;
        report["environment"] = variables;
        std::puts(report.dump(2).c_str());
        return 0;
    }
    for (const auto& [what, value] : facts) std::printf("%-12s %s\n", what.c_str(), value.c_str());
    for (const auto& [name, value] : variables.items())
        std::printf("%-12s %s=%s\n", "environment", name.c_str(), value.get<std::string>().c_str());
    return 0;
}

}  // namespace tool
