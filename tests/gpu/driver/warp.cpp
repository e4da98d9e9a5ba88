// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of a warp's lanes together. Only bar.warp.sync orders what they did before with what they do after.
#include "executor.hpp"
#include "settings.hpp"

#include <array>

namespace driver {

namespace {

using Values = std::array<std::uint32_t, warp_threads>;

constexpr std::uint32_t all_lanes = 0xffffffff;

/// The operand that says which lanes take part.
unsigned mask_operand(const Instruction& in) {
    if (in.op == Op::shfl) return 3;
    return in.op == Op::bar_warp ? 0 : 1;
}

Values shuffled(const Values& values, const Values& from) {
    Values result{};
    for (std::size_t lane = 0; lane < warp_threads; ++lane) result[lane] = values[from[lane] % warp_threads];
    return result;
}

Values matched(const Values& values) {
    Values result{};
    for (std::size_t lane = 0; lane < warp_threads; ++lane)
        for (std::size_t other = 0; other < warp_threads; ++other)
            if (values[other] == values[lane]) result[lane] |= 1u << other;
    return result;
}

Values ballot(const Values& values) {
    std::uint32_t votes = 0;
    for (std::size_t lane = 0; lane < warp_threads; ++lane) votes |= (values[lane] & 1) << lane;
    Values result{};
    result.fill(votes);
    return result;
}

}  // namespace

void Executor::check_warp(const Block& block, std::size_t warp) const {
    const Thread* lanes = &block.threads[warp * warp_threads];
    for (std::size_t lane = 0; lane < warp_threads; ++lane) {
        const Thread& thread = lanes[lane];
        const Instruction& in = thread.instruction();
        if (&in != &lanes[0].instruction()) stop(block, thread, "lanes of a warp at different instructions");
        const auto mask = static_cast<std::uint32_t>(thread.frames.back().registers[in.operand[mask_operand(in)]]);
        if (mask != all_lanes) stop(block, thread, "a mask without lanes that are there");
    }
}

void Executor::run_warp(Block& block, std::size_t warp) {
    check_warp(block, warp);
    Thread* lanes = &block.threads[warp * warp_threads];
    const Instruction& in = lanes[0].instruction();
    auto operands = [&](unsigned k) {
        Values values{};
        for (std::size_t lane = 0; lane < warp_threads; ++lane) {
            const std::uint64_t v = lanes[lane].frames.back().registers[in.operand[k]];
            values[lane] = static_cast<std::uint32_t>(in.negated >> k & 1 ? v ^ 1 : v);
        }
        return values;
    };
    Values result{};
    if (in.op == Op::shfl) result = shuffled(operands(0), operands(1));
    if (in.op == Op::match) result = matched(operands(0));
    if (in.op == Op::vote) result = ballot(operands(0));
    if (in.op == Op::bar_warp) {
        visibility_.meet(block, warp * warp_threads, (warp + 1) * warp_threads);
        ++block.warp_epochs[warp];
    }
    block.running[warp] = warp_threads;
    for (std::size_t lane = 0; lane < warp_threads; ++lane) {
        Frame& frame = lanes[lane].frames.back();
        if (in.op != Op::bar_warp) frame.registers[in.result[0]] = result[lane];
        lanes[lane].state = State::runs;
        ++frame.next;
    }
}

}  // namespace driver
