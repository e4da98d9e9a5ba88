// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The example programs under every fusion strategy: is the optimum ever slower than another one?
//
//   sinter_program_strategies [--filter text] [--turns 11]
//
// Each row has the kernels and bytes of the optimum (bodies of loops are counted once) and its time; then the optimum's time
// measured again as if it were another strategy, and the times of the other strategies, all divided by the first: above 1,
// the optimum is faster, and "=" means the same clusters; finally the least of these. They are medians of compiled calls,
// which neither trace nor plan. On a machine with other work, SINTER_THREADS=1 is disturbed least.
#include "strategies.hpp"

#include "program.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace bench {
namespace {

/// The operations that are fused with each other.
auto partition(const Explanation& e) {
    std::multiset<std::tuple<std::vector<std::string>, std::vector<std::string>, std::vector<std::string>>> clusters;
    for (const Cluster& c : e.clusters()) clusters.emplace(c.operations(), c.inputs(), c.outputs());
    return clusters;
}

double median(std::vector<double> times) {
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
    return times[times.size() / 2];
}

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

std::string ratio_text(double ratio) {
    char text[16];
    std::snprintf(text, sizeof text, "%.2f", ratio);
    return text;
}

/// The columns of the other strategies; empty where a time is still to come, which is that of the next of `calls`.
std::vector<std::string> other_plans(const Planner& plan, const Plan& optimal, std::vector<std::function<void()>>& calls) {
    std::vector<std::string> cells;
    for (const auto& [name, strategy] : strategies) {
        if (strategy == Fusion::optimal) continue;
        try {
            const Plan other = plan(strategy);
            const bool same = partition(other.explanation) == partition(optimal.explanation);
            other.call();
            if (!same) calls.push_back(other.call);
            cells.push_back(same ? "=" : "");
        } catch (const Error& e) {
            cells.push_back(first_line(e.what()));
        }
    }
    return cells;
}

void print_row(const Program& program, std::size_t turns) {
    const Planner plan = program.make();
    const Plan optimal = plan(Fusion::optimal);
    std::vector<std::function<void()>> calls{optimal.call, plan(Fusion::optimal).call};
    const std::vector<std::string> cells = other_plans(plan, optimal, calls);
    const std::vector<std::vector<double>> times = take_turns(calls, turns);
    const double own = median(times[0]);
    std::printf("| %s | %zu | %.1f | %.2f | %.2f |", program.name, optimal.explanation.clusters().size(),
                static_cast<double>(optimal.explanation.bytes_moved()) / 1e6, own * 1e3, median(times[1]) / own);
    double worst = 0;
    std::size_t next = 2;
    for (const std::string& cell : cells) {
        if (!cell.empty()) {
            std::printf(" %s |", cell.c_str());
            continue;
        }
        const double ratio = median(times[next++]) / own;
        worst = worst == 0 ? ratio : std::min(worst, ratio);
        std::printf(" %.2f |", ratio);
    }
    std::printf(" %s |\n", worst == 0 ? "=" : ratio_text(worst).c_str());
}

void print_row_or_error(const Program& program, std::size_t turns) {
    try {
        print_row(program, turns);
    } catch (const Error& e) {
        std::printf("| %s | %s |\n", program.name, first_line(e.what()).c_str());
    }
    std::fflush(stdout);
}

void print_table(std::string_view filter, std::size_t turns) {
    std::printf("| program | kernels | MB moved | ms | again | none | greedy_down | greedy_up | t2 | worst |\n");
    std::printf("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (auto programs : {prices, matrices, grids, points, lists})
        for (const Program& program : programs())
            if (std::string_view(program.name).find(filter) != std::string_view::npos) print_row_or_error(program, turns);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    std::string_view filter;
    std::size_t turns = 11;
    for (int k = 1; k < argc; k += 2) {
        const std::string_view name = argv[k];
        if (k + 1 == argc || (name != "--filter" && name != "--turns")) {
            std::fprintf(stderr, "usage: sinter_program_strategies [--filter text] [--turns 11]\n");
            return 2;
        }
        if (name == "--filter") filter = argv[k + 1];
        if (name == "--turns") turns = static_cast<std::size_t>(std::max(1, std::atoi(argv[k + 1])));
    }
    bench::print_table(filter, turns);
}
