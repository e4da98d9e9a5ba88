// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread has its own place in the code, as on cards of compute capability 7.0 and later. Lanes that are at the same
// place execute an instruction together.
#include "executor.hpp"

#include "arithmetic.hpp"
#include "settings.hpp"

#include <algorithm>
#include <limits>

namespace driver {

namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

bool waits_for_warp(Op op) {
    return op == Op::bar_warp || op == Op::shfl || op == Op::match || op == Op::vote || op == Op::mma;
}

Lanes predicated(const Instruction& in, const std::uint64_t* registers, Lanes lanes) {
    if (in.predicate == no_register) return lanes;
    const Lanes found = where(column(registers, in.predicate), lanes);
    return in.unless ? lanes & ~found : found;
}

std::vector<std::uint64_t> in_all_lanes(const std::vector<std::uint64_t>& values) {
    std::vector<std::uint64_t> result;
    result.reserve(values.size() * warp_threads);
    for (const std::uint64_t value : values) result.insert(result.end(), warp_threads, value);
    return result;
}

void fill_at_random(std::vector<std::byte>& bytes) {
    std::uint64_t state = chance().next();
    for (std::byte& b : bytes) {
        state = state * 6364136223846793005 + 1442695040888963407;
        b = static_cast<std::byte>(state >> 56);
    }
}

}  // namespace

Executor::Executor(const Launch& launch) : launch_(launch), registers_(in_all_lanes(launch.kernel->registers)) {
    for (std::uint32_t lane = 0; lane < warp_threads; ++lane) {
        column(registers_.data(), blocks_register)[lane] = launch.blocks;
        column(registers_.data(), threads_register)[lane] = launch.threads;
    }
    for (const auto& [name, function] : launch.module->functions) outgoing_ = std::max(outgoing_, function->outgoing);
}

void Executor::begin(Block& block, std::uint32_t number) const {
    static std::uint32_t runs = 0;
    const Function& kernel = *launch_.kernel;
    const std::size_t warps = launch_.threads / warp_threads;
    block.number = number;
    block.run = ++runs;
    block.epoch = 0;
    block.ended = block.waiting = 0;
    block.seen.clear();
    if (block.shared.size() != kernel.shared_bytes) block.cells = Cells(kernel.shared_bytes);
    block.shared.resize(kernel.shared_bytes);
    fill_at_random(block.shared);
    block.local.assign(kernel.local_bytes * launch_.threads, std::byte{0x5a});
    block.outgoing.resize(outgoing_ * launch_.threads);
    block.registers.resize(registers_.size() * warps);
    block.threads.resize(launch_.threads);
    block.warps.assign(warps, Warp());
    for (std::uint32_t k = 0; k < launch_.threads; ++k) {
        block.threads[k].number = k;
        block.threads[k].fenced = 0;
        block.threads[k].seen.clear();
    }
    for (std::size_t k = 0; k < warps; ++k) {
        std::uint64_t* registers = block.warps[k].registers = &block.registers[k * registers_.size()];
        std::copy(registers_.begin(), registers_.end(), registers);
        for (std::uint32_t lane = 0; lane < warp_threads; ++lane) {
            const std::size_t thread = k * warp_threads + lane;
            column(registers, block_register)[lane] = number;
            column(registers, thread_register)[lane] = thread;
            for (const Function::Array& array : kernel.arrays) {
                const std::byte* base =
                    array.space == Space::shared ? block.shared.data() : block.local.data() + thread * kernel.local_bytes;
                column(registers, array.address)[lane] = reinterpret_cast<std::uint64_t>(base + array.offset);
            }
        }
    }
}

const Instruction& Executor::instruction(const Block& block, std::uint32_t thread) const {
    const Thread& its = block.threads[thread];
    if (its.call) return its.call->function->code[its.call->next];
    return launch_.kernel->code[block.warps[thread / warp_threads].next[thread % warp_threads]];
}

