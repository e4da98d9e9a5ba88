// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What to keep in memory between folds: against all sets of copies and all partitions, and for chains of any length.
#include "fuse/copies/storage.hpp"

#include "all_copies.hpp"
#include "fuse/rules/repeat.hpp"
#include "fuse/strategy/candidates.hpp"
#include "fuse/strategy/strategies.hpp"
#include "ir/text/parse.hpp"
#include "large_program.hpp"
#include "random_program.hpp"
#include "random_stencils.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>

using namespace sinter;
using namespace sinter::fuse;
using namespace sinter::fuse::test;

namespace {

Extents nominal(const ir::Program& program) { return Extents::nominal(program.sizes); }

/// The bound, and the least cost by the definition; counts those that are equal.
void compare(const std::string& text, double launch, std::size_t& compared, std::size_t& equal) {
    const ir::Program program = ir::parse(text);
    const ExtentsOf extents = [&](const ir::Program& p) { return Extents::nominal(p.sizes, launch); };
    const DepGraph graph = dep_graph(program, program.body, {});
    const std::set<std::size_t> candidates = repeatable_operations(graph, extents(program));
    const std::vector<double> by_copies = least_by_copies(program, candidates, extents);
    if (by_copies.empty()) return;
    const auto storage =
        cheapest_storage(graph, Prices::bytes(extents(program)), arithmetic(graph, extents(program), candidates));
    if (!storage) return;
    INFO(text << "launch " << launch);
    const double least = *std::min_element(by_copies.begin(), by_copies.end());
    CHECK(storage->lower <= least * (1 + 1e-12));
    ++compared;
    if (storage->lower >= least * (1 - 1e-12)) ++equal;
}

/// The cost if everything that can be computed again is, or nothing.
double cost_with_copies(const ir::Program& program, bool all) {
    const DepGraph graph = dep_graph(program, program.body, {});
    const Prices prices = Prices::bytes(nominal(program));
    std::set<std::size_t> chosen;
    if (all)
        for (const Candidate& c : candidates(graph, nominal(program), prices).list) chosen.insert(c.operation.index);
    const Copies copies = with_copies(program, with_views(graph, chosen), 5000);
    if (!copies.complete) return std::numeric_limits<double>::infinity();
    const DepGraph copied = dep_graph(copies.program, copies.program.body, {});
    return optimal(copied, Prices::bytes(nominal(copies.program))).cost +
           arithmetic_of(program, graph, chosen, copies, arithmetic(graph, nominal(program), chosen));
}

}  // namespace

TEST_CASE("storage: no set of copies and no partition of it costs less than the bound, for small programs") {
    std::size_t compared = 0, equal = 0;
    for (std::uint64_t seed = 1; seed <= 1500; ++seed)
        compare(RandomProgram(seed, true).program(4 + seed % 5), static_cast<double>(seed % 3) * 10'000, compared, equal);
    for (std::uint64_t seed = 1; seed <= 200; ++seed)
        with_stencils(seed, [&](const std::string& text, double launch) { compare(text, launch, compared, equal); });
    CHECK(compared > 500);
    CHECK(equal > 50);
}

TEST_CASE("storage: diamonds and folds, for few steps by the definition") {
    for (const char* f : {"negate", "sqrt", "exp"})
        for (const char* g : {"negate", "sqrt", "exp"})
            for (int steps = 1; steps <= 2; ++steps) {
                std::size_t compared = 0, equal = 0;
                compare(diamonds(steps, f, g), 0, compared, equal);
                compare(diamonds(steps, f, g), 40'000, compared, equal);
                INFO(steps << " steps of " << f << " and " << g);
                CHECK(equal == compared);
            }
}

TEST_CASE("storage: chains of diamonds and folds are proven, and cost no more than to store all or to compute all again") {
    for (int steps : {5, 20, 40}) {
        for (const char* f : {"negate", "exp"}) {
            INFO(steps << " steps of " << f);
            const ir::Program program = ir::parse(diamonds(steps, f, "sqrt"));
            const Repetition found = repeat(program, nominal, CostFunction::bytes, std::chrono::seconds(60));
            CHECK(found.exhaustive);
            CHECK(found.lower == Approx(found.cost).epsilon(1e-9));
            CHECK(found.cost <= cost_with_copies(program, false) * (1 + 1e-12));
            if (steps <= 20) CHECK(found.cost <= cost_with_copies(program, true) * (1 + 1e-12));
        }
    }
}

TEST_CASE("storage: nothing is chosen without time to compare") {
    const ir::Program program = ir::parse(diamonds(5, "negate", "sqrt"));
    const DepGraph graph = dep_graph(program, program.body, {});
    const Prices prices = Prices::bytes(nominal(program));
    std::set<std::size_t> all;
    for (const Candidate& c : candidates(graph, nominal(program), prices).list) all.insert(c.operation.index);
    const std::vector<double> again = arithmetic(graph, nominal(program), all);
    CHECK(cheapest_storage(graph, prices, again));
    CHECK_FALSE(cheapest_storage(graph, prices, again, std::chrono::seconds(0)));
}

TEST_CASE("storage: how long large programs take", "[.][time]") {
    auto show = [](const std::string& name, const std::string& text) {
        const ir::Program program = ir::parse(text);
        const DepGraph graph = dep_graph(program, program.body, {});
        const Prices prices = Prices::bytes(nominal(program));
        std::set<std::size_t> all;
        for (const Candidate& c : candidates(graph, nominal(program), prices).list) all.insert(c.operation.index);
        const std::vector<double> again = arithmetic(graph, nominal(program), all);
        const auto start = std::chrono::steady_clock::now();
        const bool found = cheapest_storage(graph, prices, again).has_value();
        const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
        WARN(name << ": " << graph.vertices.size() << " operations, " << all.size() << " candidates, "
                  << (found ? "found" : "not found") << ", " << ms.count() << " ms");
    };
    for (int steps : {10, 20, 40, 80, 200}) show("conjugate gradients", conjugate_gradients(steps));
    for (int steps : {20, 40, 80, 200}) show("diamonds", diamonds(steps, "negate", "sqrt"));
    for (std::uint64_t seed = 1; seed <= 6; ++seed) show("layered", layered(200, seed));
    show("layered", layered(1000, 7));
}
