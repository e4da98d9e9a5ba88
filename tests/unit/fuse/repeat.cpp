// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cheap operations computed again: against all sets of copies and all partitions of what they give.
#include "fuse/rules/repeat.hpp"

#include "all_copies.hpp"
#include "fuse/graph/bodies.hpp"
#include "fuse/tuning.hpp"
#include "ir/text/parse.hpp"
#include "ir/text/print.hpp"
#include "large_program.hpp"
#include "random_program.hpp"
#include "random_stencils.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace sinter;
using namespace sinter::fuse;
using namespace sinter::fuse::test;

#ifdef __SANITIZE_ADDRESS__
constexpr bool fast_build = false;  ///< searches may end at their deadline
#else
constexpr bool fast_build = true;
#endif

namespace {

struct Tally {
    std::size_t compared = 0, repeated = 0, left_out = 0;
    std::size_t best = 0, worse = 0;  ///< of those compared; only what is not proven may be worse
};

/// The clusters that are said to be the best are, of the program that has the copies.
void check_optima(const Repetition& found, const ExtentsOf& extents) {
    std::size_t body_number = 0;
    double total = 0;
    for_each_body(found.program.body, {}, [&](const ir::Body& body, const std::vector<ir::Type>& outer) {
        REQUIRE(body_number < found.optima.size());
        const Optimum& best = found.optima[body_number++];
        const DepGraph graph = dep_graph(found.program, body, outer);
        CHECK(cost(graph, best.clusters, Prices::bytes(extents(found.program))) == best.cost);
        CHECK_NOTHROW(verify(found.program, body, outer, partition_into(found.program, body, outer, best.clusters)));
        total += best.cost;
    });
    CHECK(body_number == found.optima.size());
    CHECK(total + found.arithmetic == Approx(found.cost).epsilon(1e-12));
}

void compare(const std::string& text, double launch, Tally& tally) {
    const ir::Program program = ir::parse(text);
    const ExtentsOf extents = [&](const ir::Program& p) { return Extents::nominal(p.sizes, launch); };
    const std::set<std::size_t> candidates = repeatable_operations(dep_graph(program, program.body, {}), extents(program));
    const std::vector<double> by_copies = least_by_copies(program, candidates, extents);
    if (by_copies.size() < 2) return;
    const double least = *std::min_element(by_copies.begin(), by_copies.end());
    INFO(text << "launch " << launch);
    const Repetition found = repeat(program, extents, CostFunction::bytes, std::chrono::seconds(60));
    INFO(ir::print(found.program));
    CHECK(found.candidates <= candidates.size());
    CHECK(found.exhaustive);
    CHECK(found.cost >= least);
    CHECK(found.lower <= least);
    ++(found.cost == least ? tally.best : tally.worse);
    if (fast_build) CHECK(found.lower == found.cost);
    ir::verify(found.program);
    check_optima(found, extents);
    ++tally.compared;
    tally.left_out += candidates.size() - found.candidates;
    tally.repeated += found.repeated.empty() ? 0 : 1;
}

void compare_random(std::uint64_t seed, std::size_t operations, Tally& tally) {
    INFO("seed " << seed);
    compare(RandomProgram(seed, true).program(operations), tuning::launch_bytes, tally);
}

void compare_stencils(std::uint64_t seed, Tally& tally) {
    with_stencils(seed, [&](const std::string& text, double launch) { compare(text, launch, tally); });
}

Extents nominal(const ir::Program& program) { return Extents::nominal(program.sizes); }

}  // namespace

TEST_CASE("repeat: no set of copies and no partition of it costs less, for small programs") {
    Tally tally;
    for (std::uint64_t seed = 1; seed <= 4000; ++seed) compare_random(seed, 5 + seed % 4, tally);
    CHECK(tally.compared > 30);
    CHECK(tally.repeated > 10);
    CHECK(tally.worse == 0);
}

