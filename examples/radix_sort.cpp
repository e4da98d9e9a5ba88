// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts numbers by scans and scatters, one, two or four bits at a time.
//
//   radix_sort [numbers]
#include "programs/radix_sort.hpp"

#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 1 << 20;
    const Array<std::uint32_t> keys = sort_input(n);
    Report report;
    const Array<std::uint32_t> sorted = report.timed("one bit", [&] { return run(radix_sort<1, std::uint32_t>(keys)); });
    report.timed("two bits", [&] { return run(radix_sort<2, std::uint32_t>(keys)); });
    report.timed("four bits", [&] { return run(radix_sort<4, std::uint32_t>(keys)); });
    report.timed("library's sort", [&] { return run(sort(keys)); });
    const bool ascending = run(all(take(sorted, n - 1) <= drop(sorted, 1))).item();
    report.exact("in order", ascending, true);
    if (n == 65537) report.exact("checksum", run(checksum(sorted)).item(), 12286366763864979070u);
    if (n == 1 << 24) report.exact("checksum", run(checksum(sorted)).item(), 11838269888100833087u);
    return report.status();
}
