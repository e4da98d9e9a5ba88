// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emulator/emulated_grid.hpp"

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
        grid.launch(exchange, parameters, 3, 4 * block_threads, EmulatedGrid::Waits::in_block);
        for (std::uint32_t t = 0; t < block_threads; ++t)
            REQUIRE(out[t] == 1000 * (t / 32 * 32 + (t + 1) % 32) + 100 + (t + 1) % block_threads);
    }
}

TEST_CASE("threads that wait for ever are an error, and the next launch works") {
    EmulatedGrid grid;
    CHECK_THROWS_AS(grid.launch(all_but_one_wait, nullptr, 1, 0, EmulatedGrid::Waits::in_block), sinter::InternalError);
    std::vector<std::uint32_t> out(block_threads);
    std::uint32_t* pointer = out.data();
    void* parameters[] = {&pointer};
    grid.launch(exchange, parameters, 1, 4 * block_threads, EmulatedGrid::Waits::in_block);
    CHECK(out[0] == 1000 + 101);
}

namespace {

/// Every block waits for the number of the one before it in the order in which they begin.
void in_line(void* const* parameters) {
    auto* words = *static_cast<std::uint64_t* const*>(parameters[0]);
    if (thread() != 0) return;
    const std::uint64_t ticket = words[0]++;
    while (ticket > 0 && *static_cast<volatile std::uint64_t*>(words + ticket) == 0) function<void()>(builtin::pause)();
    words[ticket + 1] = ticket == 0 ? 1 : 2 * words[ticket];
}

void for_nobody(void* const* parameters) {
    auto* word = *static_cast<volatile std::uint64_t* const*>(parameters[0]);
    while (*word == 0) function<void()>(builtin::pause)();
}

}  // namespace

TEST_CASE("blocks wait for each other while they are executed") {
    EmulatedGrid grid;
    for (int again = 0; again < 4; ++again) {
        std::vector<std::uint64_t> words(12);
        std::uint64_t* pointer = words.data();
        void* parameters[] = {&pointer};
        grid.launch(in_line, parameters, 11, 0, EmulatedGrid::Waits::for_blocks);
        for (std::size_t k = 1; k < words.size(); ++k) REQUIRE(words[k] == std::uint64_t{1} << (k - 1));
    }
    std::uint64_t word = 0, *pointer = &word;
    void* parameters[] = {&pointer};
    CHECK_THROWS_AS(grid.launch(for_nobody, parameters, 2, 0, EmulatedGrid::Waits::for_blocks), sinter::InternalError);
}
