// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// tests/golden/ptx/*.golden: a kernel, "# expect", its PTX as one release of LLVM writes it; SINTER_LLVM is that of this
/// build.
#include "support.hpp"
#include "tests/golden_files.hpp"

using namespace jit_test;

namespace {

constexpr int written_with = 19;

}  // namespace

TEST_CASE("PTX of small kernels is as expected") {
    auto ptx_of = [](const std::string& kernel) {
        const std::string all = backend(gpu).texts(sinter::lower::parse(kernel)).assembly;
        return all.substr(all.find(".version"));  // behind the lines that name versions and files
    };
    if (SINTER_LLVM != written_with) {
        WARN("tests/golden/ptx was written with LLVM " << written_with << ": what LLVM " << SINTER_LLVM
                                                       << " writes is not compared with it");
        return;
    }
    sinter::test::check_golden("tests/golden/ptx", 1, ptx_of, ".golden");
}
