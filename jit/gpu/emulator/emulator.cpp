// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emulator/emulator.hpp"

#include "jit/emit/llvm/compat.hpp"
#include "jit/emit/llvm/generate_large.hpp"
#include "jit/emit/llvm/llvm_use.hpp"
#include "jit/gpu/cuda/nvptx.hpp"
#include "jit/gpu/emulator/emulated_grid.hpp"
#include "jit/gpu/emulator/emulator_load.hpp"
#include "schedule/tuning.hpp"
#include "support/check.hpp"
#include "support/float_environment.hpp"
#include "support/settings.hpp"

#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Pass.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/Scalar.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace sinter::gpu {

namespace {

std::unique_ptr<llvm::TargetMachine> make_machine() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    const std::string triple = llvm::sys::getProcessTriple();
    std::string error;
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
    check(target != nullptr, "LLVM has no target for this machine");
    std::string features;
    for (const auto& feature : compat::host_features())
        features += (features.empty() ? "" : ",") + std::string(feature.second ? "+" : "-") + feature.first().str();
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
    return compat::create_machine(*target, llvm::Triple(triple), llvm::sys::getHostCPUName(), features, options,
                                  llvm::Reloc::PIC_, llvm::CodeModel::Small, compat::less_level, true);
}

constexpr const char* call_suffix = ".call";

/// Adds to every kernel a function that takes an array of pointers to its parameters, as the driver does.
void add_calls(llvm::Module& module) {
    std::vector<llvm::Function*> kernels;
    for (llvm::Function& f : module)
        if (!f.isDeclaration() && f.hasExternalLinkage()) kernels.push_back(&f);
    llvm::IRBuilder<> ir(module.getContext());
    for (llvm::Function* kernel : kernels) {
        auto* call = llvm::Function::Create(llvm::FunctionType::get(ir.getVoidTy(), {ir.getPtrTy()}, false),
                                            llvm::Function::ExternalLinkage, kernel->getName() + call_suffix, module);
        ir.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", call));
        llvm::SmallVector<llvm::Value*, 16> parameters;
        for (llvm::Argument& argument : kernel->args()) {
            llvm::Value* at = ir.CreateConstGEP1_64(ir.getPtrTy(), call->getArg(0), argument.getArgNo());
            parameters.push_back(ir.CreateLoad(argument.getType(), ir.CreateLoad(ir.getPtrTy(), at)));
        }
        ir.CreateCall(kernel, parameters);
        ir.CreateRetVoid();
    }
}

/// What a card would execute.
std::string ptx_of(const llvm::Module& module, std::size_t shared_bytes) {
    const auto copy = llvm::CloneModule(module);
    prepare_for_ptx(*copy);
    return generate_ptx(*copy, {75, 80}, shared_bytes);
}

/// For tests: leaves the PTX in the folder that SINTER_PTX_DIR names, to be assembled.
void leave_ptx(const llvm::Module& module, std::size_t shared_bytes) {
    const std::string_view folder = setting("SINTER_PTX_DIR");
    if (folder.empty()) return;
    const std::string text = ptx_of(module, shared_bytes);
    std::ofstream(fmt::format("{}/{:016x}.ptx", folder, std::hash<std::string>()(text))) << text;
}

EmulatedGrid::Waits who_waits(const llvm::Module& module) {
    if (module.getFunction(builtin::pause)) return EmulatedGrid::Waits::for_blocks;
    const char* const waiting[] = {builtin::barrier, builtin::from_lane, builtin::peers, builtin::ballot,
                                   builtin::warp_barrier};
    const bool threads =
        std::any_of(std::begin(waiting), std::end(waiting), [&](const char* name) { return module.getFunction(name); });
    return threads ? EmulatedGrid::Waits::in_block : EmulatedGrid::Waits::no;
}

/// What this thread records instead of starting it; null: nothing.
thread_local std::vector<std::function<void()>>* recorded = nullptr;

class Recorded {
  public:
    explicit Recorded(std::vector<std::function<void()>>& actions) { recorded = &actions; }
    ~Recorded() { recorded = nullptr; }
    Recorded(const Recorded&) = delete;
    Recorded& operator=(const Recorded&) = delete;
};

class Emulator;

