// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of a warp's lanes together. Only bar.warp.sync orders what they did before with what they do after.
#include "executor.hpp"
#include "settings.hpp"
#include "tensor.hpp"

#include <algorithm>
#include <array>

namespace driver {

namespace {

using Values = std::array<std::uint32_t, warp_threads>;

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
    const auto first = static_cast<std::uint32_t>(warp) * warp_threads;
    for (std::uint32_t lane = 0; lane < warp_threads; ++lane) {
        const Instruction& in = instruction(block, first + lane);
        if (&in != &instruction(block, first)) stop(block, first + lane, "lanes of a warp at different instructions");
        if (in.op == Op::mma) continue;  // concerns all lanes
        const std::uint64_t* masks = column(block.warps[warp].registers, in.operand[mask_operand(in)]);
        if (static_cast<Lanes>(masks[lane]) != all_lanes) stop(block, first + lane, "a mask without lanes that are there");
    }
}

void Executor::run_warp(Block& block, std::size_t warp) {
    check_warp(block, warp);
    Warp& its = block.warps[warp];
    const Instruction& in = launch_.kernel->code[its.next[0]];
    auto operands = [&](unsigned k) {
        Values values{};
        const std::uint64_t* registers = column(its.registers, in.operand[k]);
        for (std::size_t lane = 0; lane < warp_threads; ++lane)
            values[lane] = static_cast<std::uint32_t>(registers[lane] ^ (in.negated >> k & 1));
        return values;
    };
    Values result{};
    if (in.op == Op::shfl) result = shuffled(operands(0), operands(1));
    if (in.op == Op::match) result = matched(operands(0));
    if (in.op == Op::vote) result = ballot(operands(0));
    if (in.op == Op::mma) {
        multiply_add(in, its.registers);
    } else if (in.op == Op::bar_warp) {
        visibility_.meet(block, warp * warp_threads, (warp + 1) * warp_threads);
        ++its.epoch;
    } else {
        std::copy(result.begin(), result.end(), column(its.registers, in.result[0]));
    }
    its.running = all_lanes;
    its.at_warp = 0;
    for (std::size_t& next : its.next) ++next;
}

}  // namespace driver
