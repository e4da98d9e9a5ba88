// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A picture out of focus: convolved with a disc by Fourier transforms, beside sums over the disc.
//
//   convolution [rows] [columns] [picture.png]
#include "programs/convolution.hpp"

#include <sinter/png.hpp>

#include <cstdlib>

using namespace programs;

/// The sum that one pixel is.
static double directly(const Array<double, 2>& image, const Array<double, 2>& kernel, std::int64_t i, std::int64_t j) {
    const auto [rows, columns] = image.shape();
    double total = 0;
    for (std::int64_t k = 0; k < rows; ++k)
        for (std::int64_t l = 0; l < columns; ++l)
            total += kernel(k, l) * image((i - k + rows) % rows, (j - l + columns) % columns);
    return total;
}

int main(int argc, char** argv) {
    const std::int64_t rows = argc > 1 ? std::atoll(argv[1]) : 480, columns = argc > 2 ? std::atoll(argv[2]) : 640;
    const Array<double, 2> image = chessboard(rows, columns), kernel = disc(rows, columns, 7.5);
    Report report;
    const Array<double, 2> blurred = report.timed("convolution", [&] { return run(convolved(image, kernel)); });
    for (const auto& [i, j] : {std::pair(rows / 2, columns / 2 + 5), std::pair<std::int64_t, std::int64_t>(0, columns - 1)})
        report.near("a pixel", blurred(i, j), directly(image, kernel, i, j), 1e-10);
    report.near("light", run(sum(blurred, axes(0, 1))).item() / run(sum(image, axes(0, 1))).item(), 1, 1e-12);
    if (argc > 3) {  // before and after, side by side
        const auto both = concat(image, blurred, axis(1));
        save_png(argv[3], run(map([](auto v) { return cast<std::uint8_t>(clamp(v, 0.0, 1.0) * 255.0); }, both)));
    }
    return report.status();
}
