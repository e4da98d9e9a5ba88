// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A polynomial through noisy samples by least squares, and one of high degree with and without ridge regression.
//
//   regression [samples] [picture.png]
#include "programs/regression.hpp"

#include <sinter/png.hpp>

#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 200;
    const Array<double> x = make_input(n, [](auto i) { return symmetric64(1, i); });
    // 1/2 - x + 3/2 x^3 and noise
    const Array<double> y =
        run(map_indexed([](auto i, auto v) { return 0.5 - v + 1.5 * v * v * v + 0.2 * symmetric64(2, i); }, x));
    auto cubic = compile([](Delayed<double> u, Delayed<double> v) { return fit(u, v, 3); });
    auto ridge =
        compile([](Delayed<double> u, Delayed<double> v, Exp<double> penalty) { return fit_ridge(u, v, 9, penalty); });
    Report report;
    const Array<double> c = report.timed("least squares", [&] { return cubic(x, y); });
    const double noise = 2 / std::sqrt(static_cast<double>(n));
    for (const auto& [k, expected] : {std::pair(0, 0.5), {1, -1.0}, {2, 0.0}, {3, 1.5}})
        report.near("a coefficient", c(k), expected, noise);

    // What is left over is orthogonal to what the polynomial is made of; with a penalty it is the penalty times c.
    const auto left_over = [&](const Array<double>& found, std::int64_t degree) {
        return run(matmul(transpose(powers(x, degree)), y - values_at(found, x)));
    };
    report.near("least squares: gradient", run(max(abs(left_over(c, 3)))).item(), 0, 1e-9);
    const Array<double> r = report.timed("ridge regression", [&] { return ridge(x, y, 0.1); });
    report.near("ridge regression: gradient", run(max(abs(left_over(r, 9) - r * 0.1))).item(), 0, 1e-9);
    report.exact("a larger penalty, smaller coefficients", run(norm(ridge(x, y, 10.0))).item() < run(norm(r)).item(), true);
    if (argc > 2) {
        const auto at = map([](auto j) { return cast<double>(j) / 240.0 - 1.0; }, iota(481));
        save_png(argv[2], run(picture_of_fits(values_at(c, at), values_at(ridge(x, y, 10.0), at), x, y, 300, 481)));
    }
    return report.status();
}
