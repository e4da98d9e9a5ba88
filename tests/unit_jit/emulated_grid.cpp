// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emulated_grid.hpp"

#include <catch2/catch.hpp>

#include <sinter/error.hpp>
#include <string_view>
#include <vector>

namespace {

using namespace sinter::gpu;

/// A function of builtin_names.hpp, as generated code calls it.
template <class F>
F* function(std::string_view name) {
    for (const auto& [known, address] : EmulatedGrid::builtins())
        if (name == known) return reinterpret_cast<F*>(address);
    return nullptr;
}

std::uint32_t thread() { return function<std::uint32_t()>(builtin::thread)(); }
void barrier() { function<void()>(builtin::barrier)(); }

/// Every thread gets what its right neighbour in the warp has, through a lane and through the block's memory.
void exchange(void* const* parameters) {
    auto* out = *static_cast<std::uint32_t* const*>(parameters[0]);
    auto* shared = static_cast<std::uint32_t*>(function<void*()>(builtin::shared)());
    const std::uint32_t t = thread();
    shared[t] = 100 + t;
    const std::uint32_t moved = function<std::uint32_t(std::uint32_t, std::uint32_t)>(builtin::from_lane)(t, t + 1);
    barrier();
    out[t] = 1000 * moved + shared[(t + 1) % block_threads];
}

void all_but_one_wait(void* const*) {
    if (thread() != 7) barrier();
}

}  // namespace

TEST_CASE("threads of an emulated block exchange values") {
    EmulatedGrid grid;
    std::vector<std::uint32_t> out(block_threads);
    std::uint32_t* pointer = out.data();
    void* parameters[] = {&pointer};
    for (int again = 0; again < 2; ++again) {
        grid.launch(exchange, parameters, 3, 4 * block_threads, true);
        for (std::uint32_t t = 0; t < block_threads; ++t)
            REQUIRE(out[t] == 1000 * (t / 32 * 32 + (t + 1) % 32) + 100 + (t + 1) % block_threads);
    }
}

TEST_CASE("threads that wait for ever are an error, and the next launch works") {
    EmulatedGrid grid;
    CHECK_THROWS_AS(grid.launch(all_but_one_wait, nullptr, 1, 0, true), sinter::InternalError);
    std::vector<std::uint32_t> out(block_threads);
    std::uint32_t* pointer = out.data();
    void* parameters[] = {&pointer};
    grid.launch(exchange, parameters, 1, 4 * block_threads, true);
    CHECK(out[0] == 1000 + 101);
}
