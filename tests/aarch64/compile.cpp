// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// compile FILE <KERNELS: reads kernels as SINTER_DUMP=kernel prints them, compiles them for aarch64 on any processor,
// executes them by the interpreter on a few sizes, and writes the launches to FILE. Prints how many, and what is left out:
// kernels that have updates of several points at a time or debug prints, sizes for which the interpreter refuses the random
// inputs, and results that differ between the interpreter and the code for this processor, because their order of additions
// does.
#define CATCH_CONFIG_RUNNER  // for tests/unit_jit/support.hpp
#include "interp/kernel.hpp"
#include "jit/codegen/target_machines.hpp"
#include "jit/emit/kernel.hpp"
#include "jit/emit/llvm/compat.hpp"
#include "jit/emit/llvm/generate_large.hpp"
#include "jit/host/launch.hpp"
#include "jit/host/target.hpp"
#include "lower/text/parse.hpp"
#include "schedule/decision.hpp"
#include "support/check.hpp"
#include "tests/aarch64/record.hpp"
#include "tests/unit_jit/support.hpp"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Transforms/Scalar.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <variant>

namespace {

using namespace aarch64_test;
using sinter::lower::Kernel;
namespace schedule = sinter::schedule;

/// What decides the code for such a processor.
schedule::Machine neon() { return sinter::host::machine_of(sinter::arch::Processor{}, 0); }

std::unique_ptr<llvm::TargetMachine> target_machine() {
    static const bool known = [] {
        LLVMInitializeAArch64TargetInfo();
        LLVMInitializeAArch64Target();
        LLVMInitializeAArch64TargetMC();
        LLVMInitializeAArch64AsmPrinter();
        return true;
    }();
    static_cast<void>(known);
    std::string error;
    const llvm::Triple triple("aarch64-unknown-linux-gnu");
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple.str(), error);
    sinter::check(target != nullptr, "this LLVM generates code for aarch64");
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
    options.TrapUnreachable = false;
    return sinter::compat::create_machine(*target, triple, "generic", "+neon", options, llvm::Reloc::PIC_,
                                          llvm::CodeModel::Small, sinter::compat::default_level, true);
}

std::string compile(const Kernel& kernel, const schedule::Schedule& schedule) {
    static llvm::TargetMachine& machine = *target_machine().release();
    llvm::LLVMContext context;
    llvm::Module module("sinter", context);
    sinter::codegen::prepare_for(module, machine);
    sinter::emit::emit_kernel(module, kernel, neon(), schedule);
    llvm::SmallVector<char, 0> object;
    llvm::raw_svector_ostream stream(object);
    llvm::legacy::PassManager passes;
    passes.add(llvm::createTargetTransformInfoWrapperPass(machine.getTargetIRAnalysis()));
    passes.add(llvm::createEarlyCSEPass());
    machine.addPassesToEmitFile(passes, stream, nullptr, sinter::compat::object_file, true);
    passes.run(module);
    return {object.begin(), object.end()};
}

/// The calls that jit/host/launch.cpp makes.
void cut(Launch& launch, const schedule::Tasks& tasks, const schedule::Facts& facts) {
    launch.points = tasks.points, launch.chunks = tasks.chunks;
    launch.task_bytes = static_cast<std::int64_t>(tasks.task_bytes()), launch.shared_bytes = tasks.shared_bytes;
    auto all = [&](const schedule::Tasks& t, bool finish) {
        for (std::int64_t k = 0; t.points > 0 && k < t.count(); ++k) {
            sinter::emit::Tile tile = sinter::host::tile_of(t, k);
            const std::int64_t end = tile.reduce_end;
            do {
                if (t.step > 0) tile.reduce_end = std::min(end, tile.reduce_begin + t.step);
                tile.last = tile.reduce_end == end;
                launch.calls.push_back({finish, tile});
                tile.reduce_begin = tile.reduce_end, tile.start = sinter::emit::Start::accumulate;
            } while (t.step > 0 && tile.reduce_begin < end);
        }
    };
    all(tasks, false);
    if (!tasks.partial()) return;
    for (std::size_t bytes : facts.state_bytes)
        launch.partial_bytes.push_back(tasks.chunks * tasks.points * static_cast<std::int64_t>(bytes));
    schedule::Tasks combine = tasks;
    combine.chunks = 1, combine.step = 0;
    all(combine, true);
}

