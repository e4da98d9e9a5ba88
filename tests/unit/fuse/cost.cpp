// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace sinter;
using namespace sinter::fuse;
using namespace sinter::fuse::test;

namespace {

/// Traffic of each cluster if every input axis is `n` long.
std::vector<Traffic> traffic_of(const char* text, Strategy strategy, std::int64_t n) {
    ir::Program program = ir::parse(text);
    Extents extents(ir::evaluate(program.sizes, [&](const ir::Size&) { return n; }));
    return traffic(program, program.body, {}, partition_of(program, strategy), extents);
}

const char* const chain = R"(%0 : f32[n0] = input
%1 : f64[n0] = map (%0) {x0: f32 -> x1: f64 = cast x0; x1}
%2 : f64[n0] = map (%1, %1) {x0: f64, x1: f64 -> x2 = mul x0 x1; x2}
return %2)";

}  // namespace

TEST_CASE("Traffic counts what each cluster reads and writes in bytes") {
    auto apart = traffic_of(chain, Strategy::none, 10);
    REQUIRE(apart.size() == 2);
    CHECK(apart[0].read == 40);
    CHECK(apart[0].written == 80);
    CHECK(apart[1].read == 80);
    CHECK(apart[1].written == 80);
    auto fused = traffic_of(chain, Strategy::t2, 10);
    REQUIRE(fused.size() == 1);
    CHECK(fused[0].read == 40);
    CHECK(fused[0].written == 80);
}

TEST_CASE("An array read in two orders counts twice, a broadcast or a slice no more than it touches") {
    auto two = traffic_of(R"(%0 : f32[n0] = input
%1 : f32[n0] = slice [(n0 - 1):-1] %0
%2 : f32[n0] = map (%0, %1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %2)",
                          Strategy::t2, 10);
    CHECK(two[0].read == 80);
    auto row = traffic_of(R"(%0 : f32[n0] = input
%1 : f32[n0, 10] = broadcast [0] %0
%2 : f32[n0, 10] = map (%1) {x0: f32 -> x1 = sqrt x0; x1}
return %2)",
                          Strategy::t2, 10);
    CHECK(row[0].read == 40);
    CHECK(row[0].written == 400);
    auto part = traffic_of(R"(%0 : f32[n0] = input
%1 : f32[3] = slice [0:1] %0
%2 : f32[3] = map (%1) {x0: f32 -> x1 = sqrt x0; x1}
return %2)",
                           Strategy::t2, 10);
    CHECK(part[0].read == 12);
}

TEST_CASE("In units, arrays count one and scalars nothing") {
    ir::Program program = ir::parse(chain);
    DepGraph graph = dep_graph(program, program.body, {});
    Extents extents = Extents::nominal(program.sizes);
    CHECK(cost(graph, clusters_of(partition_of(program, Strategy::none)), Prices(CostFunction::reads_writes, extents)) == 4);
    CHECK(cost(graph, clusters_of(partition_of(program, Strategy::t2)), Prices(CostFunction::reads_writes, extents)) == 2);
}

