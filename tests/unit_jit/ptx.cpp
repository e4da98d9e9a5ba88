// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// tests/golden/ptx/*.golden: a kernel, "# expect", its PTX.
#include "support.hpp"
#include "tests/golden_files.hpp"

using namespace jit_test;

TEST_CASE("PTX of small kernels is as expected") {
    auto ptx_of = [](const std::string& kernel) {
        const std::string all = backend(gpu).texts(sinter::lower::parse(kernel)).assembly;
        return all.substr(all.find(".version"));  // behind the lines that name versions and files
    };
    sinter::test::check_golden("tests/golden/ptx", 1, ptx_of, ".golden");
}
