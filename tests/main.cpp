// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <cstdlib>

int main(int argc, char** argv) {
    setenv("SINTER_CACHE", "off", 1);  // tests see this build's code, and leave the user's cache alone
    return Catch::Session().run(argc, argv);
}
