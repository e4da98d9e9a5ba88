// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/target.hpp"

#include "jit/generator/generator.hpp"
#include "jit/generator/processor.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::host {

namespace {

/// Has to change whenever the generated code may change.
constexpr int generator_version = 22;

schedule::Machine describe(const codegen::Processor& processor, int limit) {
    schedule::Machine m;
    m.x86 = processor.x86;
    m.fma = !m.x86 || processor.fma;
    const int widest = !m.x86 ? 128 : processor.avx512 || limit == 512 ? 512 : processor.avx2 ? 256 : 128;
    m.vector_bits = limit == 0 ? widest : std::min(limit, widest);
    m.mask_registers = m.vector_bits == 512;
    m.masked_narrow = m.mask_registers;
    m.compress_narrow = m.mask_registers && processor.vbmi2;
    m.gather = m.mask_registers && !processor.amd_zen;  // theirs take at least as long as the loads
    m.masked_memory = m.x86 && m.vector_bits >= 256;
    m.nontemporal = m.x86;
    m.registers = m.mask_registers || !m.x86 ? 32 : 16;
    return m;
}

}  // namespace

Target::Target(int vector_bits) {
    const codegen::Processor processor = codegen::this_processor();
    machine_ = describe(processor, vector_bits);
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
