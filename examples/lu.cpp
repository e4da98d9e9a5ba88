// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LU factorisation, of a whole matrix and of its slices.
//
//   lu [extent]
#include "programs/lu.hpp"

#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 256;
    const Array<double, 2> a = dominant_matrix<double>(n);
    Report report;
    const Array<double, 2> factors = report.timed("whole", [&] { return run(lu<double>(a, n)); });
    const Array<double, 2> by_slices = report.timed("by slices", [&] { return run(lu_by_slices<double>(a, n)); });
    report.near("largest difference of the two", run(max(flatten(abs(factors - by_slices)))).item(), 0, 1e-12);
    const double error = run(max(flatten(abs(lu_product<double>(factors, n) - a)))).item();
    report.near("largest difference of the product", error, 0, 1e-12 * static_cast<double>(n));
    return report.status();
}
