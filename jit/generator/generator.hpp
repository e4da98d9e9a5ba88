// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The code generator, with LLVM out of sight. It is a library of its own, libsinter-codegen.so, which is loaded when
/// something has to be compiled: a process that finds its kernels in the disk cache does without it.
#pragma once

#include "jit/generator/card_code.hpp"
#include "jit/generator/image.hpp"
#include "run/backend.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sinter::codegen {

/// How much time goes into code for the host. Quick code is there in 0.4 of the time, and takes 1.5 times as long, in the
/// mean, to do the same: its registers are assigned block by block, and instructions stay in the order in which they were
/// written (schedule/tuning.hpp has the measurement). Both give the same bits.
enum class Effort : std::uint8_t { quick, full };

/// An object file, and the effort that went into it.
struct HostObject {
    std::string bytes;
    Effort effort = Effort::full;
};

/// Thread-safe. Never destroyed.
class Generator {
  public:
    /// Code for `kernel`, with at least this effort: large kernels have an arrangement of their own. It is self-contained,
    /// except for calls of the C library's mathematical functions.
    virtual HostObject host_object(const lower::Kernel& kernel, const schedule::Machine& machine,
                                   const schedule::Schedule& schedule, Effort effort) = 0;
    /// The same, as LLVM IR and as assembly.
    virtual runtime::KernelTexts host_texts(const lower::Kernel& kernel, const schedule::Machine& machine,
                                            const schedule::Schedule& schedule) = 0;
    /// Links any object. Throws InternalError if something is wrong with it.
    virtual std::unique_ptr<Image> link(const std::string& object) = 0;
    /// The host as LLVM knows it, for people: its processor and the features that it has.
    virtual std::vector<std::pair<std::string, std::string>> host_description() = 0;

    virtual std::string ptx(const CardCode& code, const PtxTarget& target) = 0;
    /// Texts: LLVM IR, and PTX as assembly.
    virtual runtime::KernelTexts card_texts(const CardCode& code, const PtxTarget& target) = 0;

    /// `most_stack`: the bytes of stack that a thread may use.
    virtual EmulatedCode emulated(const CardCode& code, std::size_t most_stack) = 0;
    /// Texts: LLVM IR of the same, and PTX as assembly.
    virtual runtime::KernelTexts emulated_texts(const CardCode& code, const PtxTarget& target) = 0;
    /// Links an object made by `emulated`, with these functions for its undefined symbols.
    virtual std::unique_ptr<Image> link_emulated(const std::string& object,
                                                 const std::vector<std::pair<const char*, void*>>& functions) = 0;

  protected:
    ~Generator() = default;
};

/// Loads the library on the first call. Throws Limitation if it cannot be loaded, std::bad_alloc.
Generator& generator();

/// Distinguishes the two libraries of this build from those of other builds: it is the same in both, and changes when the
/// code of either does.
const char* build_pair();

}  // namespace sinter::codegen