std::string Executor::describe(const Block& block, std::uint32_t thread, const std::string& rule) const {
    const Thread& its = block.threads[thread];
    const Function& function = its.call ? *its.call->function : *launch_.kernel;
    return rule + ": " + instruction(block, thread).words->text + " in " + function.name + ", block " +
           std::to_string(block.number) + ", thread " + std::to_string(thread);
}

void Executor::stop(const Block& block, std::uint32_t thread, const std::string& rule) const {
    violation(describe(block, thread, rule));
}

std::string Executor::describe(const Group& group, std::uint32_t lane, const std::string& rule) const {
    leave_at(group, Lanes{1} << lane, group.next);
    return describe(group.block, group.thread(lane), rule);
}

void Executor::finish() const {
    if (!stores_.empty() && !has_reported_) violation(stores_);
}

/// Those of the lanes that are farthest back.
Executor::Group Executor::group_of(Block& block, std::size_t warp, Lanes lanes) const {
    Warp& its = block.warps[warp];
    if (const Lanes calling = lanes & its.calling) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(calling));
        Call& call = *block.threads[warp * warp_threads + lane].call;
        return {block,     warp,   Lanes{1} << lane, call.function, call.registers.data(), call.parameters.data(),
                call.next, nowhere};
    }
    std::size_t next = nowhere, until = nowhere;
    each_lane(lanes, [&](std::uint32_t lane) { next = std::min(next, its.next[lane]); });
    Lanes group = 0;
    each_lane(lanes, [&](std::uint32_t lane) {
        if (its.next[lane] == next)
            group |= Lanes{1} << lane;
        else
            until = std::min(until, its.next[lane]);
    });
    return {block, warp, group, launch_.kernel, its.registers, launch_.parameters.data(), next, until};
}

bool Executor::run(Block& block, std::size_t warp, Lanes lanes, int count) {
    const Warp& its = block.warps[warp];
    if ((lanes & its.running) == 0) return false;
    while (count > 0 && (lanes & its.running) != 0) {
        Group group = group_of(block, warp, lanes & its.running);
        count -= run_group(group, count);
    }
    return true;
}

/// The lanes of the group that go on at this instruction.
void Executor::leave_at(const Group& group, Lanes lanes, std::size_t next) const {
    if (group.function != launch_.kernel)
        group.block.threads[group.thread(static_cast<std::uint32_t>(std::countr_zero(lanes)))].call->next = next;
    else
        each_lane(lanes, [&](std::uint32_t lane) { group.block.warps[group.warp].next[lane] = next; });
}

/// Until lanes part, wait or end, or are where others are. Returns how many instructions were executed.
int Executor::run_group(Group& group, int count) {
    const Instruction* code = group.function->code.data();
    int done = 0;
    while (done < count && group.next < group.until) {
        const Instruction& in = code[group.next];
        const Lanes active = predicated(in, group.registers, group.lanes);
        ++done;
        if (active == 0) {
            ++group.next;
        } else if (in.op == Op::bra && active == group.lanes) {
            group.next = in.target;
        } else if (in.is_alone && in.op != Op::bra) {
            in.compute(in, group.registers, active);
            ++group.next;
        } else if (!step(group, in, active)) {
            return done;
        }
    }
    leave_at(group, group.lanes, group.next);
    return done;
}

/// False if the lanes are a group no longer, and each has been left at its next instruction.
bool Executor::step(Group& group, const Instruction& in, Lanes active) {
    switch (in.op) {
        case Op::nop:
            break;
        case Op::ld:
            each_lane(active, [&](std::uint32_t lane) { load(group, in, lane); });
            break;
        case Op::st:
            each_lane(active, [&](std::uint32_t lane) { store(group, in, lane); });
            break;
        case Op::atom:
            each_lane(active, [&](std::uint32_t lane) { update(group, in, lane); });
            break;
        case Op::membar:
            each_lane(active,
                      [&](std::uint32_t lane) { visibility_.fence(group.block, group.block.threads[group.thread(lane)]); });
            break;
        case Op::ld_param:
            each_lane(active, [&](std::uint32_t lane) {
                column(group.registers, in.result[0])[lane] = low(group.parameters[in.target], in.type.bits());
            });
            break;
        case Op::st_param:
            each_lane(active, [&](std::uint32_t lane) {
                group.block.outgoing[group.thread(lane) * outgoing_ + in.target] =
                    column(group.registers, in.operand[0])[lane] ^ (in.negated & 1);
            });
            break;
        default:
            return part(group, in, active);
    }
    ++group.next;
    return true;
}

