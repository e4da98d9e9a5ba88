// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/strategy/split_large.hpp"

#include "large_program.hpp"
#include "random_program.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace sinter;
using namespace sinter::fuse;
using namespace sinter::fuse::test;

namespace {

/// The sizes of the parts that the optimum's clusters are split into, in execution order. What they make is legal.
std::vector<std::size_t> parts(const std::string& text, std::size_t most) {
    const ir::Program program = ir::parse(text);
    const DepGraph graph = dep_graph(program, program.body, {});
    Legality legality(graph);
    const Clusters split = split_large(graph, legality, clusters_of(partition_of(program, Strategy::optimal)), most);
    const Partition result = partition_into(program, program.body, {}, split);
    verify(program, program.body, {}, result);
    std::vector<std::size_t> sizes;
    for (const Cluster& cluster : result.clusters) sizes.push_back(cluster.operations.size());
    return sizes;
}

/// Maps of one instruction each: two with the map itself.
std::string chain(int maps) {
    Lines lines;
    std::size_t x = lines.add("f32[n0]", "input");
    for (int k = 0; k < maps; ++k) x = lines.map1("f32[n0]", x, "exp");
    return lines.take(fmt::format("%{}", x));
}

/// `width` arrays, each of which is added to its neighbour `length` times. All are added at the end.
std::string mixed(int width, int length) {
    Lines lines;
    const std::size_t input = lines.add("f32[n0]", "input");
    std::vector<std::size_t> ends(static_cast<std::size_t>(width), input);
    for (int k = 0; k < length; ++k)
        for (std::size_t j = 0; j < ends.size(); ++j)
            ends[j] = lines.map2("f32[n0]", ends[j], ends[(j + 1) % ends.size()], "sub");
    std::size_t sum = ends[0];
    for (std::size_t k = 1; k < ends.size(); ++k) sum = lines.map2("f32[n0]", sum, ends[k], "add");
    return lines.take(fmt::format("%{}", sum));
}

}  // namespace

TEST_CASE("Clusters within the limit stay whole") {
    CHECK(parts(chain(10), 20) == std::vector<std::size_t>{10});
    CHECK(parts(chain(1), 1) == std::vector<std::size_t>{1});
}

TEST_CASE("A chain is split into parts of equal size") {
    CHECK(parts(chain(10), 19) == std::vector<std::size_t>{5, 5});
    CHECK(parts(chain(100), 50) == std::vector<std::size_t>{25, 25, 25, 25});
    CHECK(parts(chain(101), 50).size() == 5);
}

TEST_CASE("Clusters are split where few arrays lead from one part to the next") {
    Lines lines;
    std::size_t x = lines.add("f32[n0]", "input");
    std::vector<std::size_t> narrow;  // positions at which one array is all that is needed later
    for (int block = 0; block < 4; ++block) {
        std::vector<std::size_t> made{x};
        for (int k = 0; k < 4; ++k) made.push_back(lines.map1("f32[n0]", made.back(), "exp"));
        for (std::size_t k = 0; k < 4; ++k) x = lines.map2("f32[n0]", k ? x : made[4], made[k], "add");
    }
    const std::vector<std::size_t> sizes = parts(lines.take(fmt::format("%{}", x)), 34);
    CHECK(sizes == std::vector<std::size_t>{16, 16});
}

TEST_CASE("Clusters stay whole where many arrays would have to be stored") {
    CHECK(parts(mixed(4, 20), 100).size() == 2);
    CHECK(parts(mixed(20, 20), 500).size() == 1);
}

TEST_CASE("The default limit splits no program of a few thousand operations") {
    const auto count = [](int maps) { return partition_of(ir::parse(chain(maps)), Strategy::optimal).clusters.size(); };
    CHECK(count(9000) == 1);
    CHECK(count(20'000) == 2);
}

TEST_CASE("An edge between the parts of a cluster has its reason") {
    const Partition split = partition_of(ir::parse(chain(20'000)), Strategy::optimal);
    REQUIRE(split.unfused.size() == 1);
    CHECK(split.unfused[0].reason == "one kernel of both would be too large");
    CHECK(split.manifest.size() == 2);
}

TEST_CASE("Parts of random programs are legal") {
    std::size_t more = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const std::string text = RandomProgram(seed).program(3 + seed % 40);
        INFO("seed " << seed << "\n" << text);
        more += parts(text, 4).size() > parts(text, 1'000'000).size();
    }
    CHECK(more > 30);
}
