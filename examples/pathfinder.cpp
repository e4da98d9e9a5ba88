// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cheapest way down a grid of costs.
//
//   pathfinder [columns] [rows]
#include "programs/pathfinder.hpp"

#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    const std::int64_t columns = argc > 2 ? std::atoll(argv[1]) : 100000, rows = argc > 2 ? std::atoll(argv[2]) : 100;
    Report report;
    const Array<std::int32_t> sums = report.timed("all rows", [&] { return run(cheapest_paths(columns, rows)); });
    report.value("cheapest path", run(min(sums)).item());
    if (columns == 1000 && rows == 20) report.exact("checksum", run(checksum(sums)).item(), 20692182);
    if (columns == 100000 && rows == 100) report.exact("checksum", run(checksum(sums)).item(), 786816564012);
    return report.status();
}