TEST_CASE("repeat: no set of copies and no partition of it costs less, for more programs", "[.][long]") {
    Tally tally;
    for (std::uint64_t seed = 1000; seed < 60'000; ++seed) compare_random(seed, 4 + seed % 7, tally);
    CHECK(tally.repeated > 500);
    CHECK(tally.worse == 0);
}

TEST_CASE("repeat: what is left out never pays, for small stencils") {
    Tally tally;
    for (std::uint64_t seed = 1; seed <= 600; ++seed) compare_stencils(seed, tally);
    CHECK(tally.compared > 200);
    CHECK(tally.repeated > 10);
    CHECK(tally.left_out > 5);
    CHECK(tally.worse == 0);
}

TEST_CASE("repeat: what is left out never pays, for more stencils", "[.][long]") {
    Tally tally;
    for (std::uint64_t seed = 1000; seed < 6000; ++seed) compare_stencils(seed, tally);
    CHECK(tally.left_out > 100);
    CHECK(tally.worse == 0);
}

TEST_CASE("repeat: all passes of a radix sort compute their bits again") {
    const ir::Program program = ir::parse(radix_sort(16));
    const Repetition found = repeat(program, nominal);
    CHECK(found.candidates == 16);
    CHECK(found.repeated.size() == 16);
    for (const Repeated& repeated : found.repeated) CHECK(repeated.times == 3);
    CHECK(found.exhaustive);
    if (fast_build) CHECK(found.lower == found.cost);
    check_optima(found, nominal);
    // Stored, each would be written once and read once.
    const DepGraph graph = dep_graph(program, program.body, {});
    const double without = optimal(graph, Prices::bytes(nominal(program))).cost;
    CHECK(without - (found.cost - found.arithmetic) == 16 * 2 * 8 * 10'000.0);
}

namespace {

const std::string matrix = "f32[n0, n0]";

/// Along columns and along rows: not in one cluster.
std::string scans(Lines& lines, std::size_t of, std::size_t zero) {
    std::string results;
    for (int axis : {0, 1})
        results += fmt::format(
            "{}%{}", axis ? ", " : "",
            lines.add(matrix,
                      fmt::format("scan [{}] (%{}) from (%{}) {{x0: f32, x1: f32 -> x2 = add x0 x1; x2}}", axis, of, zero)));
    return results;
}

/// Scans of a sum. It has two inputs that are scanned so as well, and costs nothing to compute again; or three that are not,
/// and is better stored.
std::string scanned_sum(Lines& lines, const std::vector<std::size_t>& inputs, std::size_t zero, bool pays) {
    if (pays) {
        const std::size_t sum = lines.map2(matrix, inputs[0], inputs[1], "add");
        return scans(lines, sum, zero) + ", " + scans(lines, inputs[0], zero) + ", " + scans(lines, inputs[1], zero);
    }
    const std::string sum = "{x0: f32, x1: f32, x2: f32 -> x3 = add x0 x1; x4 = add x3 x2; x4}";
    return scans(lines, lines.add(matrix, fmt::format("map (%{}, %{}, %{}) {}", inputs[0], inputs[1], inputs[2], sum)),
                 zero);
}

}  // namespace

TEST_CASE("repeat: of many candidates those that pay are found") {
    Lines lines;
    const std::size_t zero = lines.add("f32", "input");
    std::vector<std::size_t> inputs;
    for (int k = 0; k < 24; ++k) inputs.push_back(lines.add(matrix, "input"));
    std::string results;
    for (std::size_t k = 0; k < 8; ++k)
        results +=
            (k ? ", " : "") + scanned_sum(lines, {inputs[3 * k], inputs[3 * k + 1], inputs[3 * k + 2]}, zero, k % 2 == 0);
    const ir::Program program = ir::parse(lines.take(results));
    const Repetition found = repeat(program, nominal, CostFunction::bytes, std::chrono::seconds(60));
    INFO(ir::print(found.program));
    check_optima(found, nominal);
    CHECK(found.candidates == 8);
    CHECK(found.repeated.size() == 4);
    CHECK_FALSE(found.exhaustive);
    const DepGraph graph = dep_graph(program, program.body, {});
    const double without = optimal(graph, Prices::bytes(nominal(program)), std::chrono::seconds(60)).cost;
    CHECK(without - (found.cost - found.arithmetic) >= 4 * 2 * 4e8);  // each is neither written nor read
}

TEST_CASE("repeat: the candidates of one body are no matter of another") {
    // Three in each branch: together they are more than are tried in all combinations.
    auto branch = [](const char* op) {
        Lines lines(5);
        std::vector<std::size_t> arrays{0, 1, 2};
        for (std::size_t k = 0; k < 3; ++k) arrays.push_back(lines.map2(matrix, k, (k + 1) % 3, op));
        std::string results;
        for (std::size_t of : arrays) results += (of ? ", " : "") + scans(lines, of, 3);
        return lines.take(results);
    };
    std::string types, inputs, names;
    for (int k = 0; k < 12; ++k) {
        types += fmt::format("{}%{} : {}", k ? ", " : "", k + 5, matrix);
        names += fmt::format("{}%{}", k ? ", " : "", k + 5);
    }
    for (int k = 0; k < 3; ++k) inputs += fmt::format("%{} : {} = input\n", k, matrix);
    const ir::Program program =
        ir::parse(fmt::format("{}%3 : f32 = input\n%4 : bool = input\n{} = cond %4 {{\n{}\n}} "
                              "{{\n{}\n}}\nreturn {}\n",
                              inputs, types, branch("add"), branch("mul"), names));
    const Repetition found = repeat(program, nominal, CostFunction::bytes, std::chrono::seconds(60));
    INFO(ir::print(found.program));
    check_optima(found, nominal);
    CHECK(found.optima.size() == 3);
    CHECK(found.candidates == 6);
    CHECK(found.repeated.size() == 6);
    CHECK(found.exhaustive);
}

TEST_CASE("repeat: every reader has a copy, and one only") {
    const ir::Program program = ir::parse(R"(%0 : f32[n0] = input
%1 : f32[n0] = map (%0) {x0: f32 -> x1 = add x0 x0; x1}
%2 : f32[n0] = slice [(n0 - 1):-1] %1
%3 : f32[n0] = map (%1, %1) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}
%4 : f32[n0] = map (%2, %1) {x0: f32, x1: f32 -> x2 = sub x0 x1; x2}
return %3, %4)");
    const Copies copies = with_copies(program, {0, 1});
    ir::verify(copies.program);
    CHECK(ir::print(copies.program) == R"(%0 : f32[n0] = input
%1 : f32[n0] = map (%0) {x0: f32 -> x1 = add x0 x0; x1}
%2 : f32[n0] = slice [(n0 - 1):-1] %1
%3 : f32[n0] = map (%0) {x0: f32 -> x1 = add x0 x0; x1}
%4 : f32[n0] = map (%3, %3) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}
%5 : f32[n0] = map (%0) {x0: f32 -> x1 = add x0 x0; x1}
%6 : f32[n0] = map (%2, %5) {x0: f32, x1: f32 -> x2 = sub x0 x1; x2}
return %4, %6
)");
    CHECK(times(copies).at(0) == 3);
    CHECK(times(copies).at(1) == 1);
}

TEST_CASE("repeat: every copy of a view has a copy of what it views") {
    const ir::Program program = ir::parse(R"(%0 : f32[n0] = input
%1 : f32[n0] = map (%0) {x0: f32 -> x1 = add x0 x0; x1}
%2 : f32[n0] = shift clamp [1] %1
%3 : f32[n0] = shift clamp [2] %1
%4 : f32[n0] = map (%2, %3) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}
%5 : f32[n0] = shift clamp [3] %4
%6 : f32[n0] = map (%4, %5) {x0: f32, x1: f32 -> x2 = sub x0 x1; x2}
return %6)");
    const Copies copies = with_copies(program, {0, 1, 2, 3, 4});
    ir::verify(copies.program);
    INFO(ir::print(copies.program));
    for (Place each : {0, 1, 2, 3, 4}) CHECK(times(copies).at(each) == (each == 0 ? 4 : each == 4 ? 1 : 2));
}
