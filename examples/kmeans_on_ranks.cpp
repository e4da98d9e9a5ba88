// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kmeans.cpp on any number of ranks, with the same bits: one line more.
//
//   kmeans_on_ranks [points] [clusters]
//   mpirun -n 4 kmeans_on_ranks 10000000 16
#include "programs/kmeans.hpp"

#include <sinter/ranks.hpp>

#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    const Ranks ranks(argc, argv);
    const std::int64_t n = argc > 2 ? std::atoll(argv[1]) : 200000, k = argc > 2 ? std::atoll(argv[2]) : 5;
    const auto [centres, steps] = run(kmeans(k, blobs(n, k)));
    const auto all = centres.to_vector();
    const std::int32_t moved = steps.item();
    if (!ranks.first()) return 0;
    std::cout << ranks.explain() << "; " << moved << " steps\n";
    for (const auto& [x, y] : all) std::cout << "  " << x << ' ' << y << '\n';
    Report report;
    if (n == 200000 && k == 5) {
        report.exact("steps", moved, 3);
        report.near("first centre", std::get<0>(all[0]), -0.8087227, 1e-4);
    }
    return report.status();
}
