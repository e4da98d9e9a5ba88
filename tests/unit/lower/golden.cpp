// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// tests/golden/lower/*.txt: what it shows, a cluster, "# expect", the kernel that becomes of it.
#include "tests/golden_files.hpp"
#include "tests/unit/lower/kernel_of.hpp"

using namespace sinter;

TEST_CASE("golden kernels", "[lower]") {
    test::check_golden("tests/golden/lower", 20, [](const std::string& heading) {
        return lower::print(test::kernel_of(test::without_comments(heading)));
    });
}
