// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs with names, one per call: without a name all are listed; "all" runs each of them.
#pragma once

#include <sinter/error.hpp>

#include <cstdio>
#include <cstring>
#include <functional>
#include <span>
#include <utility>

/// A name, and whether the gpu agrees with the interpreter.
using NamedProgram = std::pair<const char*, std::function<bool()>>;

/// What main() returns.
inline int run_named(std::span<const NamedProgram> programs, int count, char** arguments) try {
    bool good = true;
    for (const auto& [name, works] : programs) {
        if (count < 2) std::puts(name);
        if (count < 2 || (std::strcmp(arguments[1], "all") != 0 && std::strcmp(arguments[1], name) != 0)) continue;
        const bool agreed = works();
        if (!agreed) std::printf("%s differs from the interpreter\n", name);
        good = good && agreed;
    }
    return good ? 0 : 1;
} catch (const sinter::Error& error) {
    std::puts(error.what());
    return 1;
}
