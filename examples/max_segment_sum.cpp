// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest sum of a contiguous segment of a vector, and of all its prefixes.
//
//   max_segment_sum [elements]
#include "programs/max_segment_sum.hpp"

#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 1 << 20;
    const Array<std::int32_t> x = segment_input(n);
    Report report;
    const std::int32_t best = report.timed("fold", [&] { return run(maximum_segment_sum(x)).item(); });
    const std::uint64_t prefixes = report.timed("scan", [&] { return run(checksum(maximum_segment_sums(x))).item(); });
    const auto [value, first, last] = run(maximum_segment(x)).item();
    std::cout << "from " << first << " to " << last << '\n';

    const std::int32_t reference = n == 1000 ? 1648 : n == 1 << 20 ? 42042 : best;
    const std::uint64_t reference_prefixes = n == 1000 ? 1629765283u : n == 1 << 20 ? 35061428723093978u : prefixes;
    report.exact("largest sum", best, reference);
    report.exact("with positions", value, reference);
    report.exact("checksum of prefixes", prefixes, reference_prefixes);
    return report.status();
}
