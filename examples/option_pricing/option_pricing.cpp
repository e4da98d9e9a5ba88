// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Monte Carlo price of a contract on three stock indices over five years.
//
//   option_pricing [paths]
//
// Each step is an array operation over all paths, written as one would explain it. Fusion makes one kernel of them, in which
// a path's fifteen numbers never leave the registers.
#include "payoffs.hpp"

#include <sinter/sinter.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace sinter;
using namespace contract;
using option_pricing::sum_of_payoffs;

namespace {

double milliseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Prints the price next to the reference; returns false if they differ by more than rounding.
bool report_price(std::int64_t paths, double price) {
    std::printf("price         %.6f", price);
    for (const Reference& r : references) {
        if (r.paths != paths) continue;
        const bool good = std::abs(price - r.price) <= 1e-5 * r.price;
        std::printf("   reference %.6f: %s", r.price, good ? "ok" : "WRONG");
        if (paths == 1048576) std::printf("   published, one running float sum: %.6f", published_price);
        std::printf("\n");
        return good;
    }
    std::printf("   (references exist for 1000, 65536 and 1048576 paths)\n");
    return true;
}

void report_fusion(const Delayed<double, 0>& program) {
    const Explanation before = explain(program, {.fusion = Fusion::none}), after = explain(program);
    std::printf("not fused     %zu kernels, %.1f MB moved\n", before.clusters().size(), double(before.bytes_moved()) / 1e6);
    std::printf("fused         %zu kernel%s, %lld bytes moved\n", after.clusters().size(),
                after.clusters().size() == 1 ? "" : "s", static_cast<long long>(after.bytes_moved()));
}

}  // namespace

int main(int argc, char** argv) {
    const std::int64_t paths = argc > 1 ? std::atoll(argv[1]) : 1048576;
    std::printf("%lld paths of %d dates and %d underlyings\n", static_cast<long long>(paths), dates, underlyings);

    auto begin = std::chrono::steady_clock::now();
    const double price = run(sum_of_payoffs(paths)).item() / double(paths);
    const double first = milliseconds_since(begin);
    const bool good = report_price(paths, price);

    double later = first;
    for (int k = 0; k < 5; ++k) {
        begin = std::chrono::steady_clock::now();
        run(sum_of_payoffs(paths)).item();
        later = std::fmin(later, milliseconds_since(begin));
    }
    std::printf("first call    %.1f ms, compilation included\n", first);
    std::printf("later calls   %.1f ms, %.0f million paths a second\n", later, double(paths) / later / 1e3);
    report_fusion(sum_of_payoffs(paths));
    return good ? 0 : 1;
}
