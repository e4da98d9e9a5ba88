// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that libsinter-codegen.so exports.
#include "jit/generator/generator.hpp"

#include "jit/codegen/card.hpp"
#include "jit/codegen/compile.hpp"
#include "jit/codegen/link.hpp"
#include "jit/codegen/target_machines.hpp"
#include "jit/generator/library.hpp"

#include <sinter/detail/export.hpp>

#include <cstring>

namespace sinter::codegen {

namespace {

using runtime::KernelTexts;
using schedule::Machine;
using schedule::Schedule;

class LlvmGenerator final : public Generator {
  public:
    HostObject host_object(const lower::Kernel& kernel, const Machine& machine, const Schedule& schedule,
                           Effort effort) override {
        return compile_object(kernel, machine, schedule, effort);
    }
    KernelTexts host_texts(const lower::Kernel& kernel, const Machine& machine, const Schedule& schedule) override {
        return compile_texts(kernel, machine, schedule);
    }
    std::unique_ptr<Image> link(const std::string& object) override { return link_with_orc(object); }

    std::vector<std::pair<std::string, std::string>> host_description() override {
        const Host host(false);
        std::string has;
        for (std::size_t at = host.features.find('+'); at != std::string::npos; at = host.features.find('+', at + 1))
            has += (has.empty() ? "" : " ") + host.features.substr(at + 1, host.features.find(',', at) - at - 1);
        return {{"processor", host.processor + ", " + host.triple}, {"features", has}};
    }

    std::string ptx(const CardCode& code, const PtxTarget& target) override { return ptx_of(code, target); }
    KernelTexts card_texts(const CardCode& code, const PtxTarget& target) override {
        return codegen::card_texts(code, target);
    }
    EmulatedCode emulated(const CardCode& code, std::size_t most_stack) override { return emulated_code(code, most_stack); }
    KernelTexts emulated_texts(const CardCode& code, const PtxTarget& target) override {
        return codegen::emulated_texts(code, target);
    }
    std::unique_ptr<Image> link_emulated(const std::string& object,
                                         const std::vector<std::pair<const char*, void*>>& functions) override {
        return codegen::link_emulated(object, functions);
    }
};

}  // namespace
}  // namespace sinter::codegen

extern "C" SINTER_API sinter::codegen::Generator* sinter_code_generator(const char* pair);

sinter::codegen::Generator* sinter_code_generator(const char* pair) {
    if (std::strcmp(pair, sinter::codegen::build_pair()) != 0) return nullptr;
    static auto& generator = *new sinter::codegen::LlvmGenerator;
    return &generator;
}
