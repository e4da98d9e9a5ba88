// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares algorithms in Sinter with hand-written code and with the standard library's, measured interleaved.
//
//   sinter_algorithms [--filter text] [--rounds 9]
//
// Each line has the time of Sinter, its rate of the work that any implementation has to do, and the times of the others
// divided by Sinter's: above 1, Sinter is faster. "x1" is one thread; "peak" is arithmetic on registers alone, and its
// column is the share of that which Sinter reaches.
#include "algorithm.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace bench {
namespace {

/// Compares every contender's result with that of the first. Sums of many rounded numbers differ, but wrong code differs
/// more.
void compare_results(const Algorithm& a, index n, const std::vector<Contender>& contenders) {
    double expected = NAN;
    for (const Contender& c : contenders) {
        c.call();
        if (!c.check) continue;
        const double got = c.check();
        if (std::isnan(expected)) expected = got;
        if (std::abs(got - expected) <= 2e-3 * std::abs(expected)) continue;
        fmt::print(stderr, "{} {}: {} gives {}, not {}\n", a.name, n, c.name, got, expected);
        std::exit(1);
    }
}

std::string time_text(double seconds) {
    return seconds < 1e-3 ? fmt::format("{:.1f} us", seconds * 1e6) : fmt::format("{:.2f} ms", seconds * 1e3);
}

void run_case(const Algorithm& a, index n, int rounds) {
    const std::vector<Contender> contenders = a.contenders(n);
    compare_results(a, n, contenders);
    const std::vector<Timing> timings = measure(contenders, rounds);
    const double sinter = timings.back().median;
    fmt::print("{:<17}{:>9}{:>11}{:>9.2f} {:<8}", a.name, n, time_text(sinter), a.work(n) / sinter / 1e9, a.unit);
    for (const char* name : {"hand", "hand x1", "par", "eigen", "peak"}) {
        const auto found = std::find_if(contenders.begin(), contenders.end(), [&](auto& c) { return c.name == name; });
        if (found == contenders.end()) {
            fmt::print("{:>9}", "");
            continue;
        }
        fmt::print("{:>9.2f}", timings[static_cast<std::size_t>(found - contenders.begin())].median / sinter);
    }
    fmt::print("\n");
    std::fflush(stdout);
}

int run(std::string_view filter, int rounds) {
    fmt::print("{:<17}{:>9}{:>11}{:>9} {:<8}{:>9}{:>9}{:>9}{:>9}{:>9}\n", "case", "n", "sinter", "", "", "hand", "hand x1",
               "par", "eigen", "peak");
    for (auto cases : {scans, filters, histograms, sorts, gathers, stencils, softmaxes, narrow_rows, kmeans_steps,
                       segment_sums, matrix_products, nbody_steps, attentions})
        for (const Algorithm& a : cases())
            if (std::string_view(a.name).find(filter) != std::string_view::npos)
                for (index n : a.sizes) run_case(a, n, rounds);
    return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    std::string filter;
    int rounds = 9;
    for (int k = 1; k < argc; k += 2) {
        const std::string_view name = argv[k];
        if (k + 1 == argc || (name != "--filter" && name != "--rounds")) {
            fmt::print(stderr, "usage: sinter_algorithms [--filter text] [--rounds 9]\n");
            return 2;
        }
        if (name == "--filter") filter = argv[k + 1];
        if (name == "--rounds") rounds = std::max(1, std::atoi(argv[k + 1]));
    }
    return bench::run(filter, rounds);
}
