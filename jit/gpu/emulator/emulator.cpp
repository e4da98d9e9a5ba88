// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emulator/emulator.hpp"

#include "jit/generator/generator.hpp"
#include "jit/gpu/device/concurrent.hpp"
#include "jit/gpu/emulator/emulated_grid.hpp"
#include "jit/gpu/emulator/emulated_streams.hpp"
#include "support/arch/processor.hpp"
#include "support/check.hpp"
#include "support/settings.hpp"
#include "support/threads/float_environment.hpp"
#include "support/threads/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <sys/mman.h>

namespace sinter::gpu {

namespace {

/// The oldest cards that execute the code.
codegen::PtxTarget target_of(const codegen::CardCode& code) {
    const auto* kernels = std::get_if<codegen::CardKernels>(&code);
    const auto* tiles = kernels ? std::get_if<card::RegisterTiles>(&kernels->schedule.way) : nullptr;
    return {tiles && tiles->tensor_cores ? 80 : 75, 80};
}

/// For tests: writes the PTX to the folder that SINTER_PTX_DIR names, to be assembled.
void leave_ptx(const codegen::CardCode& code) {
    const std::string_view folder = setting("SINTER_PTX_DIR");
    if (folder.empty()) return;
    const std::string text = codegen::generator().ptx(code, target_of(code));
    std::ofstream(fmt::format("{}/{:016x}.ptx", folder, std::hash<std::string>()(text))) << text;
}

/// What this thread records instead of starting it; null if it does not record.
thread_local EmulatedStreams* recorded = nullptr;
/// The stream to which this thread's work goes instead of the first.
thread_local std::optional<std::size_t> branch_stream;

class InBranch {
  public:
    explicit InBranch(std::size_t stream) { branch_stream = stream; }
    ~InBranch() { branch_stream.reset(); }
    InBranch(const InBranch&) = delete;
    InBranch& operator=(const InBranch&) = delete;
};

class Recorded {
  public:
    explicit Recorded(EmulatedStreams& streams) { recorded = &streams; }
    ~Recorded() { recorded = nullptr; }
    Recorded(const Recorded&) = delete;
    Recorded& operator=(const Recorded&) = delete;
};

class Emulator;

class EmulatedProgram final : public Program {
  public:
    EmulatedProgram(Emulator& emulator, std::unique_ptr<codegen::Image> code, std::size_t shared_bytes, codegen::Waits waits)
        : emulator_(emulator), code_(std::move(code)), shared_bytes_(shared_bytes), waits_(waits) {}
    ~EmulatedProgram() override;
    void launch(const char* kernel, std::int64_t blocks, std::span<void*> parameters) const override;

  private:
    Emulator& emulator_;
    std::unique_ptr<codegen::Image> code_;
    std::size_t shared_bytes_;
    codegen::Waits waits_;
};

class Emulator final : public Device {
  public:
    std::string identity() const override { return identity_; }
    std::string name() const override { return "emulated gpu"; }
    std::int64_t wanted_blocks() const override { return 6; }
    bool has_tensor_cores() const override { return true; }

    /// With SINTER_PTX_DIR, PTX is written whenever a process needs it.
    bool is_cached() const override { return setting("SINTER_PTX_DIR").empty(); }
    std::string generate(const codegen::CardCode& code) override {
        leave_ptx(code);
        const codegen::EmulatedCode made = codegen::generator().emulated(code, Fibers::stack_bytes / 2);
        const Header header{made.shared_bytes, made.waits};
        return std::string(reinterpret_cast<const char*>(&header), sizeof header) + made.object;
    }
    std::unique_ptr<Program> load(const std::string& code, const std::string&) override {
        Header header;
        std::memcpy(&header, code.data(), sizeof header);
        return std::make_unique<EmulatedProgram>(
            *this, codegen::generator().link_emulated(code.substr(sizeof header), EmulatedGrid::builtins()),
            header.shared_bytes, header.waits);
    }

    /// The texts of the kernels that are executed here, and of those for a card.
    runtime::KernelTexts texts(const codegen::CardCode& code) override {
        return codegen::generator().emulated_texts(code, target_of(code));
    }

    /// Only while kernels are executed can anybody address it.
    void* allocate(std::size_t bytes) override {
        void* memory = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) return nullptr;
        const SectionLock lock(mutex_);
        memory_[static_cast<const std::byte*>(memory)] = bytes;
        return memory;
    }
    void release(void* memory) override {
        const SectionLock lock(mutex_);
        execute_pending();
        const auto found = memory_.find(static_cast<const std::byte*>(memory));
        munmap(memory, found->second);
        memory_.erase(found);
    }
    /// Few, so that not much is kept for the next arrays: whoever waits makes all of it accessible and inaccessible again,
    /// page by page. (A loop of 800 steps that wait beside 512 MB that are kept: 800 ms.)
    std::size_t memory_bytes() const override { return std::size_t{4} << 20; }
    void* allocate_pinned(std::size_t bytes) override {
        void* memory = ::operator new(bytes, std::nothrow);
        const SectionLock lock(mutex_);
        if (memory) pinned_[static_cast<const std::byte*>(memory)] = bytes;
        return memory;
    }
    void release_pinned(void* memory) override {
        const SectionLock lock(mutex_);
        execute_pending();
        pinned_.erase(static_cast<const std::byte*>(memory));
        ::operator delete(memory);
    }
    void copy(void* to, const void* from, std::size_t bytes) override {
        if (!is_in(memory_, to)) {  // to the host: copied when it has been computed
            add([=] { std::memcpy(to, from, bytes); });
            return wait({});
        }
        if (is_in(pinned_, from) || is_in(memory_, from))  // read when its turn comes
            return add([=] { std::memcpy(to, from, bytes); });
        const auto* begin = static_cast<const std::byte*>(from);
        add([to, data = std::vector(begin, begin + bytes)] { std::memcpy(to, data.data(), data.size()); });
    }
    void clear(void* memory, std::size_t bytes) override {
        add([=] { std::memset(memory, 0, bytes); });
    }
    void branch(std::vector<schedule::card::MemoryAccess> touched, const std::function<void()>& start) override {
        concurrent_.start(std::move(touched), [&] {
            const InBranch here(pending_.current());
            start();
        });
    }
    void wait(const std::string&) override {
        concurrent_.join();
        const SectionLock lock(mutex_);
        execute_pending();
    }

