// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/host.hpp"

#include "jit/emit/llvm_use.hpp"
#include "jit/host/binding.hpp"
#include "jit/host/flat_kernel.hpp"
#include "jit/host/launch.hpp"
#include "jit/host/target.hpp"
#include "jit/host/updates.hpp"
#include "jit/host/variant.hpp"
#include "run/calibration.hpp"
#include "run/interpret.hpp"
#include "support/check.hpp"
#include "support/first_few.hpp"
#include "support/process.hpp"

#include <array>
#include <mutex>
#include <optional>

namespace sinter::host {

namespace {

class HostKernel : public runtime::CompiledKernel {
  public:
    HostKernel(lower::Kernel kernel, std::shared_ptr<const Target> target)
        : kernel_(std::move(kernel)), target_(std::move(target)), traits_(traits_of(kernel_, target_->machine())) {
        if (!traits_.in_order || !traits_.loops.empty()) return;
        if (auto split = split_update(kernel_)) updates_.emplace(std::move(*split), *target_);
    }

    void launch(const runtime::Launch& launch) const override {
        auto fitting = [&](const Binding& binding) { return binding.fits(launch.sizes, launch.threads); };
        if (const Binding* kept = bindings_.find(fitting)) return execute(*kept, launch);
        try {
            auto binding = std::make_unique<const Binding>(decide(launch));
            execute(*binding, launch);
            bindings_.keep(std::move(binding));
        } catch (const emit::CompilerEnded&) {
            runtime::launch_interpreted(kernel_, launch);
        }
    }

    std::unique_ptr<const runtime::BoundKernel> bind(std::vector<std::int64_t> sizes, int threads) const override;

    void prepare(const std::int64_t* sizes) const override {
        if (const FlatKernel* flat = flat_for(sizes))
            flat->code();
        else
            code(choose_mode(kernel_, traits_, sizes));
    }

    /// Compiles what is certain to be needed.
    void prepare_certain() const try {
        if (!traits_.loops.empty() && !kernel_.space.empty()) return;
        code(kernel_.space.empty() ? emit::Mode::inner : emit::Mode::points);
    } catch (const emit::CompilerEnded&) {  // launches are interpreted
    }

  private:
    class Bound;

    Binding decide(const runtime::Launch& launch) const {
        const CriticalSection section;
        const std::size_t count = kernel_.sizes.count();
        if (const FlatKernel* flat = flat_for(launch.sizes)) {
            std::vector<std::int64_t> sizes = flat->sizes(kernel_, launch.sizes);
            const Tiling tiling =
                tile_launch(flat->kernel(), flat->traits(), emit::Mode::points, sizes.data(), launch.threads);
            return {&flat->kernel(), &flat->traits(), &flat->code(), std::move(sizes), count, launch.threads, tiling};
        }
        const emit::Mode mode = choose_mode(kernel_, traits_, launch.sizes);
        const Tiling tiling = tile_launch(kernel_, traits_, mode, launch.sizes, launch.threads);
        return {&kernel_, &traits_, &code(mode), {launch.sizes, launch.sizes + count}, count, launch.threads, tiling};
    }

    /// Null where it does not pay for rows of this length.
    const FlatKernel* flat_for(const std::int64_t* sizes) const {
        if (!FlatKernel::is_worth_a_look(kernel_, traits_, sizes)) return nullptr;
        std::call_once(flattened_, [&] { flat_ = std::make_unique<const FlatKernel>(kernel_, target_); });
        return flat_->pays(kernel_, traits_, sizes) ? flat_.get() : nullptr;
    }

    void execute(const Binding& binding, const runtime::Launch& launch) const {
        if (updates_ && binding.tiling.points > 0 && updates_->launch(*binding.object, binding.tiling, launch)) return;
        const runtime::Launch own{launch.buffers, binding.sizes.data(), launch.error, launch.threads};
        launch_kernel(*binding.object, binding.tiling, *binding.traits, *binding.kernel, own);
    }

    const LoadedObject& code(emit::Mode mode) const {
        return variants_[static_cast<std::size_t>(mode)].get(kernel_, *target_, {mode, chunked_in(traits_, mode)});
    }

    const lower::Kernel kernel_;
    std::shared_ptr<const Target> target_;
    Traits traits_;  ///< refers to kernel_
    std::array<Variant, emit::mode_count> variants_;
    mutable std::once_flag flattened_;
    mutable std::unique_ptr<const FlatKernel> flat_;
    mutable FirstFew<Binding> bindings_;
    std::optional<Updates> updates_;
};

/// A launch that is one call of generated code, or what it takes.
class HostKernel::Bound final : public runtime::BoundKernel {
  public:
    Bound(const HostKernel& kernel, Binding binding)
        : kernel_(kernel),
          binding_(std::move(binding)),
          tile_(binding_.tiling.tile(0)),
          is_call_(binding_.tiling.is_call() && !kernel.updates_) {}

    void launch(void* const* buffers, runtime::ErrorSlot& error) const override {
        const runtime::Launch launch{buffers, binding_.sizes.data(), &error, binding_.threads};
        if (!is_call_) return kernel_.execute(binding_, launch);
        const emit::Arguments arguments = arguments_of(launch, binding_.tiling);
        binding_.object->kernel()(&arguments, &tile_);
    }

  private:
    const HostKernel& kernel_;
    const Binding binding_;
    const emit::Tile tile_;
    const bool is_call_;
};

std::unique_ptr<const runtime::BoundKernel> HostKernel::bind(std::vector<std::int64_t> sizes, int threads) const try {
    return std::make_unique<const Bound>(*this, decide({nullptr, sizes.data(), nullptr, threads}));
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
        const Traits traits = traits_of(kernel, target_->machine());
        const std::vector<std::int64_t> sizes(kernel.sizes.count(), typical_extent);
        const emit::Mode mode = choose_mode(kernel, traits, sizes.data());
        return compile_texts(kernel, *target_, {mode, chunked_in(traits, mode)});
    }

  private:
    static constexpr std::int64_t typical_extent = 1024;
    std::shared_ptr<const Target> target_;
};

}  // namespace

std::unique_ptr<runtime::Backend> make_host_backend(const Options& options) {
    return std::make_unique<HostBackend>(options);
}

}  // namespace sinter::host
