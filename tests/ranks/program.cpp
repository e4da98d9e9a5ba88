// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the same text for any number of ranks, but for what is asked of the ranks themselves, which goes to stderr.
#include <sinter/npy.hpp>
#include <sinter/ranks.hpp>
#include <sinter/sinter.hpp>

#include <cinttypes>
#include <cstdio>
#include <cstring>

using namespace sinter;

namespace {

std::uint64_t bits(double x) {
    std::uint64_t b = 0;
    std::memcpy(&b, &x, sizeof b);
    return b;
}

}  // namespace

int main(int argc, char** argv) {
    Ranks ranks(argc, argv);
    std::fprintf(stderr, "%s\n", ranks.explain().c_str());
    // Rows are made by whom they belong to.
    constexpr std::int64_t rows = 1003, columns = 17;
    const auto like = run(fill(shape(rows, columns), 0.0));
    std::vector<double> mine;
    for (std::int64_t i = like.part().first; i < like.part().last; ++i)
        for (std::int64_t j = 0; j < columns; ++j) mine.push_back(1.0 / double(i * columns + j + 1));
    const auto a = from_parts(mine, shape(like.part().last - like.part().first, columns));
    const double total = run(sum(flatten(a * a))).item();
    std::vector<double> again(a.local().begin(), a.local().end());
    const bool same_parts = again == mine;
    if (argc > 1) save_npy(argv[1], a);
    bool refused = false;
    try {
        from_parts(std::vector<float>(std::size_t(ranks.rank() + 1)), shape(1));
    } catch (const ShapeError&) {
        refused = true;
    }
    const auto flags = from_parts(std::vector<bool>{ranks.first()}, shape(1));
    const bool same_flags = flags(0) && flags.size() == ranks.count();
    if (ranks.first()) {
        std::printf("shape %" PRId64 " %" PRId64 "\nsum %016" PRIx64 "\nparts %d\n", a.shape()[0], a.shape()[1], bits(total),
                    int(same_parts));
        std::printf("refused %d\nflags %d\n", int(refused == (ranks.count() > 1)), int(same_flags));
    }
    bool twice = false;
    try {
        const Ranks other;
    } catch (const UsageError&) {
        twice = true;
    }
    return same_parts && twice && ranks.count() == flags.size() ? 0 : 1;
}
