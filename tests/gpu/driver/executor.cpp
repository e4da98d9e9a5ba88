// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread has its own place in the code, as on cards of compute capability 7.0 and later.
#include "executor.hpp"

#include "arithmetic.hpp"
#include "memory.hpp"
#include "settings.hpp"

#include <algorithm>
#include <cstring>

namespace driver {

namespace {

std::uint64_t value(const Instruction& in, const std::uint64_t* registers, unsigned k) {
    return registers[in.operand[k]] ^ (in.negated >> k & 1);
}

bool is_skipped(const Instruction& in, const std::uint64_t* registers) {
    return in.predicate != no_register && (registers[in.predicate] != 0) == in.unless;
}

bool waits_for_warp(Op op) { return op == Op::bar_warp || op == Op::shfl || op == Op::match || op == Op::vote; }

void pack(const Instruction& in, std::uint64_t* registers) {
    const unsigned bits = in.type.bits() / in.operands;
    std::uint64_t packed = 0;
    for (unsigned k = 0; k < in.operands; ++k) packed |= low(registers[in.operand[k]], bits) << (bits * k);
    registers[in.result[0]] = packed;
}

void unpack(const Instruction& in, std::uint64_t* registers) {
    const unsigned bits = in.type.bits() / in.results;
    const std::uint64_t packed = registers[in.operand[0]];
    for (unsigned k = 0; k < in.results; ++k)
        if (in.result[k] != no_register) registers[in.result[k]] = low(packed >> (bits * k), bits);
}

}  // namespace

Frame first_frame(const Launch& launch, const Function& function, Block& block, Thread& thread) {
    std::uint64_t* registers = &block.registers[thread.number * function.registers.size()];
    std::copy(function.registers.begin(), function.registers.end(), registers);
    Frame frame{&function, 0, registers, launch.parameters.data(), {}, {}};
    frame.registers[thread_register] = thread.number;
    frame.registers[block_register] = block.number;
    frame.registers[blocks_register] = launch.blocks;
    frame.registers[threads_register] = launch.threads;
    for (const Function::Array& array : function.arrays) {
        const std::byte* base = array.space == Space::shared ? block.shared.data() : thread.local.data();
        frame.registers[array.address] = reinterpret_cast<std::uint64_t>(base + array.offset);
    }
    return frame;
}

std::string Executor::describe(const Block& block, const Thread& thread, const std::string& rule) const {
    return rule + ": " + thread.instruction().words->text + " in " + thread.frames.back().function->name + ", block " +
           std::to_string(block.number) + ", thread " + std::to_string(thread.number);
}

void Executor::stop(const Block& block, const Thread& thread, const std::string& rule) const {
    violation(describe(block, thread, rule));
}

void Executor::finish() const {
    if (!stores_.empty() && !has_reported_) violation(stores_);
}

int Executor::run_on(Block& block, Thread& thread, int count) {
    int done = 0;
    while (done < count && thread.state == State::runs) {
        Frame& frame = thread.frames.back();
        done += run_alone(frame, count - done);
        if (done == count) break;
        ++done;
        const Instruction& in = frame.function->code[frame.next];
        if (in.op == Op::bar) {
            thread.state = State::waits_for_block;
            ++block.waiting;
            --block.running[thread.number / warp_threads];
        } else if (waits_for_warp(in.op)) {
            thread.state = State::waits_for_warp;
            --block.running[thread.number / warp_threads];
        } else {
            step(block, thread, in);
        }
    }
    return done;
}

/// What concerns the thread's registers alone. Returns how many instructions were executed.
int Executor::run_alone(Frame& frame, int count) {
    const Instruction* code = frame.function->code.data();
    std::uint64_t* registers = frame.registers;
    std::size_t next = frame.next;
    int done = 0;
    for (; done < count; ++done) {
        const Instruction& in = code[next];
        const bool skipped = is_skipped(in, registers);
        if (!skipped && !in.is_alone) break;
        if (!skipped && in.op == Op::bra) {
            next = in.target;
            continue;
        }
        if (!skipped) registers[in.result[0]] = in.compute(in, registers);
        ++next;
    }
    frame.next = next;
    return done;
}

void Executor::step(Block& block, Thread& thread, const Instruction& in) {
    Frame& frame = thread.frames.back();
    std::uint64_t* registers = frame.registers;
    switch (in.op) {
        case Op::nop:
            break;
        case Op::call:
            return call(thread, in);
        case Op::ret:
        case Op::exit:
            return leave(block, thread, in);
        case Op::ld:
            load(block, thread, in);
            break;
        case Op::st:
            store(block, thread, in);
            break;
        case Op::atom:
            update(block, thread, in);
            break;
        case Op::ld_param:
            registers[in.result[0]] = low(frame.parameters[in.target], in.type.bits());
            break;
        case Op::st_param:
            thread.outgoing[in.target] = value(in, registers, 0);
            break;
        case Op::membar:
            visibility_.fence(block, thread);
            break;
        case Op::pack:
            pack(in, registers);
            break;
        case Op::unpack:
            unpack(in, registers);
            break;
        default:
            stop(block, thread, "an instruction that the executor has not");
    }
    ++frame.next;
}

void Executor::call(Thread& thread, const Instruction& in) {
    Frame& caller = thread.frames.back();
    ++caller.next;
    const auto found = launch_.module->functions.find(in.words->callee);
    if (found == launch_.module->functions.end()) violation("PTX: no function " + in.words->callee);
    has_reported_ |= in.words->callee == "report";
    const Function& function = *found->second;
    if (!function.arrays.empty() && function.local_bytes > 0) violation("PTX: local memory of a called function");
    Frame frame{&function, 0, nullptr, nullptr, function.registers, {}};
    for (Register special = 0; special < special_registers; ++special)
        frame.own_registers[special] = caller.registers[special];
    for (std::size_t argument : in.words->arguments) frame.own_parameters.push_back(thread.outgoing[argument]);
    frame.registers = frame.own_registers.data();
    frame.parameters = frame.own_parameters.data();
    thread.outgoing.resize(std::max(thread.outgoing.size(), function.outgoing));
    thread.frames.push_back(std::move(frame));
}

void Executor::leave(Block& block, Thread& thread, const Instruction& in) {
    if (in.op == Op::ret && thread.frames.size() > 1) return thread.frames.pop_back();
    thread.state = State::ended;
    ++block.ended;
    --block.running[thread.number / warp_threads];
}

Moment Executor::moment(const Block& block, const Thread& thread) const {
    const std::uint32_t number = block.number * launch_.threads + thread.number;
    const std::uint32_t warp = thread.number / warp_threads;
    return {block.number, number / warp_threads, number, block.epoch, block.warp_epochs[warp]};
}

Executor::Place Executor::locate(Block& block, Thread& thread, const Instruction& in, std::uint64_t address,
                                 std::size_t bytes) {
    if (address % bytes != 0) stop(block, thread, "a misaligned address");
    auto offset_in = [&](const std::vector<std::byte>& memory) {
        return address - reinterpret_cast<std::uint64_t>(memory.data());
    };
    auto fits = [&](const std::vector<std::byte>& memory) {
        return offset_in(memory) < memory.size() && offset_in(memory) + bytes <= memory.size();
    };
    const bool generic = in.space == Space::generic;
    if ((generic || in.space == Space::shared) && fits(block.shared)) return {&block.cells, offset_in(block.shared), false};
    if ((generic || in.space == Space::local) && fits(thread.local)) return {nullptr, 0, false};
    Allocation* allocation = generic || in.space == Space::global ? Memory::get().find(address, bytes) : nullptr;
    if (!allocation) stop(block, thread, "an address out of bounds");
    if (allocation->cells.empty()) allocation->cells = Cells(allocation->bytes);
    return {&allocation->cells, address - allocation->begin, true};
}

void Executor::take_down(Block& block, Thread& thread, const Place& place, std::size_t bytes, const Access& access) {
    if (!place.cells) return;
    const char* rule = place.cells->note(place.offset, bytes, launch_.number, access);
    if (rule && rule != two_stores) stop(block, thread, rule);
    if (rule && stores_.empty()) stores_ = describe(block, thread, rule);
}

void Executor::load(Block& block, Thread& thread, const Instruction& in) {
    std::uint64_t* registers = thread.frames.back().registers;
    const std::uint64_t address = registers[in.address] + static_cast<std::uint64_t>(in.offset);
    const std::size_t bytes = in.type.bytes * std::size_t{in.results};
    const Place place = locate(block, thread, in, address, bytes);
    take_down(block, thread, place, bytes, {moment(block, thread), false, in.order != Order::weak, in.non_coherent});
    const bool delayed = place.is_global && launch_.kernel->communicates && !in.non_coherent;
    for (std::uint8_t k = 0; k < in.results; ++k) {
        const std::uint64_t from = address + k * std::uint64_t{in.type.bytes};
        std::uint64_t loaded = 0;
        if (delayed)
            loaded = visibility_.load(block, thread, from, in.type.bytes, in.order);
        else
            std::memcpy(&loaded, place_of(from), in.type.bytes);
        if (in.type.is_signed()) loaded = static_cast<std::uint64_t>(extended(loaded, in.type.bits()));
        if (in.result[k] != no_register) registers[in.result[k]] = loaded;
    }
}

void Executor::store(Block& block, Thread& thread, const Instruction& in) {
    const std::uint64_t* registers = thread.frames.back().registers;
    const std::uint64_t address = registers[in.address] + static_cast<std::uint64_t>(in.offset);
    const std::size_t bytes = in.type.bytes * std::size_t{in.operands};
    const Place place = locate(block, thread, in, address, bytes);
    take_down(block, thread, place, bytes, {moment(block, thread), true, in.order != Order::weak, false});
    const bool delayed = place.is_global && launch_.kernel->communicates;
    if (in.order == Order::release) visibility_.release(block, thread);
    for (std::uint8_t k = 0; k < in.operands; ++k) {
        const std::uint64_t to = address + k * std::uint64_t{in.type.bytes}, stored = registers[in.operand[k]];
        if (delayed)
            visibility_.store(thread, to, in.type.bytes, stored);
        else
            std::memcpy(place_of(to), &stored, in.type.bytes);
    }
}

void Executor::update(Block& block, Thread& thread, const Instruction& in) {
    std::uint64_t* registers = thread.frames.back().registers;
    const std::uint64_t address = registers[in.address] + static_cast<std::uint64_t>(in.offset);
    const Place place = locate(block, thread, in, address, in.type.bytes);
    take_down(block, thread, place, in.type.bytes, {moment(block, thread), true, true, false});
    const std::uint64_t second = in.operands > 1 ? registers[in.operand[1]] : 0;
    auto change = [&](std::uint64_t old) { return updated(in, old, registers[in.operand[0]], second); };
    std::uint64_t old = 0;
    if (place.is_global) {
        old = visibility_.update(block, thread, address, in.type.bytes, change);
    } else {
        std::memcpy(&old, place_of(address), in.type.bytes);
        const std::uint64_t changed = change(old);
        std::memcpy(place_of(address), &changed, in.type.bytes);
    }
    if (in.results > 0 && in.result[0] != no_register) registers[in.result[0]] = old;
}

void Executor::pass_barrier(Block& block) {
    for (const Thread& thread : block.threads)
        if (&thread.instruction() != &block.threads[0].instruction())
            stop(block, thread, "threads of a block at different barriers");
    visibility_.meet(block, 0, block.threads.size());
    ++block.epoch;
    block.waiting = 0;
    std::fill(block.running.begin(), block.running.end(), warp_threads);
    for (Thread& thread : block.threads) {
        thread.state = State::runs;
        ++thread.frames.back().next;
    }
}

}  // namespace driver
