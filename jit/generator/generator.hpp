// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The code generator, without LLVM in sight. It is a library of its own, libsinter-codegen.so, that is loaded when
/// something has to be compiled: a process that finds its kernels in the disk cache does without it.
#pragma once

#include "jit/generator/card_code.hpp"
#include "jit/generator/image.hpp"
#include "run/backend.hpp"
#include "schedule/schedule.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sinter::codegen {

/// Thread-safe. Never destroyed.
class Generator {
  public:
    /// An object file for `kernel`. Self-contained but for calls of the C library's mathematics.
    virtual std::string host_object(const lower::Kernel& kernel, const schedule::Machine& machine,
                                    const schedule::Schedule& schedule) = 0;
    /// The same, as LLVM IR and as assembly.
    virtual runtime::KernelTexts host_texts(const lower::Kernel& kernel, const schedule::Machine& machine,
                                            const schedule::Schedule& schedule) = 0;
    /// Links any object. Throws InternalError if there is something wrong with it.
    virtual std::unique_ptr<Image> link(const std::string& object) = 0;
    /// The host as LLVM knows it, for people: its processor and the features that it has.
    virtual std::vector<std::pair<std::string, std::string>> host_description() = 0;

    virtual std::string ptx(const CardCode& code, const PtxTarget& target) = 0;
    /// LLVM IR, and PTX as assembly.
    virtual runtime::KernelTexts card_texts(const CardCode& code, const PtxTarget& target) = 0;

    /// `most_stack`: bytes that a thread may take.
    virtual EmulatedCode emulated(const CardCode& code, std::size_t most_stack) = 0;
    /// The same, as LLVM IR; PTX as assembly.
    virtual runtime::KernelTexts emulated_texts(const CardCode& code, const PtxTarget& target) = 0;
    /// Links an object of `emulated`, with these functions for what it leaves open.
    virtual std::unique_ptr<Image> link_emulated(const std::string& object,
                                                 const std::vector<std::pair<const char*, void*>>& functions) = 0;

  protected:
    ~Generator() = default;
};

/// Loads it at the first call. Throws Limitation where it cannot be loaded, std::bad_alloc.
Generator& generator();

/// What distinguishes the two libraries of this build from those of others: of the same in both. Changes when the code of
/// either does.
const char* build_pair();

}  // namespace sinter::codegen
