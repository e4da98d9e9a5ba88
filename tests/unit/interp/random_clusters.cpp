// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of a cluster computes what the cluster means: random programs, interpreted before and after lowering.
#include "interp/kernel.hpp"
#include "interp/program.hpp"
#include "ir/text/print.hpp"
#include "ir/verify/verify.hpp"
#include "lower/lower.hpp"
#include "lower/text/parse.hpp"
#include "tests/unit/interp/cluster_generator.hpp"
#include "tests/unit/interp/kernel_run.hpp"

#include <catch2/catch.hpp>

#include <optional>

using namespace sinter;

namespace {

/// Nothing if it fails at run time.
std::optional<std::vector<interp::ArrayValue>> expected(const test::Cluster& cluster) {
    try {
        return interp::interpret(cluster.program, cluster.inputs, cluster.size_arguments);
    } catch (const IndexError&) {
    } catch (const DomainError&) {
    }
    return {};
}

struct Counts {
    int computed = 0, failed = 0, collapsed = 0;
};

void compare(std::uint64_t seed, Counts& counts) {
    test::Cluster cluster = test::random_cluster(seed);
    INFO("seed " << seed << "\n" << ir::print(cluster.program));
    ir::verify(cluster.program);
    lower::Kernel kernel = lower::lower(cluster.program);
    INFO(lower::print(kernel));
    CHECK(lower::print(lower::parse(lower::print(kernel))) == lower::print(kernel));
    auto program_results = expected(cluster);
    test::KernelRun run = test::run_kernel(kernel, cluster);
    if (run.failure) {  // an array that is computed in part only may fail less, never more
        CHECK(!program_results);
        ++counts.failed;
        return;
    }
    if (!program_results) return;
    REQUIRE(run.results.size() == program_results->size());
    for (std::size_t k = 0; k < run.results.size(); ++k) {
        INFO("result " << k);
        REQUIRE(interp::same_values(run.results[k], (*program_results)[k]));
    }
    ++counts.computed;
    counts.collapsed += (*program_results)[0].shape.size() > kernel.space.size();
}

}  // namespace

TEST_CASE("interpreted kernels agree with interpreted programs") {
    Counts counts;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) compare(seed, counts);
    CHECK(counts.computed > 2000);
    CHECK(counts.failed > 50);
    CHECK(counts.collapsed > 100);
}

TEST_CASE("without bounds checks nothing else changes") {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        test::Cluster cluster = test::random_cluster(seed);
        auto program_results = expected(cluster);
        if (!program_results) continue;
        INFO("seed " << seed << "\n" << ir::print(cluster.program));
        lower::Kernel kernel = lower::lower(cluster.program, {.bounds_checks = false});
        for (const lower::Check& check : kernel.checks) CHECK(check.kind == lower::Check::Kind::divisor);
        test::KernelRun run = test::run_kernel(kernel, cluster);
        REQUIRE(!run.failure);
        for (std::size_t k = 0; k < run.results.size(); ++k)
            REQUIRE(interp::same_values(run.results[k], (*program_results)[k]));
    }
}