class EmulatedProgram final : public Program {
  public:
    EmulatedProgram(Emulator& emulator, std::unique_ptr<EmulatorCode> code, std::size_t shared_bytes,
                    EmulatedGrid::Waits waits)
        : emulator_(emulator), code_(std::move(code)), shared_bytes_(shared_bytes), waits_(waits) {}
    ~EmulatedProgram() override;
    void launch(const char* kernel, std::int64_t blocks, std::span<void*> parameters) const override;

  private:
    Emulator& emulator_;
    std::unique_ptr<EmulatorCode> code_;
    std::size_t shared_bytes_;
    EmulatedGrid::Waits waits_;
};

class Emulator final : public Device {
  public:
    std::string identity() const override { return identity_; }
    std::int64_t wanted_blocks() const override { return 6; }

    /// PTX is left whenever a process needs it.
    bool is_cached() const override { return setting("SINTER_PTX_DIR").empty(); }
    std::string generate(llvm::Module& module, std::size_t shared_bytes) override {
        leave_ptx(module, shared_bytes);
        const Header header{shared_bytes, static_cast<std::uint64_t>(who_waits(module))};
        add_calls(module);
        const auto object = compile(module);
        return std::string(reinterpret_cast<const char*>(&header), sizeof header) +
               std::string(object.data(), object.size());
    }
    std::unique_ptr<Program> load(const std::string& code, const std::string&) override {
        Header header;
        std::memcpy(&header, code.data(), sizeof header);
        const llvm::ArrayRef<char> object(code.data() + sizeof header, code.size() - sizeof header);
        return std::make_unique<EmulatedProgram>(*this, load_object(object, EmulatedGrid::builtins()), header.shared_bytes,
                                                 static_cast<EmulatedGrid::Waits>(header.waits));
    }

    std::string assembly(llvm::Module& module, std::size_t shared_bytes) override { return ptx_of(module, shared_bytes); }

    void prepare(llvm::Module& module) const override {
        const std::lock_guard lock(mutex_);
        compat::set_triple(module, machine_->getTargetTriple());
        module.setDataLayout(machine_->createDataLayout());
    }

    void* allocate(std::size_t bytes) override {
        void* memory = ::operator new(bytes, std::align_val_t(256), std::nothrow);
        const std::lock_guard lock(mutex_);
        if (memory) memory_[static_cast<const std::byte*>(memory)] = bytes;
        return memory;
    }
    void release(void* memory) override {
        const std::lock_guard lock(mutex_);
        execute_pending();
        memory_.erase(static_cast<const std::byte*>(memory));
        ::operator delete(memory, std::align_val_t(256));
    }
    void* allocate_pinned(std::size_t bytes) override {
        void* memory = ::operator new(bytes, std::nothrow);
        const std::lock_guard lock(mutex_);
        if (memory) pinned_[static_cast<const std::byte*>(memory)] = bytes;
        return memory;
    }
    void release_pinned(void* memory) override {
        const std::lock_guard lock(mutex_);
        execute_pending();
        pinned_.erase(static_cast<const std::byte*>(memory));
        ::operator delete(memory);
    }
    void copy(void* to, const void* from, std::size_t bytes) override {
        const std::lock_guard lock(mutex_);
        if (!contains(memory_, to)) {  // to the host: when it has been computed
            execute_pending();
            std::memcpy(to, from, bytes);
            return;
        }
        if (contains(pinned_, from) || contains(memory_, from)) {  // read when its turn comes
            pending_.push_back([=] { std::memcpy(to, from, bytes); });
            return;
        }
        const auto* begin = static_cast<const std::byte*>(from);
        pending_.push_back([to, data = std::vector(begin, begin + bytes)] { std::memcpy(to, data.data(), data.size()); });
    }
    void clear(void* memory, std::size_t bytes) override {
        add([=] { std::memset(memory, 0, bytes); });
    }
    void wait(const std::string&) override {
        const std::lock_guard lock(mutex_);
        execute_pending();
    }

    std::unique_ptr<Recording> record(const std::function<void()>& start) override;
    void start_again(const std::vector<std::function<void()>>& actions) {
        const std::lock_guard lock(mutex_);
        pending_.insert(pending_.end(), actions.begin(), actions.end());
    }

    std::unique_ptr<Mark> mark() override;

