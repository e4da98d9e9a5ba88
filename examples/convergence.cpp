// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast the price of option_pricing is found, as convergence.png: the mean of what the first n paths pay, for Sobol's
// points and for random ones. All means are a scan of the payoffs; the picture is a function of where in it one is.
//
//   convergence [paths, 64 at least]
#include "option_pricing/payoffs.hpp"
#include "programs/common.hpp"

#include <sinter/png.hpp>
#include <sinter/sinter.hpp>

#include <cmath>
#include <cstdlib>

using namespace sinter;
using programs::Report;

namespace {

constexpr std::int64_t width = 720, height = 320, fewest = 64;
constexpr double published = 937.391589, span = 40;  // the picture shows that much above and below
constexpr std::uint32_t white = 0xffffff, grey = 0xb0b0b0, orange = 0xe08a2e, blue = 0x1f5fa8;

Delayed<option_pricing::Numbers> random_points(std::int64_t paths) {
    return map(
        [](Exp<std::int64_t> i) {
            std::array<Exp<float>, contract::coordinates> x;
            for (int c = 0; c < contract::coordinates; ++c)
                x[c] = 0x1p-20f + (1 - 0x1p-19f) * cast<float>(programs::unit64(71, i * contract::coordinates + c));
            return x;
        },
        iota(paths));
}

/// The mean of the first n, for an n in each column of the picture: from 64 on, n grows by a constant factor.
Array<double> means(const Delayed<option_pricing::Numbers>& points, std::int64_t paths) {
    auto sums = inclusive_scan([](auto a, auto b) { return a + b; },
                               map([](Exp<float> pay) { return cast<double>(pay); }, option_pricing::payoffs(points)));
    const double growth = std::log(double(paths) / fewest) / double(width - 1);
    auto counts = generate(shape(width), [=](auto j) {
        return min(cast<std::int64_t>(double(fewest) * exp(growth * cast<double>(j)) + 0.5), Exp<std::int64_t>(paths));
    });
    return run(gather(counts - std::int64_t{1}, sums) / cast<double>(counts));
}

/// The row in which a mean is drawn.
Array<std::int64_t> rows(const Array<double>& mean) {
    return run(map([](auto m) { return cast<std::int64_t>((published + span - m) * (double(height) / (2 * span))); }, mean));
}

/// Within two pixels of a curve, which is drawn down or up to where it was in the column before.
Exp<bool> is_on(const Array<std::int64_t>& curve, Exp<std::int64_t> i, Exp<std::int64_t> j) {
    auto here = curve(j), before = curve(max(j - 1, Exp<std::int64_t>(0)));
    return i >= min(here, before) - 1 && i <= max(here, before) + 1;
}

Array<std::uint8_t, 3> draw(const Array<std::int64_t>& sobol, const Array<std::int64_t>& random) {
    return run(generate(shape(height, width, 3), [=](auto i, auto j, auto channel) {
        auto ground = select(i == height / 2, Exp<std::uint32_t>(grey), white);
        auto colour = select(is_on(sobol, i, j), Exp<std::uint32_t>(blue), select(is_on(random, i, j), orange, ground));
        return cast<std::uint8_t>(colour >> cast<std::uint32_t>(16 - 8 * channel));
    }));
}

}  // namespace

int main(int argc, char** argv) {
    const std::int64_t paths = argc > 1 ? std::atoll(argv[1]) : 1048576;
    const Array<double> sobol = means(option_pricing::sobol_points(paths), paths),
                        random = means(random_points(paths), paths);
    save_png("convergence.png", draw(rows(sobol), rows(random)));
    Report report;
    const double last = sobol(width - 1), by_chance = random(width - 1);
    for (const contract::Reference& r : contract::references)
        if (r.paths == paths) report.near("price by Sobol's points", last, r.price, 1e-5 * r.price);
    report.near("price by random ones", by_chance, published, 4 * 450 / std::sqrt(double(paths)));
    return report.status();
}
