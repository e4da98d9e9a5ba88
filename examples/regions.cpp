// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Connected regions of an image, beside filling them one after another.
//
//   regions [rows] [columns] [picture.png]
#include "programs/regions.hpp"

#include <sinter/png.hpp>

#include <cstdlib>
#include <vector>

using namespace programs;

/// The same, one region after another, by a list of pixels whose neighbours are to be looked at.
static std::vector<std::int64_t> filled(const Array<bool, 2>& image, std::int64_t rows, std::int64_t columns) {
    const auto set = image.to_vector();
    std::vector<std::int64_t> labels(set.size(), -1), open;
    for (std::int64_t first = 0; first < rows * columns; ++first) {
        auto visit = [&](std::int64_t i, std::int64_t j) {
            if (i < 0 || j < 0 || i >= rows || j >= columns) return;
            const auto pixel = static_cast<std::size_t>(i * columns + j);
            if (!set[pixel] || labels[pixel] >= 0) return;
            labels[pixel] = first;
            open.push_back(i * columns + j);
        };
        visit(first / columns, first % columns);
        while (!open.empty()) {
            const std::int64_t i = open.back() / columns, j = open.back() % columns;
            open.pop_back();
            visit(i - 1, j), visit(i + 1, j), visit(i, j - 1), visit(i, j + 1);
        }
    }
    return labels;
}

int main(int argc, char** argv) {
    const std::int64_t rows = argc > 1 ? std::atoll(argv[1]) : 600, columns = argc > 2 ? std::atoll(argv[2]) : 800;
    const Array<bool, 2> image = blots(rows, columns);
    auto find = compile([](Delayed<bool, 2> picture) { return regions(picture); });
    Report report;
    const Array<std::int64_t, 2> labels = report.timed("regions", [&] { return find(image); });
    report.exact("the same as by filling", labels.to_vector() == filled(image, rows, columns), true);
    const auto is_first = map_indexed([=](auto i, auto j, auto label) { return label == i * columns + j; }, labels);
    report.value("regions", run(count(flatten(is_first))).item());
    if (argc > 3)
        save_png(argv[3], run(generate(shape(rows, columns, 3), [=](auto i, auto j, auto channel) {
                     auto colour = (labels(i, j) * 2654435761 >> (channel * 8 + 4)) & 127;
                     return cast<std::uint8_t>(select(labels(i, j) < 0, 255, colour + 64));
                 })));
    return report.status();
}