/// One kernel, compiled for both processors.
class Tested {
  public:
    explicit Tested(const std::string& text) : text_(text), kernel_(sinter::lower::parse(text)) {}

    /// Why the kernel is left out; nothing if it is not.
    std::string reason() const {
        using enum sinter::ir::Size::Kind;
        if (!kernel_.accumulators.empty()) return "kernels with accumulators";
        for (const auto& check : kernel_.checks)
            if (!check.types.empty()) return "kernels that print";
        for (std::size_t k = 0; k < kernel_.sizes.count(); ++k)
            if (const auto kind = kernel_.sizes[sinter::ir::SizeId(k)].kind; kind == input_extent || kind == value)
                return "kernels with computed sizes";
        return "";
    }

    /// The launch for size arguments of about `n`, or why it is left out. `n` becomes less if the interpreter would take
    /// long.
    std::variant<Launch, std::string> launch(std::int64_t n) try {
        n = std::min(n, largest_);
        Launch launch;
        launch.kernel = text_, launch.sizes = sizes_about(n);
        if (launch.sizes.empty()) return "launches with large arrays, or with negative extents";
        jit_test::Data data = jit_test::make_data(kernel_, launch.sizes, jit_test::Fill::small, 7);
        for (std::size_t k = 0; k < kernel_.buffers.size(); ++k) {
            const auto& b = kernel_.buffers[k];
            const auto bytes = sinter::detail::size_of(b.scalar);
            const std::string before(data.memory[k].begin(), data.memory[k].end());
            const std::int64_t elements = launch.sizes[b.elements.index];
            launch.buffers.push_back({bytes, elements, b.output, sinter::detail::is_float(b.scalar), before, {}});
        }
        const std::clock_t begin = std::clock();
        launch.fails = sinter::interp::interpret(kernel_, data.pointers, launch.sizes).has_value();
        limit_sizes(n, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
        for (std::size_t k = 0; k < kernel_.buffers.size(); ++k)
            launch.buffers[k].after.assign(data.memory[k].begin(), data.memory[k].end());
        if (!agrees(launch)) return "launches whose results depend on the order of additions";
        const auto decision = schedule::decide(kernel_, candidates_, launch.sizes.data(), 1);
        if (decision.tasks.partial() && candidates_.facts.chunked->op != sinter::ir::Op::reduce)
            return "launches of scans in chunks";
        cut(launch, decision.tasks, candidates_.facts);
        launch.object = object(decision.choice.way);
        return launch;
    } catch (const sinter::Error&) {
        return "launches that the interpreter refuses";
    }

  private:
    /// So that the interpreter takes seconds at most, if it took `seconds` for `n` and its work grows with the fifth power
    /// of the sizes, as that of some contractions does.
    void limit_sizes(std::int64_t n, double seconds) {
        const double growth = std::pow(3 / std::max(seconds, 1e-6), 0.2);
        largest_ = std::max(n, static_cast<std::int64_t>(static_cast<double>(n) * growth));
    }

    /// The sizes for arguments that are all `n`; if an extent is negative then, for arguments of up to twice as much with
    /// which none is. Empty if none are found.
    std::vector<std::int64_t> sizes_about(std::int64_t n) const {
        std::mt19937_64 random(static_cast<std::uint64_t>(n));
        std::vector<std::int64_t> arguments(count_arguments(), n);
        for (int attempt = 0; attempt < 100; ++attempt) {
            auto sizes = jit_test::evaluate_sizes(kernel_.sizes, arguments);
            if (is_possible(sizes)) return sizes;
            for (auto& argument : arguments)
                argument = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * n + 1));
        }
        return {};
    }

    /// True if the library could launch the kernel with these sizes, and the interpreter is done with it soon.
    bool is_possible(const std::vector<std::int64_t>& sizes) const {
        auto negative = [&](sinter::ir::SizeId extent) { return sizes[extent.index] < 0; };
        auto fits = [&](const sinter::lower::Buffer& buffer) {
            return !negative(buffer.elements) && sizes[buffer.elements.index] <= most_elements;
        };
        return std::ranges::none_of(kernel_.space, negative) && std::ranges::all_of(kernel_.buffers, fits);
    }

    std::size_t count_arguments() const {
        std::size_t count = 0;
        for (std::size_t k = 0; k < kernel_.sizes.count(); ++k) {
            const auto& size = kernel_.sizes[sinter::ir::SizeId(k)];
            if (size.kind == sinter::ir::Size::Kind::argument)
                count = std::max(count, static_cast<std::size_t>(size.index) + 1);
        }
        return count;
    }

    /// True if code for this processor gives the same results.
    bool agrees(const Launch& launch) {
        if (!here_) here_ = jit_test::backend(128).compile(kernel_);
        std::vector<std::string> memory;
        std::vector<void*> pointers;
        for (const Buffer& b : launch.buffers) memory.push_back(b.before);
        for (auto& m : memory) pointers.push_back(m.data());
        sinter::runtime::ErrorSlot error;
        here_->launch({pointers.data(), launch.sizes.data(), &error, 1});
        if ((error.check.load() != 0) != launch.fails) return false;
        for (std::size_t k = 0; !launch.fails && k < memory.size(); ++k)
            if (launch.buffers[k].output && launch.buffers[k].first_difference(memory[k].data()) >= 0) return false;
        return true;
    }

    const std::string& object(std::size_t way) {
        std::string& object = objects_[way];
        if (object.empty())
            object = compile(kernel_, schedule::schedule_of(kernel_, neon(), candidates_, candidates_.ways[way]));
        return object;
    }

    static constexpr std::int64_t most_elements = 100000;
    const std::string text_;
    const Kernel kernel_;
    const schedule::Candidates candidates_ = schedule::candidates_of(kernel_, neon());
    std::unique_ptr<sinter::runtime::CompiledKernel> here_;
    std::map<std::size_t, std::string> objects_;
    std::int64_t largest_ = 1000;  ///< of the sizes that the interpreter is soon done with
};

