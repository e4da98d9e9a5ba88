// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ranks store besides what fusion does, beside an exhaustive search: all sets of values of random programs.
#include "fuse/graph/bodies.hpp"
#include "ir/text/parse.hpp"
#include "ir/text/print.hpp"
#include "run/explain/extents.hpp"
#include "run/plan/plan.hpp"
#include "run/ranks/ahead/joint.hpp"
#include "run/ranks/ahead/placements.hpp"
#include "support.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>

using namespace sinter;
using namespace sinter::runtime;

namespace {

constexpr std::int64_t extent = 512;

/// Maps of one to three arrays, and transposes, some of which are fused.
std::string random_program(std::mt19937_64& random) {
    auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    std::string text = "%0 : f32[512, 512] = input\n%1 : f32[512, 512] = input\n%2 : f32[512, 512] = input\n";
    std::size_t next = 3;
    for (const std::size_t end = next + 3 + below(4); next < end; ++next) {
        text += fmt::format("%{} : f32[512, 512] = ", next);
        auto any = [&] { return below(3) == 0 ? below(next) : next - 1; };
        const std::size_t kind = below(5);
        if (kind < 2)
            text += fmt::format("transpose [1, 0] %{}\n", any());
        else if (kind == 2)
            text += fmt::format("map (%{}) {{x0: f32 -> x1 = exp x0; x2 = mul x1 x0; x2}}\n", any());
        else if (kind == 3)
            text += fmt::format("map (%{}, %{}) {{x0: f32, x1: f32 -> x2 = mul x0 x1; x2}}\n", any(), below(next));
        else
            text += fmt::format("map (%{}, %{}, %{}) {{x0: f32, x1: f32, x2: f32 -> x3 = mul x0 x1; x4 = add x3 x2; x4}}\n",
                                any(), below(next), below(next));
    }
    return text + fmt::format("return %{}\n", next - 1);
}

/// A call with arrays of which only the extents are asked for.
struct Inputs {
    std::array<std::int64_t, 2> shape{extent, extent};
    std::array<BufferRef, 3> owners;
    std::vector<InputView> views;

    Inputs() {
        for (BufferRef& owner : owners) {
            owner = allocate(64);
            views.push_back({owner->data, &owner, nullptr, shape});
        }
    }
    Call call() const { return {views, {}, {}, location(), 1}; }
};

Placement placement_of(const Plan& plan, const Call& call, int ranks) {
    const std::vector<std::int64_t> sizes = estimate_sizes(plan.program, call);
    const SharedOf shared_of = [&](const KernelStep& step, const std::int64_t* of) {
        return jit_test::backend(256).describe_shared(step.kernel->kernel, of, 1);
    };
    return choose_placement(BeforeRun(plan, call, sizes, ranks), shared_of);
}

std::vector<StoredVariable> all_arrays(const Plan& plan) {
    std::vector<StoredVariable> all;
    std::size_t level = plan.program.body.params.size();
    for (const ir::Binding& binding : plan.program.body.bindings)
        for (std::size_t k = 0; k < binding.types.size(); ++k, ++level)
            if (binding.types[k].rank() > 0) all.push_back({0, level});
    return all;
}

}  // namespace

TEST_CASE("no other set of stored values is cheaper for ranks than the one that is found") {
    std::mt19937_64 random(11);
    const Inputs inputs;
    const Call call = inputs.call();
    KernelCache kernels;
    int stored = 0, best = 0;
    for (int times = 0; times < 40; ++times) {
        const std::string text = random_program(random);
        INFO(text);
        PlanOptions options;
        options.kernels.certain = false;
        const auto plan = make_plan(prepare(ir::parse(text), options), options, jit_test::backend(256), kernels, &call);
        const int ranks = times % 2 == 0 ? 2 : 7;
        const Placement fused = placement_of(*plan, call, ranks);
        const std::vector<Storable> some = storable(*plan, call, ranks, fused, jit_test::backend(256));
        const JointChoice found = choose_stored(*plan, call, ranks, fused, some, jit_test::backend(256));
        const place::Price price = found.plan ? placement_of(*found.plan, call, ranks).price() : fused.price();
        REQUIRE(price <= fused.price());
        REQUIRE(found.stored.empty() == (found.plan == nullptr));
        stored += found.plan != nullptr;

        const std::vector<StoredVariable> all = all_arrays(*plan);
        place::Price least = fused.price();
        for (std::size_t set = 1; set < std::size_t{1} << all.size(); ++set) {
            std::set<StoredVariable> members;
            for (std::size_t k = 0; k < all.size(); ++k)
                if (set >> k & 1) members.insert(all[k]);
            const auto other = plan->replan(with_stored(plan->program, members), fuse::Strategy::optimal, false, call);
            least = std::min(least, placement_of(*other, call, ranks).price());
        }
        INFO(ir::print(plan->program) << "found " << price << ", fused " << fused.price() << ", bound " << fused.bound());
        // What storing saves of work is not looked for, but only what travels: the rest is for fusion to decide.
        CHECK(static_cast<double>(price) <= 1.1 * static_cast<double>(least));
        best += price == least;
    }
    CHECK(best >= 36);
    CHECK(stored > 5);
}

TEST_CASE("forces are put behind variables of any body") {
    const ir::Program program = ir::parse(R"(%0 : f32[n0] = input
%1 : i64 = map () { -> x0: i64 = constant 3; x0}
%2 : f32[n0] = for %1 (%0) {
  %2 : i64 = param
  %3 : f32[n0] = param
  %4 : f32[n0] = map (%3) {x0: f32 -> x1 = mul x0 x0; x1}
  %5 : f32[n0] = map (%4, %3) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
  return %5
}
%3 : f32[n0] = map (%2) {x0: f32 -> x1 = mul x0 x0; x1}
%4 : f32[n0] = map (%3, %2) {x0: f32, x1: f32 -> x2 = add x0 x1; x2}
return %4
)");
    const std::string text = ir::print(with_stored(program, {{0, 3}, {1, 4}}));
    INFO(text);
    CHECK(text.find("%5 : f32[n0] = force (%4)") != text.npos);
    CHECK(text.find("%6 : f32[n0] = map (%5, %3)") != text.npos);
    CHECK(text.find("%4 : f32[n0] = force (%3)") != text.npos);
    CHECK(text.find("map (%4, %2)") != text.npos);
    CHECK(ir::print(ir::parse(text)) == text);
    CHECK(ir::print(with_stored(program, {})) == ir::print(program));
}
