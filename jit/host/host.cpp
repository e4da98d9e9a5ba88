// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/host.hpp"

#include "jit/emit/llvm/llvm_use.hpp"
#include "jit/generator/generator.hpp"
#include "jit/host/binding.hpp"
#include "jit/host/launch.hpp"
#include "jit/host/target.hpp"
#include "jit/host/updates/updates.hpp"
#include "lower/index/flatten.hpp"
#include "run/calibration.hpp"
#include "run/execute/interpret.hpp"
#include "support/cache/first_few.hpp"
#include "support/log.hpp"
#include "support/text/dump.hpp"
#include "support/threads/process.hpp"

#include <fmt/format.h>

#include <mutex>
#include <optional>

namespace sinter::host {

namespace {

class HostKernel : public runtime::CompiledKernel {
  public:
    HostKernel(const lower::Kernel& kernel, std::shared_ptr<const Target> target)
        : target_(std::move(target)), code_(kernel, target_) {
        if (code_.facts().updates.empty() || !code_.facts().loops.empty()) return;
        if (auto split = split_update(kernel)) updates_.emplace(std::move(*split), target_);
    }

    void launch(const runtime::Launch& launch) const override {
        auto fitting = [&](const Binding& binding) { return binding.fits(launch.sizes, launch.threads); };
        if (const Binding* kept = bindings_.find(fitting)) return execute(*kept, launch);
        try {
            auto binding = std::make_unique<const Binding>(bind(launch.sizes, launch.threads));
            execute(*binding, launch);
            bindings_.keep(std::move(binding));
        } catch (const emit::CompilerEnded&) {
            log_line(LogLevel::warning, "{} is interpreted: the process is ending", code_.kernel().name);
            runtime::launch_interpreted(code_.kernel(), launch);
        }
    }

    std::unique_ptr<const runtime::BoundKernel> bind(std::vector<std::int64_t> sizes, int threads) const override;

    void prepare(const std::int64_t* sizes) const override {
        const Binding binding = decide(sizes, 1);
        binding.code->code(binding.decision.choice.way);
    }

    std::string schedule(const std::int64_t* sizes, int threads) const override {
        const Binding binding = decide(sizes, threads);
        return schedule::summary(binding.code->candidates(), binding.decision);
    }

    /// Compiles what is certain to be needed.
    void prepare_certain() const try {
        if (code_.candidates().ways.size() == 1) code_.code(0);
    } catch (const emit::CompilerEnded&) {  // launches are interpreted
    }

  private:
    class Bound;

    /// Decides everything but the code.
    Binding decide(const std::int64_t* sizes, int threads) const {
        const lower::Kernel& kernel = code_.kernel();
        const std::size_t count = kernel.sizes.count();
        Binding binding{&code_, {}, {sizes, sizes + count}, count, threads};
        const auto flat = compare_flat(binding);
        const KernelCode& code = *binding.code;
        schedule::Decision& decision = binding.decision;
        decision = schedule::decide(code.kernel(), code.candidates(), binding.sizes.data(), threads);
        decision.flat = flat;
        if (updates_ && decision.tasks.points > 0)
            decision.updates = updates_->choose(sizes, decision.tasks.points, threads);
        return binding;
    }

    Binding bind(const std::int64_t* sizes, int threads) const {
        const CriticalSection section;
        Binding binding = decide(sizes, threads);
        if (dumps("schedule"))
            dump("schedule",
                 fmt::format("{}\n{}", code_.kernel().name, schedule::print(binding.code->candidates(), binding.decision)));
        binding.object = &binding.code->code(binding.decision.choice.way);
        return binding;
    }

