// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is compiled when: equal programs, other extents and other scalars compile nothing.
#include <sinter/array_operators.hpp>
#include <sinter/combinators/from.hpp>
#include <sinter/combinators/gather.hpp>
#include <sinter/combinators/reduce.hpp>

#include "front/frame.hpp"
#include "run/engine.hpp"

#include <catch2/catch.hpp>

using namespace sinter;

namespace {

struct Nowhere final : runtime::ResultSink {
    void take(BufferRef, std::span<const std::int64_t>) override {}
};

/// Kernels compiled by running `expression` on the kernel interpreter, which stands for any code generator.
template <class E>
std::uint64_t kernels_compiled(const E& expression) {
    runtime::Engine& engine = runtime::Engine::shared();
    std::uint64_t before = engine.statistics().compiled;
    runtime::RunOptions options;
    options.target = runtime::TargetKind::kernel_interpreter;
    std::vector<front::Leaf> roots = front::to_leaves(expression.leaves().leaf, 1, location::current());
    Nowhere results;
    runtime::Engine::execute(engine.prepare(roots, {}, true, options), {}, options, location::current(), results);
    return engine.statistics().compiled - before;
}

Array<float> ramp(int n) {
    std::vector<float> v;
    for (int i = 0; i < n; ++i) v.push_back(static_cast<float>(i));
    return from(v);
}

}  // namespace

TEST_CASE("an equal program compiles nothing") {
    Array<float> x = ramp(10), y = ramp(10);
    REQUIRE(kernels_compiled(2.5f * x + y) == 1);
    REQUIRE(kernels_compiled(2.5f * x + y) == 0);
    REQUIRE(kernels_compiled(2.5f * y + x) == 0);
    for (int n : {0, 1, 11, 5000}) REQUIRE(kernels_compiled(2.5f * ramp(n) + ramp(n)) == 0);  // other extents
    for (float a : {3.25f, -17.f, 1e20f}) REQUIRE(kernels_compiled(a * x + y) == 0);          // other scalars
    REQUIRE(kernels_compiled(2.5f * x - y * y) == 1);
}

TEST_CASE("clusters of different programs that are equal share their kernel") {
    Array<float> x = ramp(10), y = ramp(20);
    REQUIRE(kernels_compiled(sum(x * 7.5f * x)) == 1);
    REQUIRE(kernels_compiled(force(sum(y * 7.5f * y))) == 0);
}
