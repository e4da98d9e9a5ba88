// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main of tests that use the library as its users do. With SINTER_RANKS=emulated:3, or under mpirun, all tests run on
// several ranks.
#define CATCH_CONFIG_RUNNER
#include <sinter/ranks.hpp>

#include <catch2/catch.hpp>

#include <cstdlib>
#include <optional>

extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" const char* __tsan_default_options() { return "allocator_may_return_null=1"; }

int main(int argc, char** argv) {
    setenv("SINTER_CACHE", "off", 1);  // tests see this build's code, and leave the user's cache alone
    std::optional<sinter::Ranks> ranks;
    if (std::getenv("SINTER_RANKS") || std::getenv("OMPI_COMM_WORLD_SIZE") || std::getenv("PMI_SIZE"))
        ranks.emplace(argc, argv);
    return Catch::Session().run(argc, argv);
}
