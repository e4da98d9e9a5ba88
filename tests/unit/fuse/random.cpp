// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs: every strategy's partition passes the verifier, no cluster moves more than its operations alone, and
// extracted clusters are well-formed. Large ones: time.
#include "ir/text/print.hpp"
#include "random_program.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>

#include <ctime>

using namespace sinter;
using namespace sinter::fuse;
using namespace sinter::fuse::test;

TEST_CASE("Partitions of random programs are legal and move no more than none") {
    std::uint64_t first = from_environment("SINTER_RANDOM_SEED", 1), count = from_environment("SINTER_RANDOM_COUNT", 400);
    std::size_t fewer = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        std::string text = RandomProgram(seed).program(3 + seed % 40);
        ir::Program program = ir::parse(text);
        INFO("SINTER_RANDOM_SEED=" << seed << "\n" << text);
        ir::verify(program);
        DepGraph graph = dep_graph(program, program.body, {});
        Extents extents = Extents::nominal(program.sizes);
        double least = 0, t2 = 0;
        for (const NamedStrategy& s : strategies) {
            INFO(s.name);
            Partition p = partition_of(program, s.strategy);
            double c = cost(graph, clusters_of(p), Prices::bytes(extents));
            if (s.strategy == Strategy::none) least = c;
            if (s.strategy == Strategy::optimal)
                REQUIRE(c <= t2);
            else if (s.strategy == Strategy::t2)
                t2 = c;
            REQUIRE(c <= least);
            fewer += c < least;
            for (const Cluster& cluster : p.clusters) {
                if (graph.roles[cluster.operations[0].index] == Role::barrier) continue;
                Extracted e = extract(program, program.body, {}, cluster, p.manifest);
                ir::verify(e.program);
                REQUIRE(ir::print(ir::parse(ir::print(e.program))) == ir::print(e.program));
            }
        }
    }
    CHECK(fewer > count);
}

TEST_CASE("A thousand operations are partitioned in milliseconds") {
    ir::Program program = ir::parse(RandomProgram(7).program(1000));
    std::clock_t start = std::clock();
    Partition p = partition(program, program.body, {}, Strategy::t2);
    double milliseconds = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    verify(program, program.body, {}, p);
    INFO(milliseconds << " ms, " << p.clusters.size() << " clusters");
    CHECK(milliseconds < 500);  // generous: also holds with the verifier, unoptimised and instrumented
}