    /// Nothing is executed before it is waited for: whoever forgets to wait finds out.
    void launch(EmulatedGrid::Kernel kernel, std::int64_t blocks, std::span<void*> parameters, std::size_t shared_bytes,
                EmulatedGrid::Waits waits) {
        std::vector<std::uint64_t> values(parameters.size());
        for (std::size_t k = 0; k < values.size(); ++k) std::memcpy(&values[k], parameters[k], sizeof values[k]);
        add([=, this, values = std::move(values)]() mutable {
            std::vector<void*> pointers;
            for (std::uint64_t& value : values) pointers.push_back(&value);
            grid_.launch(kernel, pointers.data(), blocks, shared_bytes, waits);
        });
    }

  private:
    /// Before the object file.
    struct Header {
        std::uint64_t shared_bytes = 0;
        std::uint64_t waits = 0;  ///< an EmulatedGrid::Waits
    };

    llvm::SmallVector<char, 0> compile(llvm::Module& module) {
        const emit::LlvmUse use(schedule::tuning::compile_bytes_card);
        const std::lock_guard lock(mutex_);
        llvm::SmallVector<char, 0> bytes;
        llvm::raw_svector_ostream stream(bytes);
        if (emit::has_large_function(module)) {
            emit::generate_large(module, *machine_, stream, compat::object_file, Fibers::stack_bytes / 2);
            return bytes;
        }
        llvm::legacy::PassManager passes;
        passes.add(llvm::createEarlyCSEPass());
        check(!machine_->addPassesToEmitFile(passes, stream, nullptr, compat::object_file),
              "the host can emit object files");
        passes.run(module);
        return bytes;
    }

    using Blocks = std::map<const std::byte*, std::size_t>;  ///< bytes by address

    static bool contains(const Blocks& blocks, const void* address) {
        const auto* at = static_cast<const std::byte*>(address);
        const auto behind = blocks.upper_bound(at);
        return behind != blocks.begin() && at < std::prev(behind)->first + std::prev(behind)->second;
    }

    void add(std::function<void()> action) {
        if (recorded) return recorded->push_back(std::move(action));
        const std::lock_guard lock(mutex_);
        pending_.push_back(std::move(action));
    }

    /// Whoever waits does so, in an environment of its own.
    void execute_pending() {
        const DefaultFloatEnvironment floats;
        for (auto& action : std::exchange(pending_, {})) action();
    }

    mutable std::mutex mutex_;
    Blocks memory_, pinned_;
    std::vector<std::function<void()>> pending_;
    std::unique_ptr<llvm::TargetMachine> machine_ = make_machine();
    const std::string identity_ = fmt::format("emulated gpu, llvm {}, {} {}", LLVM_VERSION_STRING,
                                              machine_->getTargetCPU().str(), machine_->getTargetFeatureString().str());
    EmulatedGrid grid_;
};

class EmulatedMark final : public Mark {
  public:
    explicit EmulatedMark(Emulator& emulator) : emulator_(emulator) {}
    void wait() override { emulator_.wait({}); }

  private:
    Emulator& emulator_;
};

class EmulatedRecording final : public Recording {
  public:
    EmulatedRecording(Emulator& emulator, std::vector<std::function<void()>> actions)
        : emulator_(emulator), actions_(std::move(actions)) {}
    void start() override { emulator_.start_again(actions_); }

  private:
    Emulator& emulator_;
    std::vector<std::function<void()>> actions_;
};

std::unique_ptr<Recording> Emulator::record(const std::function<void()>& start) {
    std::vector<std::function<void()>> actions;
    const Recorded here(actions);
    start();
    return std::make_unique<EmulatedRecording>(*this, std::move(actions));
}

std::unique_ptr<Mark> Emulator::mark() { return std::make_unique<EmulatedMark>(*this); }

EmulatedProgram::~EmulatedProgram() { emulator_.wait({}); }

void EmulatedProgram::launch(const char* kernel, std::int64_t blocks, std::span<void*> parameters) const {
    auto* call = reinterpret_cast<EmulatedGrid::Kernel>(code_->find(std::string(kernel) + call_suffix));
    emulator_.launch(call, blocks, parameters, shared_bytes_, waits_);
}

}  // namespace

std::unique_ptr<Device> make_emulator() { return std::make_unique<Emulator>(); }

}  // namespace sinter::gpu
