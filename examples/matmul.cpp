// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix product by rank-3 arrays, none of which is stored, as explain() shows.
//
//   matmul [extent]
#include "programs/matmul.hpp"

#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 512;
    const Array<float, 2> x = factor(5, n, n, 8.f), y = factor(6, n, n, 8.f);
    const auto product = matrix_product<float>(x, y, n, n, n);
    Report report;
    const auto z = report.timed("product", [&] { return run(product); });
    const auto total = run(sum(map([](Exp<float> v) { return cast<double>(v) * 64; }, flatten(z)))).item();
    if (n == 64) report.exact("64 times the sum", total, 31665);
    if (n == 512) report.exact("64 times the sum", total, -574827);
    for (const Fusion fusion : {Fusion::none, Fusion::optimal}) {
        const Explanation e = explain(product, {.fusion = fusion});
        std::cout << (fusion == Fusion::none ? "not fused: " : "fused: ") << e.clusters().size() << " kernels, "
                  << e.bytes_moved() << " bytes moved\n";
    }
    return report.status();
}
