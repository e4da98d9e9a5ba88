// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest sum of a contiguous segment of a vector, and of all its prefixes.
//
//   max_segment_sum [elements]
#include "programs/max_segment_sum.hpp"

#include <cstdlib>

using namespace programs;

struct Reference {
    std::int64_t elements;
    std::int32_t best;
    std::uint64_t prefixes;
};
constexpr Reference references[] = {
    {1000, 1648, 1629765283}, {1 << 20, 42042, 35061428723093978}, {1 << 26, 404460, 7579291695878761082}};

int main(int argc, char** argv) {
    const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 1 << 20;
    const Array<std::int32_t> x = segment_input(n);
    Report report;
    const std::int32_t best = report.timed("fold", [&] { return run(maximum_segment_sum(x)).item(); });
    const std::uint64_t prefixes = report.timed("scan", [&] { return run(checksum(maximum_segment_sums(x))).item(); });
    const auto [value, first, last] = run(maximum_segment(x)).item();
    std::cout << "from " << first << " to " << last << '\n';

    for (const Reference& r : references) {
        if (r.elements != n) continue;
        report.exact("largest sum", best, r.best);
        report.exact("with positions", value, r.best);
        report.exact("checksum of prefixes", prefixes, r.prefixes);
    }
    return report.status();
}
