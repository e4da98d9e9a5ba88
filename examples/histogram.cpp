// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms with few and many bins, evenly filled and not.
//
//   histogram [elements]
#include "programs/histogram.hpp"

#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 1000000;
    Report report;
    const auto show = [&](const char* name, const Delayed<std::int32_t>& counts, std::uint64_t million,
                          std::uint64_t many_millions) {
        const std::uint64_t sum = report.timed(name, [&] { return run(checksum(counts)).item(); });
        if (n == 1000000) report.exact(name, sum, million);
        if (n == 1 << 26) report.exact(name, sum, many_millions);
    };
    show("even", count_bins(256, bytes(n)), 256197452, 17178613468);
    show("skewed", count_bins(256, skewed(n)), 127950554, 8594449928);
    show("many bins", count_bins(1 << 20, many(n)), 1048130496676, 70383470122504);

    const auto [sums, extremes] = run(sums_of_bins(n), extremes_of_bins(n));
    if (n == 1000000) {
        report.exact("some outside", run(checksum(count_bins(256, outside(n)))).item(), 218509702);
        report.near("sum of bin 0", sums(0), 1973.08316568496, 1e-9);
        report.exact("least of bin 0", std::get<0>(extremes(0)), 84601);
        report.exact("greatest of bin 255", std::get<1>(extremes(255)), 2147361449);
    }
    return report.status();
}
