// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plane divided among three spirals by the nearest neighbours of each pixel.
//
//   nearest_neighbours [points] [size] [picture.png]
#include "programs/nearest_neighbours.hpp"

#include <sinter/png.hpp>

#include <algorithm>
#include <cstdlib>
#include <vector>

using namespace programs;

/// The same by sorting, of one pixel.
static std::int64_t by_sorting(const Sample& known, std::size_t k, double y, double x) {
    std::vector<std::pair<double, std::int64_t>> near;
    for (std::int64_t p = 0; p < known.classes.size(); ++p) {
        const double dy = known.points(p, 0) - y, dx = known.points(p, 1) - x;
        near.emplace_back(dy * dy + dx * dx, known.classes(p));
    }
    std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(k), near.end());
    std::vector<int> votes(3);
    for (std::size_t n = 0; n < k; ++n) ++votes[static_cast<std::size_t>(near[n].second)];
    return std::max_element(votes.begin(), votes.end()) - votes.begin();
}

int main(int argc, char** argv) {
    const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 600, size = argc > 2 ? std::atoll(argv[2]) : 96;
    const std::int64_t k = 5;
    const Sample known = spirals(n);
    Report report;
    const Array<std::int64_t, 2> found = report.timed("pixels", [&] { return run(class_map(known, k, 3, size)); });
    int differences = 0;
    for (std::int64_t pixel = 0; pixel < size * size; pixel += 37) {
        const auto place = [&](std::int64_t i) {
            return (2.0 * static_cast<double>(i) + 1.0) / static_cast<double>(size) - 1.0;
        };
        const std::int64_t i = pixel / size, j = pixel % size;
        differences += found(i, j) != by_sorting(known, static_cast<std::size_t>(k), place(i), place(j));
    }
    report.exact("pixels that differ from sorting", differences, 0);
    if (argc > 3) save_png(argv[3], run(picture_of_classes(found, known, size)));
    return report.status();
}
