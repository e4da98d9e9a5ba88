// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

namespace {

constexpr struct {
    std::string_view name;
    const char* meaning;
    int (*run)();
} commands[] = {
    {"cache list", "the compiled kernels on disk: last use, size, kind", tool::cache_list},
    {"cache size", "how many they are, and how large", tool::cache_size},
    {"cache clear", "remove them", tool::cache_clear},
    {"doctor", "versions, processor, cache, GPU driver, environment", tool::doctor},
    {"calibrate", "measure this machine: bandwidth, launches, gathers, mathematics", tool::calibrate},
};

int usage() {
    std::fputs("usage: sinter COMMAND\n", stderr);
    for (const auto& command : commands)
        std::fprintf(stderr, "  %-12.*s %s\n", static_cast<int>(command.name.size()), command.name.data(), command.meaning);
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    std::string name;
    for (int k = 1; k < argc; ++k) name += (k > 1 ? " " : "") + std::string(argv[k]);
    try {
        for (const auto& command : commands)
            if (name == command.name) return command.run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "sinter: %s\n", error.what());
        return 1;
    }
    return usage();
}