    /// Takes the flat form if it pays for rows of this length.
    std::optional<schedule::FlatPrices> compare_flat(Binding& binding) const {
        const lower::Kernel& kernel = code_.kernel();
        const std::int64_t* sizes = binding.sizes.data();
        if (!schedule::may_gain_flat(kernel, code_.candidates(), sizes)) return std::nullopt;
        std::call_once(flattened_, [&] { flat_ = std::make_unique<const KernelCode>(lower::flatten(kernel), target_); });
        const lower::Kernel& flat = flat_->kernel();
        const auto prices = schedule::compare_flat(kernel, code_.candidates(), flat, flat_->candidates(), sizes);
        if (prices.pays()) {
            binding.code = flat_.get();
            binding.sizes = schedule::flat_sizes(kernel, flat, sizes);
        }
        return prices;
    }

    void execute(const Binding& binding, const runtime::Launch& launch) const {
        if (!std::holds_alternative<schedule::InOrder>(binding.decision.updates))
            return updates_->launch(*binding.object, binding.decision, launch);
        const runtime::Launch own{launch.buffers, binding.sizes.data(), launch.error, launch.threads, nullptr,
                                  nullptr,        launch.control};
        launch_kernel(*binding.object, *binding.code, binding.tasks(), own);
    }

    std::shared_ptr<const Target> target_;
    KernelCode code_;
    mutable std::once_flag flattened_;
    mutable std::unique_ptr<const KernelCode> flat_;
    mutable FirstFew<Binding> bindings_;
    std::optional<Updates> updates_;
};

/// A launch that is a single call of generated code, or otherwise everything that it needs.
class HostKernel::Bound final : public runtime::BoundKernel {
  public:
    Bound(const HostKernel& kernel, Binding binding)
        : kernel_(kernel),
          binding_(std::move(binding)),
          tile_(tile_of(binding_.tasks(), 0)),
          is_call_(binding_.tasks().is_call() && !kernel.updates_) {}

    void launch(void* const* buffers, runtime::ErrorSlot& error) const override {
        const runtime::Launch launch{buffers, binding_.sizes.data(), &error, binding_.threads};
        if (!is_call_) return kernel_.execute(binding_, launch);
        const emit::Arguments arguments = arguments_of(launch, binding_.tasks(), binding_.code->kernel());
        binding_.object->kernel()(&arguments, &tile_);
    }

  private:
    const HostKernel& kernel_;
    const Binding binding_;
    const emit::Tile tile_;
    const bool is_call_;
};

std::unique_ptr<const runtime::BoundKernel> HostKernel::bind(std::vector<std::int64_t> sizes, int threads) const try {
    return std::make_unique<const Bound>(*this, bind(sizes.data(), threads));
} catch (const emit::CompilerEnded&) {
    return CompiledKernel::bind(std::move(sizes), threads);
}

class HostBackend : public runtime::Backend {
  public:
    explicit HostBackend(const Options& options) : target_(std::make_shared<const Target>(options.vector_bits)) {}

    std::string identity() const override { return target_->identity(); }

    std::vector<std::pair<std::string, std::string>> description() const override { return target_->description(); }

    double launch_bytes() const override { return runtime::launch_bytes(); }
    bool immediate() const override { return true; }

    std::unique_ptr<runtime::CompiledKernel> compile(const lower::Kernel& kernel) override {
        auto result = std::make_unique<HostKernel>(kernel, target_);
        result->prepare_certain();
        return result;
    }

    runtime::KernelTexts texts(const lower::Kernel& kernel) override {
        const KernelCode code(kernel, target_);
        const std::vector<std::int64_t> sizes(kernel.sizes.count(), schedule::tuning::typical_extent);
        const auto decision = schedule::decide(code.kernel(), code.candidates(), sizes.data(), 1);
        runtime::KernelTexts texts =
            codegen::generator().host_texts(code.kernel(), target_->machine(), code.schedule(decision.choice.way));
        texts.schedule = schedule::print(code.candidates(), decision);
        return texts;
    }

  private:
    std::shared_ptr<const Target> target_;
};

}  // namespace

std::unique_ptr<runtime::Backend> make_host_backend(const Options& options) {
    return std::make_unique<HostBackend>(options);
}

}  // namespace sinter::host