    std::unique_ptr<Recording> record(std::size_t streams, std::size_t events,
                                      const std::function<void(Streams&)>& start) override;
    void start_again(const std::vector<std::function<void()>>& actions) {
        for (const std::function<void()>& action : actions) add(action);
    }

    std::unique_ptr<Mark> mark() override;

    /// Nothing is executed before it is waited for, so that code which forgets to wait is found out. A card refuses a
    /// launch without blocks.
    void launch(EmulatedGrid::Kernel kernel, std::int64_t blocks, std::span<void*> parameters, std::size_t shared_bytes,
                codegen::Waits waits) {
        check(blocks > 0, "a launch has no blocks");
        std::vector<std::uint64_t> values(parameters.size());
        for (std::size_t k = 0; k < values.size(); ++k) std::memcpy(&values[k], parameters[k], sizeof values[k]);
        add([=, this, values = std::move(values)]() mutable {
            std::vector<void*> pointers;
            for (std::uint64_t& value : values) pointers.push_back(&value);
            grid_.launch(kernel, pointers.data(), blocks, shared_bytes, waits);
        });
    }

  private:
    /// Precedes the object file.
    struct Header {
        std::uint64_t shared_bytes = 0;
        codegen::Waits waits = codegen::Waits::no;
    };

    using Blocks = std::map<const std::byte*, std::size_t>;  ///< sizes by address

    static bool contains(const Blocks& blocks, const void* address) {
        const auto* at = static_cast<const std::byte*>(address);
        const auto behind = blocks.upper_bound(at);
        return behind != blocks.begin() && at < std::prev(behind)->first + std::prev(behind)->second;
    }

    bool is_in(const Blocks& blocks, const void* address) const {
        const SectionLock lock(mutex_);
        return contains(blocks, address);
    }

    void add(std::function<void()> action) {
        if (recorded) return recorded->add(std::move(action));
        if (!branch_stream) concurrent_.join();
        {
            const SectionLock lock(mutex_);
            pending_.add(branch_stream.value_or(0), std::move(action));
        }
        if (!branch_stream) concurrent_.join();
    }

    /// The waiting thread executes everything that was started, in a floating-point environment of its own.
    void execute_pending() {
        const auto actions = pending_.in_order();
        if (actions.empty()) return;
        const DefaultFloatEnvironment floats;
        protect(PROT_READ | PROT_WRITE);
        for (const auto& action : actions) action();
        protect(PROT_NONE);
    }

    void protect(int protection) const {
        for (const auto& [begin, bytes] : memory_) mprotect(const_cast<std::byte*>(begin), bytes, protection);
    }

    mutable std::mutex mutex_;
    Blocks memory_, pinned_;
    /// Not executed yet.
    class Pending final : public Streams {
      public:
        explicit Pending(std::mutex& mutex) : mutex_(mutex) {}
        void enter(std::size_t stream) override { streams_.enter(stream); }
        void mark(std::size_t event) override {
            const SectionLock lock(mutex_);
            streams_.mark(event);
        }
        void wait(std::size_t event) override {
            const SectionLock lock(mutex_);
            streams_.wait(event);
        }
        std::size_t current() const { return streams_.current(); }
        void add(std::size_t stream, std::function<void()> action) { streams_.add(stream, std::move(action)); }
        std::vector<std::function<void()>> in_order() { return streams_.in_order(); }

      private:
        std::mutex& mutex_;
        EmulatedStreams streams_{Concurrent::streams};
    };
    Pending pending_{mutex_};
    Concurrent concurrent_{pending_};
    const std::string identity_ =
        fmt::format("emulated gpu, llvm {}, {}", SINTER_LLVM_VERSION, arch::this_processor().identity);
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

std::unique_ptr<Recording> Emulator::record(std::size_t streams, std::size_t /*events*/,
                                            const std::function<void(Streams&)>& start) {
    EmulatedStreams all(streams);
    const Recorded here(all);
    start(all);
    return std::make_unique<EmulatedRecording>(*this, all.in_order());
}

std::unique_ptr<Mark> Emulator::mark() { return std::make_unique<EmulatedMark>(*this); }

EmulatedProgram::~EmulatedProgram() { emulator_.wait({}); }

void EmulatedProgram::launch(const char* kernel, std::int64_t blocks, std::span<void*> parameters) const {
    auto* call = reinterpret_cast<EmulatedGrid::Kernel>(code_->find((std::string(kernel) + ".call").c_str()));
    emulator_.launch(call, blocks, parameters, shared_bytes_, waits_);
}

}  // namespace

std::unique_ptr<Device> make_emulator() { return std::make_unique<Emulator>(); }

}  // namespace sinter::gpu