class Compiler {
  public:
    explicit Compiler(const char* file) : file_(file, std::ios::binary) {}

    void add(const std::string& text) {
        if (!seen_.insert(text).second) return;
        Tested kernel(text);
        const std::string reason = kernel.reason();
        if (!reason.empty()) return leave(reason);
        for (std::int64_t n : {1, 7, 33, 300}) {
            auto made = kernel.launch(n);
            if (const auto* why = std::get_if<std::string>(&made)) {
                leave(*why);
                continue;
            }
            Record record(file_);
            record(std::get<Launch>(made));
            ++launches_;
        }
    }

    void report() const {
        std::printf("%zu kernels, %d launches\n", seen_.size(), launches_);
        for (const auto& [reason, count] : left_out_) std::printf("left out: %d %s\n", count, reason.c_str());
    }

  private:
    void leave(const std::string& reason) { ++left_out_[reason]; }

    std::ofstream file_;
    std::set<std::string> seen_;
    std::map<std::string, int> left_out_;
    int launches_ = 0;
};

}  // namespace

int main(int, char** argv) {
    Compiler compiler(argv[1]);
    const std::string input(std::istreambuf_iterator<char>(std::cin), {}), mark = "--- kernel\n";
    for (std::size_t at = input.find(mark); at != std::string::npos;) {
        const std::size_t next = input.find("--- ", at + mark.size());
        compiler.add(input.substr(at + mark.size(), next == std::string::npos ? next : next - at - mark.size()));
        at = input.find(mark, at + mark.size());
    }
    compiler.report();
}
