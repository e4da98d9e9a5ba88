// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processes that the system allows less than others.
#include "support.hpp"

#include <sys/prctl.h>

#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#endif

static constexpr int unsupported = 77;

TEST_CASE("a process that may not make memory executable which it has written") {
    const int code = hostile::outcome([] {
        if (prctl(PR_SET_MDWE, 1UL, 0UL, 0UL, 0UL) != 0) _exit(unsupported);
        _exit(hostile::sums_agree(1000, 3) && hostile::sums_agree(2000000, 5) ? 0 : 1);
    });
    if (code == unsupported)
        WARN("not tested: this kernel has no such restriction");
    else
        CHECK(code == 0);
}

TEST_CASE("the emulated card says that a process may not make memory executable which it has written") {
    const int code = hostile::outcome([] {
        if (prctl(PR_SET_MDWE, 1UL, 0UL, 0UL, 0UL) != 0) _exit(unsupported);
        setenv("SINTER_TARGET", "gpu_emulated", 1);
        try {
            sinter::run(sinter::sum(sinter::iota(1000)));
        } catch (const sinter::Limitation&) {
            _exit(0);
        } catch (...) {
            _exit(1);
        }
        _exit(2);
    });
    if (code != unsupported) CHECK(code == 0);
}
