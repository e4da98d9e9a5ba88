// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random kernels: generated code agrees with the interpreter to the last bit.
#include "random_generator.hpp"
#include "schedule/price.hpp"

#include <cstdlib>

using namespace jit_test;

namespace {

/// SINTER_RANDOM kernels from seed SINTER_SEED on.
void check_kernels(sinter::lower::Kernel (Generator::*make)(), unsigned otherwise,
                   const std::vector<std::vector<std::int64_t>>& sizes, const std::vector<int>& vectors = everywhere) {
    const char* count_text = std::getenv("SINTER_RANDOM");
    const unsigned count = count_text ? static_cast<unsigned>(std::atoi(count_text)) : otherwise;
    const char* first_text = std::getenv("SINTER_SEED");
    const unsigned first = first_text ? static_cast<unsigned>(std::atoi(first_text)) : 1;
    for (unsigned seed = first; seed < first + count; ++seed) {
        INFO("seed " << seed);
        check_kernel(sinter::lower::print((Generator(seed).*make)()), sizes, Fill::wild, 0, vectors);
    }
}

}  // namespace

TEST_CASE("random kernels") { check_kernels(&Generator::kernel, 60, {{1, 1}, {3, 9}, {2, 40}}); }

TEST_CASE("random kernels that scan") { check_kernels(&Generator::scan, 30, {{1, 1}, {3, 0}, {3, 9}, {2, 40}, {20, 3}}); }

TEST_CASE("random kernels that update") { check_kernels(&Generator::update, 30, {{1, 1}, {3, 9}, {2, 40}}); }

TEST_CASE("random kernels that pass over rows several times") {
    check_kernels(&Generator::rows, 60, {{1, 1}, {3, 0}, {3, 9}, {4, 4}, {9, 5}, {17, 3}, {37, 7}, {2, 40}, {1100, 6}},
                  host_vectors());
}

TEST_CASE("short rows of random kernels go in lanes") {
    sinter::schedule::Machine machine;
    machine.vector_bits = 256;
    machine.x86 = true;
    int in_rows = 0;
    for (unsigned seed = 1; seed <= 120; ++seed) {
        const auto kernel = Generator(seed).rows();
        const auto candidates = candidates_of(kernel, machine);
        const auto sizes = evaluate_sizes(kernel.sizes, {37, 7});
        const auto& way = candidates.ways[choose(kernel, candidates, sizes.data()).way];
        in_rows += std::holds_alternative<sinter::schedule::RowBlocks>(way);
    }
    CHECK(in_rows > 20);
}
