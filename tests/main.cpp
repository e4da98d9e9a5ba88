// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <cstdlib>

// Sanitizers: an allocation that is too large gives a null pointer as without them. (operator new, which would throw, ends
// the process all the same.)
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" const char* __tsan_default_options() { return "allocator_may_return_null=1"; }

int main(int argc, char** argv) {
    setenv("SINTER_CACHE", "off", 1);  // tests see this build's code, and leave the user's cache alone
    return Catch::Session().run(argc, argv);
}
