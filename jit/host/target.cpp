// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/target.hpp"

#include "jit/generator/generator.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::host {

namespace {

/// Has to change whenever the generated code may change.
constexpr int generator_version = 22;

}  // namespace

schedule::Machine machine_of(const arch::Processor& processor, int vector_bits) {
    schedule::Machine m;
    const int widest = vector_bits == processor.most_vector_bits ? vector_bits : processor.vector_bits;
    m.vector_bits = vector_bits == 0 ? widest : std::min(vector_bits, widest);
    m.x86 = processor.x86;
    m.fma = processor.fma;
    m.mask_registers = m.vector_bits == 512;
    m.masked_narrow = m.mask_registers;
    m.compress_narrow = m.mask_registers && processor.compresses_narrow;
    m.gather = m.mask_registers && processor.gathers_well;
    m.masked_memory = processor.masked_memory && m.vector_bits >= 256;
    m.nontemporal = processor.nontemporal;
    m.registers = m.mask_registers || processor.many_registers ? 32 : 16;
    return m;
}

Target::Target(int vector_bits, std::optional<codegen::Effort> effort) : effort_(effort) {
    const arch::Processor processor = arch::this_processor();
    machine_ = machine_of(processor, vector_bits);
    identity_ = fmt::format("host {} vectors {} llvm {} generator {}", processor.identity, machine_.vector_bits,
                            SINTER_LLVM_VERSION, generator_version);
}

std::vector<std::pair<std::string, std::string>> Target::description() const {
    std::vector<std::pair<std::string, std::string>> facts{{"LLVM", SINTER_LLVM_VERSION}};
    try {
        for (auto& fact : codegen::generator().host_description()) facts.push_back(std::move(fact));
    } catch (const Limitation& error) {
        facts.emplace_back("processor", error.what());
    }
    facts.emplace_back("vectors", fmt::format("{} bits", machine_.vector_bits));
    return facts;
}

}  // namespace sinter::host