TEST_CASE("A launch costs what the target says") {
    ir::Program program = ir::parse(chain);
    DepGraph graph = dep_graph(program, program.body, {});
    for (double launch : {0.0, 1e6}) {
        const Prices prices = Prices::bytes(Extents::nominal(program.sizes, launch));
        CHECK(cost(graph, clusters_of(partition_of(program, Strategy::none)), prices) == 280'000 + 2 * launch);
        CHECK(cost(graph, clusters_of(partition_of(program, Strategy::t2)), prices) == 120'000 + launch);
    }
}

namespace {

/// A map of some views of %0, read one after the other.
std::string sum_of(const std::string& type, const std::vector<std::string>& views) {
    std::string text = "%0 : " + type + " = input\n", args, params, code;
    for (std::size_t k = 0; k < views.size(); ++k) {
        text += fmt::format("%{} : {} = {} %0\n", k + 1, type, views[k]);
        args += fmt::format("{}%{}", k ? ", " : "", k + 1);
        params += fmt::format("{}x{}: f32", k ? ", " : "", k);
    }
    std::size_t sum = 0, next = views.size();
    for (std::size_t k = 1; k < views.size(); ++k, sum = next++) code += fmt::format("x{} = add x{} x{}; ", next, sum, k);
    return text + fmt::format("%{} : {} = map ({}) {{{} -> {}x{}}}\nreturn %{}\n", views.size() + 1, type, args, params,
                              code, sum, views.size() + 1);
}

double bytes_read(const std::string& text) {
    const auto traffic = traffic_of(text.c_str(), Strategy::t2, 10'000);
    REQUIRE(traffic.size() == 1);
    return traffic[0].read;
}

}  // namespace

TEST_CASE("Neighbours are read once, whatever else reads an array") {
    const double matrix = 4e8;
    CHECK(bytes_read(sum_of("f32[n0, n0]", {"shift clamp [-1, 0]", "shift clamp [0, 1]", "shift wrap [1, 1]"})) == matrix);
    CHECK(bytes_read(sum_of("f32[n0, n0]", {"shift clamp [-1, 0]", "shift clamp [5000, 0]"})) == 2 * matrix);
    CHECK(bytes_read(sum_of("f32[n0, n0]", {"shift clamp [0, 1]", "transpose [1, 0]"})) == 2 * matrix);
    CHECK(bytes_read(sum_of("f32[n0]", {"shift clamp [1]", "slice [(n0 - 1):-1]"})) == 80'000);
}

TEST_CASE("Slices from starts next to each other share their lines, others do not") {
    auto slices = [](const char* first, const char* second) {
        return fmt::format(R"(%0 : f32[n0] = input
%1 : f32[(n0 - 10)] = slice [{}] %0
%2 : f32[(n0 - 10)] = slice [{}] %0
%3 : f32[(n0 - 10)] = map (%1, %2) {{x0: f32, x1: f32 -> x2 = add x0 x1; x2}}
return %3)",
                           first, second);
    };
    CHECK(bytes_read(slices("0:1", "10:1")) == 39'960);
    CHECK(bytes_read(slices("0:1", "5000:1")) == 2 * 39'960);
    CHECK(bytes_read(slices("(n0 - 1):-1", "(n0 - 3):-1")) == 39'960);
    CHECK(bytes_read(slices("0:1", "(n0 - 3):-1")) == 2 * 39'960);
}

TEST_CASE("Rows, columns and what is repeated are counted by the lines they are in") {
    auto part = [](const char* shape, const char* start) {
        return fmt::format(R"(%0 : f32[n0, n0] = input
%1 : f32[{}] = slice [{}] %0
%2 : f32[{}] = map (%1) {{x0: f32 -> x1 = sqrt x0; x1}}
return %2)",
                           shape, start, shape);
    };
    CHECK(bytes_read(part("1, n0", "3:1, 0:1")) == 40'000);
    CHECK(bytes_read(part("n0, 1", "0:1, 3:1")) == 640'000);
    CHECK(bytes_read(part("n0, 100", "0:1, 3:4")) == 16e6);
    CHECK(bytes_read(R"(%0 : f32[n0, n0] = input
%1 : f32[1, n0] = slice [0:1, 0:1] %0
%2 : f32[n0] = reshape %1
%3 : f32[n0, n0] = broadcast [1] %2
%4 : f32[n0, n0] = map (%3) {x0: f32 -> x1 = sqrt x0; x1}
return %4)") == 40'000);
}

TEST_CASE("A sort reads and writes for every pass, an update the lines it changes") {
    const auto sorted = traffic_of(R"(%0 : f32[n0] = input
%1 : f32[n0] = sort 1 (%0)
return %1)",
                                   Strategy::t2, 1'000'000);
    CHECK(sorted[0].read == 4e6 * (1 + 2 * 3));
    CHECK(sorted[0].written == 4e6 * 3);
    const auto updated = traffic_of(R"(%0 : i64[3] = input
%1 : f32[3] = input
%2 : f32[n0] = input
%3 : f32[n0] = force (%2)
%4 : f32[n0] = map (%3) {x0: f32 -> x1 = sqrt x0; x1}
%5 : f32[n0] = scatter (%4) at (%0) (%1)
return %5)",
                                    Strategy::t2, 1000);
    REQUIRE(updated.size() == 3);
    CHECK(updated[2].read == 3 * (8 + 4 + 64));
    CHECK(updated[2].written == 3 * 64);
}

TEST_CASE("Reads at computed indices count a line each, unless control flow says how many they are") {
    auto by_index = [](const char* reads) {
        return fmt::format(R"(%0 : f32[n0] = input
%1 : i64[10] = input
%2 : f32[10] = map (%1; ; %0) {{@0: f32^1, x0: i64 -> {}}}
return %2)",
                           reads);
    };
    CHECK(bytes_read(by_index("x1: f32 = read @0 x0; x1")) == 80 + 640);
    CHECK(bytes_read(by_index("x1: f32 = read @0 x0; x2: i64 = constant 3; x3: f32 = read @0 x2; x4 = add x1 x3; x4")) ==
          80 + 1280);
}

TEST_CASE("To ask how long an array is reads nothing of it") {
    CHECK(bytes_read(R"(%0 : f32[n0] = input
%1 : i64[10] = input
%2 : i64[10] = map (%1; ; %0) {@0: f32^1, x0: i64 -> x1: i64 = extent @0^0; x2 = add x0 x1; x2}
return %2)") == 80);
}