/// Where lanes may go different ways. As `step`.
bool Executor::part(Group& group, const Instruction& in, Lanes active) {
    leave_at(group, group.lanes, group.next);
    if (const Lanes others = group.lanes & ~active) leave_at(group, others, group.next + 1);
    if (in.op == Op::bra) {
        leave_at(group, active, in.target);
    } else if (in.op == Op::bar || waits_for_warp(in.op)) {
        wait(group, in, active);
        if (active != all_lanes || in.op == Op::bar) return false;
        run_warp(group.block, group.warp);
        ++group.next;
        return true;
    } else if (in.op == Op::call) {
        each_lane(active, [&](std::uint32_t lane) { call(group, in, lane); });
    } else if (in.op == Op::ret || in.op == Op::exit) {
        each_lane(active, [&](std::uint32_t lane) { end(group, in, lane); });
    } else {
        violation(describe(group, static_cast<std::uint32_t>(std::countr_zero(active)),
                           "an instruction that the executor has not"));
    }
    return false;
}

void Executor::wait(Group& group, const Instruction& in, Lanes active) {
    if (group.function != launch_.kernel) violation("PTX: threads wait for each other in " + group.function->name);
    Warp& warp = group.block.warps[group.warp];
    warp.running &= ~active;
    (in.op == Op::bar ? warp.at_block : warp.at_warp) |= active;
    if (in.op == Op::bar) group.block.waiting += static_cast<std::size_t>(std::popcount(active));
}

void Executor::call(const Group& group, const Instruction& in, std::uint32_t lane) {
    const auto found = launch_.module->functions.find(in.words->callee);
    if (found == launch_.module->functions.end()) violation("PTX: no function " + in.words->callee);
    if (group.function != launch_.kernel) violation("PTX: a called function calls " + in.words->callee);
    has_reported_ |= in.words->callee == "report";
    const Function& function = *found->second;
    if (!function.arrays.empty() && function.local_bytes > 0) violation("PTX: local memory of a called function");
    auto call = std::make_unique<Call>(Call{&function, 0, in_all_lanes(function.registers), {}});
    for (Register special = 0; special < special_registers; ++special)
        column(call->registers.data(), special)[lane] = column(group.registers, special)[lane];
    for (const std::size_t argument : in.words->arguments)
        call->parameters.push_back(group.block.outgoing[group.thread(lane) * outgoing_ + argument]);
    leave_at(group, Lanes{1} << lane, group.next + 1);
    group.block.threads[group.thread(lane)].call = std::move(call);
    group.block.warps[group.warp].calling |= Lanes{1} << lane;
}

void Executor::end(const Group& group, const Instruction& in, std::uint32_t lane) {
    Warp& warp = group.block.warps[group.warp];
    Thread& thread = group.block.threads[group.thread(lane)];
    warp.calling &= ~(Lanes{1} << lane);
    if (thread.call && in.op == Op::ret) return thread.call.reset();
    thread.call.reset();
    warp.running &= ~(Lanes{1} << lane);
    ++group.block.ended;
}

void Executor::pass_barrier(Block& block) {
    for (std::uint32_t thread = 0; thread < block.threads.size(); ++thread)
        if (&instruction(block, thread) != &instruction(block, 0))
            stop(block, thread, "threads of a block at different barriers");
    visibility_.meet(block, 0, block.threads.size());
    ++block.epoch;
    block.waiting = 0;
    for (Warp& warp : block.warps) {
        warp.running = all_lanes;
        warp.at_block = 0;
        for (std::size_t& next : warp.next) ++next;
    }
}

}  // namespace driver
