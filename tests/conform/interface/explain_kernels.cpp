// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conform/support.hpp"

using namespace sinter;

TEST_CASE("explain says how each kernel runs, and shows its code", "[gpu]") {
    const Array<int> bins = from(std::vector<int>(1000, 3));
    const Array<float> x = from(std::vector<float>(1000, 1.f));
    const Array<std::int64_t> at = run(map([](auto v) { return cast<std::int64_t>(v); }, bins));
    for (const Target target : conform::targets()) {
        const auto histograms = explain(histogram(101, std::plus<>{}, 0.f, at, x), {.target = target});
        const auto sums = explain(sum(x), inclusive_scan(std::plus<>{}, x), {.target = target});
        for (const auto& kernels : {histograms.kernels(), sums.kernels()})
            for (const auto& kernel : kernels) {
                CHECK(kernel.schedule.find('\n') != std::string::npos);
                CHECK(kernel.llvm_ir.find("define ") != std::string::npos);
                CHECK_FALSE(kernel.assembly.empty());
            }
    }
}
