// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/strategy/t2.hpp"

#include "support.hpp"

#include <catch2/catch.hpp>

using namespace sinter;
using namespace sinter::fuse;

namespace {

/// A reduction of `text`, the operations from the last down to `until` (not included) visited.
struct Reduction {
    ir::Program program;
    DepGraph graph;
    Legality legality;
    T2Reduction t2;

    Reduction(const char* text, std::size_t until)
        : program(ir::parse(text)), graph(dep_graph(program, program.body, {})), legality(graph), t2(graph, legality) {
        for (std::size_t k = program.body.bindings.size(); k-- > until + 1;) t2.visit(Operation(k));
    }
    T2Conditions conditions(std::size_t op) { return t2.conditions(Operation(op)); }
};

const char* const chain = R"(%0 : f32[n0] = input
%1 : f32[n0] = map (%0) {x0: f32 -> x1 = sqrt x0; x1}
%2 : f32[n0] = map (%1) {x0: f32 -> x1 = exp x0; x1}
return %2)";

}  // namespace

TEST_CASE("T2 fuses a producer into its only kernel") {
    Reduction r(chain, 0);
    CHECK(r.conditions(0).all());
    r.t2.visit(Operation(0));
    CHECK(r.t2.take() == Clusters{{Operation(0), Operation(1)}});
}

TEST_CASE("T2 condition 1: results are read by operations of one kernel only") {
    Reduction returned(R"(%0 : f32[n0] = input
%1 : f32[n0] = map (%0) {x0: f32 -> x1 = sqrt x0; x1}
%2 : f32[n0] = map (%1) {x0: f32 -> x1 = exp x0; x1}
return %1, %2)",
                       0);
    CHECK_FALSE(returned.conditions(0).outputs_fusable);
    CHECK(returned.conditions(0).compatible);

    Reduction two_kernels(R"(%0 : f32[n0] = input
%1 : f32[n0] = map (%0) {x0: f32 -> x1 = sqrt x0; x1}
%2 : f32[n0] = map (%1) {x0: f32 -> x1 = exp x0; x1}
%3 : f32[n0] = map (%1) {x0: f32 -> x1 = negate x0; x1}
return %2, %3)",
                          0);
    CHECK_FALSE(two_kernels.conditions(0).outputs_fusable);

    Reduction case6(R"(%0 : f32[n0] = input
%1 : f32 = input
%2 : f32[n0], %3 : f32[n0] = map (%0) {x0: f32 -> x1 = sqrt x0; x2 = negate x0; x1, x2}
%4 : f32 = fold [0] (%2) from (%1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
%5 : f32 = fold [0] (%3) from (%1) {x0: f32, x1: f32 -> x2 = mul x0 x1; x2}
return %4, %5)",
                    0);
    CHECK_FALSE(case6.conditions(0).outputs_fusable);
}

TEST_CASE("T2 condition 2: there is a kernel that reads the results") {
    Reduction r(chain, 1);
    CHECK_FALSE(r.conditions(1).has_kernel);
    r.t2.visit(Operation(1));
    CHECK(r.conditions(0).has_kernel);
}

TEST_CASE("T2 condition 3: operation and kernel are one cluster in the closed form") {
    Reduction fold_of_fold(R"(%0 : f32[n0, n0.1] = input
%1 : f32 = input
%2 : f32[n0] = fold [1] (%0) from (%1) {x0: f32, x1: f32 -> x2 = maximum x0 x1; x2}
%3 : f32 = fold [0] (%2) from (%1) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %3)",
                           0);
    CHECK_FALSE(fold_of_fold.conditions(0).compatible);
    CHECK(fold_of_fold.conditions(0).outputs_fusable);

    Reduction two_orders(R"(%0 : f32[n0] = input
%1 : f32[n0] = map (%0) {x0: f32 -> x1 = sqrt x0; x1}
%2 : f32[n0] = slice [(n0 - 1):-1] %1
%3 : f32[n0] = map (%1, %2) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %3)",
                         0);
    CHECK_FALSE(two_orders.conditions(0).compatible);
}

TEST_CASE("T2 condition 4: no use moves behind an update in place") {
    Reduction r(chain, 0);
    CHECK(r.conditions(0).before_updates);
    r.t2.update(ir::ValueId(7));
    CHECK(r.conditions(0).before_updates);
    r.t2.update(ir::ValueId(0));  // case 1: %0 is overwritten between %1 and %2
    CHECK_FALSE(r.conditions(0).before_updates);
    r.t2.visit(Operation(0));
    CHECK(r.t2.take() == Clusters{{Operation(1)}, {Operation(0)}});
}

TEST_CASE("T2 reduces the figure's graph to one kernel and starts another for the producer of x1") {
    Reduction r(R"(%0 : f32[n0] = input
%1 : f32[n0] = map (%0) {x0: f32 -> x1 = sqrt x0; x1}
%2 : f32[n0], %3 : f32[n0] = map (%1) {x0: f32 -> x1 = exp x0; x2 = negate x0; x1, x2}
%4 : f32[n0], %5 : f32[n0] = map (%2, %3) {x0: f32, x1: f32 -> x2 = add x0 x1; x3 = sub x0 x1; x2, x3}
%6 : f32[n0], %7 : f32[n0] = map (%2, %4) {x0: f32, x1: f32 -> x2 = add x0 x1; x3 = sub x0 x1; x2, x3}
%8 : f32[n0] = map (%2, %5, %6, %7) {x0: f32, x1: f32, x2: f32, x3: f32 -> x4 = fma x0 x1 x2; x5 = mul x4 x3; x5}
%9 : f32[n0] = map (%1) {x0: f32 -> x1 = mul x0 x0; x1}
return %8, %9)",
                0);
    r.t2.visit(Operation(0));
    CHECK(r.t2.take() == Clusters{{Operation(5)}, {Operation(1), Operation(2), Operation(3), Operation(4)}, {Operation(0)}});
}
