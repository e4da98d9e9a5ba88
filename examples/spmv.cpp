// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sparse matrix times a vector: the Laplacian of a grid, or a matrix from a file.
//
//   spmv [grid points per side]
//   spmv matrix.mtx
#include "programs/matrix_market.hpp"

#include <cstdlib>
#include <fstream>

using namespace programs;

int main(int argc, char** argv) {
    const std::string argument = argc > 1 ? argv[1] : "1000";
    const std::int64_t k = std::atoll(argument.c_str());
    std::ifstream file(argument);
    const SparseMatrix<double> a = k > 0 ? laplacian(k) : read_matrix_market(file);
    const Array<double> x = laplacian_vector(a.columns);
    std::cout << a.rows << " x " << a.columns << ", " << a.value.size() << " entries\n";

    Report report;
    const Array<double> y = report.timed("product", [&] { return run(product<double>(a, x)); });
    const double total = run(sum(y)).item();
    report.value("sum", total);
    if (k == 100) report.exact("sum", total, 5);
    if (k == 2000) report.exact("sum", total, -42);

    // The largest eigenvalue of the Laplacian is 4 + 4 cos(pi / (k + 1)).
    if (k > 0) {
        const Array<double> v = run(power_method(a, 200, x));
        report.value("largest eigenvalue, from below", run(sum(v * product<double>(a, v))).item());
        report.value("exactly", 4 + 4 * std::cos(3.14159265358979 / static_cast<double>(k + 1)));
    }
    return report.status();
}
