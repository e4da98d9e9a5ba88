// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention, in tiles and by the formula.
//
//   flash_attention [vectors] [numbers in each] [numbers that fit the fast memory]
#include "programs/flash_attention.hpp"

#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    const std::int64_t n = argc > 3 ? std::atoll(argv[1]) : 512, d = argc > 3 ? std::atoll(argv[2]) : 64,
                       m = argc > 3 ? std::atoll(argv[3]) : 16384;
    const Array<float, 2> q = attention_input(81, n, d), k = attention_input(82, n, d), v = attention_input(83, n, d);
    Report report;
    const auto check = [&](const char* name, const Delayed<float, 2>& program) {
        const Array<float, 2> o = report.timed(name, [&] { return run(program); });
        if (n == 64 && d == 16) report.near(name, o(0, 0), -0.161391501086, 1e-5);
        if (n == 512 && d == 64) report.near(name, o(0, 0), 0.417714109344, 1e-5);
    };
    check("by tiles, divided in the end", flash_attention(tiling(n, d, m), q, k, v));
    check("by tiles, divided every time", flash_attention(tiling(n, d, m), q, k, v, Division::early));
    check("by tiles, nested", flash_attention_nested(tiling(n, d, m), q, k, v));
    check("by the formula, flat", attention<float>(n, d, q, k, v));
    check("by the formula, nested", attention_nested<float>(q, k, v));
    return report.status();
}
