// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the edges of a picture and writes them as edges.png.
//
//   blur_sobel [height] [width]
#include "programs/blur_sobel.hpp"

#include "programs/png.hpp"

#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    const std::int64_t height = argc > 2 ? std::atoll(argv[1]) : 2160, width = argc > 2 ? std::atoll(argv[2]) : 3840;
    const Array<Colour, 2> image = test_image(height, width);
    Report report;
    const Array<std::uint8_t, 2> picture = report.timed("edges", [&] { return run(edges(image)); });
    const std::int64_t found = run(count(flatten(picture) == 255)).item();
    if (height == 240 && width == 320) report.exact("edge pixels", found, 35323);
    if (height == 2160 && width == 3840) report.exact("edge pixels", found, 3811157);
    if (!write_png("edges.png", picture)) return 1;
    return report.status();
}
