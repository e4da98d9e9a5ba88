// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/host.hpp"

#include "jit/emit/llvm/llvm_use.hpp"
#include "jit/generator/generator.hpp"
#include "jit/host/forms.hpp"
#include "jit/host/launch.hpp"
#include "jit/host/parts.hpp"
#include "jit/host/shares.hpp"
#include "jit/host/target.hpp"
#include "jit/host/updates/accumulators.hpp"
#include "jit/host/updates/overwriting.hpp"
#include "jit/host/updates/shared_updates.hpp"
#include "jit/host/updates/updates.hpp"
#include "run/calibration.hpp"
#include "run/execute/interpret.hpp"
#include "schedule/merge_loops.hpp"
#include "support/cache/first_few.hpp"
#include "support/log.hpp"
#include "support/text/dump.hpp"
#include "support/threads/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>

namespace sinter::host {

namespace {

class HostKernel : public runtime::CompiledKernel, public runtime::LaunchedInParts {
  public:
    HostKernel(const lower::Kernel& kernel, std::shared_ptr<const Target> target)
        : target_(std::move(target)), forms_(schedule::merge_loops(kernel), target_), overwriting_(code_, target_) {
        if (schedule::accumulates(code_.kernel(), code_.facts())) accumulators_.emplace(code_.kernel(), target_);
        if (accumulators_ || code_.facts().updates.empty()) return;
        if (auto split = split_update(code_.kernel())) updates_.emplace(std::move(*split), target_);
    }

    void launch(const runtime::Launch& launch) const override {
        auto fitting = [&](const Binding& binding) {
            return binding.fits(launch.sizes, launch.threads, overwriting_.among_ranks());
        };
        if (const Binding* kept = bindings_.find(fitting)) return static_cast<void>(execute(*kept, launch));
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
    std::unique_ptr<runtime::RepeatedKernel> repeat(int threads) const override;

    std::unique_ptr<const runtime::PartKernel> bind_parts(const std::int64_t* sizes, int threads) const override;

    std::shared_ptr<const runtime::SharedKernel> bind_shared(const std::int64_t* sizes, int threads) const override;

    /// Likewise, without code, for those who only ask how.
    std::shared_ptr<const runtime::SharedKernel> describe_shared(const std::int64_t* sizes, int threads) const {
        Binding binding;
        decide(sizes, threads, binding, false);
        return share(std::move(binding));
    }

    void prepare(const std::int64_t* sizes, bool repeats) const override {
        Binding binding;
        decide(sizes, 1, binding);
        binding.find_code(repeats);
    }

    double work(const std::int64_t* sizes) const override {
        Binding binding;
        decide(sizes, 1, binding);
        const schedule::Tasks& tasks = binding.decision.tasks;
        const bool is_plain = !accumulators_ && !tasks.partial();
        return is_plain ? std::max(tasks.work, 0.0) : std::numeric_limits<double>::infinity();
    }

    std::string schedule(const std::int64_t* sizes, int threads) const override {
        Binding binding;
        decide(sizes, threads, binding);
        return schedule::summary(binding.code->candidates(), binding.decision);
    }

    void prepare_certain() const override try {
        if (code_.candidates().ways.size() == 1 && !forms_.may_be_fixed() && !forms_.may_be_split()) code_.code(0, 0);
    } catch (const emit::CompilerEnded&) {  // launches are interpreted
    }

  private:
    class Bound;
    class Repeated;
    /// What bind_shared() found for the first few sizes.
    struct Shared {
        std::vector<std::int64_t> sizes;
        int threads = 1;
        std::shared_ptr<const runtime::SharedKernel> kernel;  ///< null if it cannot be shared
    };

    /// Decides everything but the code; if `whole` is false, for parts, whose axes are the kernel's. The binding may have
    /// been another before, whose memory is used again.
    void decide(const std::int64_t* sizes, int threads, Binding& binding, bool whole = true) const {
        binding.given = code_.kernel().sizes.count();
        binding.code = &code_;
        binding.sizes.assign(sizes, sizes + binding.given);
        binding.threads = threads;
        binding.has_parts = true;
        binding.among_ranks = overwriting_.among_ranks();
        const std::int64_t together = overwriting_.points_together(sizes, binding.among_ranks);
        const schedule::UpdateWay overwriting = whole ? overwriting_.way(sizes, together, threads) : schedule::InOrder();
        const bool in_order = std::holds_alternative<schedule::InOrder>(overwriting);
        schedule::Decision& decision = binding.decision;
        decision = schedule::decide(code_.kernel(), code_.candidates(), sizes, threads, together);
        if (in_order) forms_.take(binding, together, whole);
        if (!in_order) decision.updates = overwriting;
        if (updates_ && decision.tasks.points > 0)
            decision.updates = updates_->choose(sizes, decision.tasks.points, threads);
    }

    /// Updates that one rank makes in copies, as threads share them, are shared likewise.
    std::shared_ptr<const runtime::SharedKernel> share(Binding binding) const {
        constexpr int several = 2;
        const std::int64_t points = binding.tasks().points;
        const schedule::UpdateWay way =
            updates_ && points > 0 ? updates_->choose(binding.sizes.data(), points, several) : binding.decision.updates;
        const auto* copies = std::get_if<schedule::Copies>(&way);
        const bool updates = points > 0 && (updates_ || accumulators_);
        if (updates && copies) return share_updates(std::move(binding), copies->count, target_);
        return make_shares(std::move(binding));
    }

    Binding bind(const std::int64_t* sizes, int threads) const {
        const CriticalSection section;
        Binding binding;
        bind(sizes, threads, binding);
        return binding;
    }

    void bind(const std::int64_t* sizes, int threads, Binding& binding, bool repeats = false) const {
        decide(sizes, threads, binding);
        if (dumps("schedule"))
            dump("schedule",
                 fmt::format("{}\n{}", code_.kernel().name, schedule::print(binding.code->candidates(), binding.decision)));
        binding.find_code(repeats);
    }

    /// Returns true if threads shared the tasks.
    bool execute(const Binding& binding, const runtime::Launch& launch) const {
        const runtime::Launch own{launch.buffers, binding.sizes.data(), launch.error,      launch.threads,   nullptr,
                                  nullptr,        launch.control,       launch.may_branch, launch.thread_use};
        if (accumulators_) {
            accumulators_->launch(*binding.way_code, *binding.code, binding.decision, own);
            return false;
        }
        if (!std::holds_alternative<schedule::InOrder>(binding.decision.updates)) {
            (updates_ ? *updates_ : overwriting_.updates()).launch(*binding.way_code, binding.decision, launch);
            return false;
        }
        return launch_kernel(*binding.way_code, *binding.code, binding.tasks(), own);
    }

    std::shared_ptr<const Target> target_;
    const Forms forms_;
    const KernelCode& code_ = forms_.general();
    const Overwriting overwriting_;
    mutable FirstFew<Binding> bindings_;
    mutable FirstFew<Shared> shared_;
    std::optional<Updates> updates_;
    std::optional<Accumulators> accumulators_;
};

/// A launch that is a single call of generated code, or otherwise everything that it needs.
class HostKernel::Bound final : public runtime::BoundKernel {
  public:
    Bound(const HostKernel& kernel, Binding binding)
        : kernel_(kernel),
          binding_(std::move(binding)),
          tile_(tile_of(binding_.tasks(), 0)),
          is_call_(binding_.tasks().is_call() && !kernel.updates_ && !kernel.accumulators_ &&
                   std::holds_alternative<schedule::InOrder>(binding_.decision.updates)) {}

    void launch(void* const* buffers, runtime::ErrorSlot& error) const override {
        const runtime::Launch launch{buffers, binding_.sizes.data(), &error, binding_.threads};
        if (!is_call_)
            return binding_.among_ranks == kernel_.overwriting_.among_ranks()
                       ? static_cast<void>(kernel_.execute(binding_, launch))
                       : kernel_.launch(launch);
        const emit::Arguments arguments = arguments_of(launch, binding_.tasks(), binding_.code->kernel());
        const WayCode::Working working(*binding_.way_code, binding_.tasks().work);
        binding_.way_code->kernel()(&arguments, &tile_);
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

/// A launch that is one call of generated code is nothing else here: its arguments are written when sizes change. A cut
/// that fits somewhat larger extents is kept where it decides no bits.
class HostKernel::Repeated final : public runtime::RepeatedKernel {
  public:
    Repeated(const HostKernel& kernel, int threads) : kernel_(kernel), threads_(threads) {}

    void resize(const std::int64_t* sizes, bool among_shared) override try {
        given_ = sizes;
        if (among_shared == among_shared_ && is_cut_for(sizes))
            return static_cast<void>(std::copy_n(sizes, binding_.given, binding_.sizes.begin()));
        if (may_shrink_ && among_shared == among_shared_ && has_shrunk(sizes)) return shrink(sizes);
        may_shrink_ = false;
        among_shared_ = among_shared;
        kernel_.bind(sizes, threads_, binding_, true);
        is_spread_ = among_shared && schedule::spread(binding_.decision.tasks, binding_.code->candidates(), threads_);
        is_call_ = binding_.tasks().is_call() && !kernel_.accumulators_ &&
                   std::holds_alternative<schedule::InOrder>(binding_.decision.updates);
        if (!is_call_) return;
        const runtime::Launch launch{nullptr, binding_.sizes.data(), nullptr, threads_};
        arguments_ = arguments_of(launch, binding_.tasks(), binding_.code->kernel());
        tile_ = tile_of(binding_.tasks(), 0);
        decided_.clear();
        for (ir::SizeId id : kernel_.code_.kernel().space) decided_.push_back(sizes[id.index]);
        may_shrink_ = !kernel_.forms_.may_be_split() && schedule::may_shrink(kernel_.code_.candidates());
    } catch (const emit::CompilerEnded&) {
        binding_.way_code = nullptr;
    }

    bool launch(void* const* buffers, runtime::ErrorSlot& error, const RunControl* control,
                runtime::ThreadUse thread_use) override {
        if (binding_.way_code && is_call_) {
            arguments_.buffers = buffers;
            arguments_.error = &error;
            const WayCode::Working working(*binding_.way_code, binding_.tasks().work);
            binding_.way_code->kernel()(&arguments_, &tile_);
            return false;
        }
        const runtime::Launch launch{buffers, given_, &error, threads_, nullptr, nullptr, control, false, thread_use};
        if (binding_.way_code && binding_.among_ranks == kernel_.overwriting_.among_ranks())
            return kernel_.execute(binding_, launch) && !is_spread_;
        kernel_.launch(launch);
        return false;
    }

    double work() const override { return binding_.way_code ? binding_.tasks().work : 0; }

  private:
    /// True if only sizes differ that decide nothing.
    bool is_cut_for(const std::int64_t* sizes) const {
        const bool among_ranks = binding_.among_ranks || kernel_.overwriting_.among_ranks();
        auto is_same = [&](ir::SizeId id) { return sizes[id.index] == binding_.sizes[id.index]; };
        return !deciding_.empty() && !kernel_.forms_.may_be_split() && binding_.way_code && !among_ranks &&
               fixes_alike(sizes) && std::all_of(deciding_.begin(), deciding_.end(), is_same);
    }

    bool fixes_alike(const std::int64_t* sizes) const { return kernel_.forms_.are_alike(sizes, binding_.sizes.data()); }

    /// No extent is larger than the cut was made for, nor smaller than half of that.
    bool has_shrunk(const std::int64_t* sizes) const {
        const std::vector<ir::SizeId>& space = kernel_.code_.kernel().space;
        if (!fixes_alike(sizes)) return false;
        for (std::size_t k = 0; k < space.size(); ++k) {
            const std::int64_t extent = sizes[space[k].index];
            if (extent <= 0 || extent > decided_[k] || 2 * extent < decided_[k]) return false;
        }
        return true;
    }

    void shrink(const std::int64_t* sizes) {
        const lower::Kernel& given = kernel_.code_.kernel();
        const lower::Kernel& kernel = binding_.code->kernel();
        std::copy_n(sizes, binding_.given, binding_.sizes.begin());
        const bool is_flat = kernel.space.size() != given.space.size();
        if (is_flat) schedule::set_flat_extent(given, kernel, binding_.sizes);
        const KernelCode& code = *binding_.code;
        schedule::shrink(binding_.decision.tasks, kernel, code.way(binding_.decision.choice.way), binding_.sizes.data());
        arguments_.points = binding_.tasks().points;
        tile_ = tile_of(binding_.tasks(), 0);
    }

    const HostKernel& kernel_;
    const int threads_;
    /// Empty if other sizes may decide, too.
    const std::vector<ir::SizeId> deciding_ = schedule::deciding_sizes(kernel_.code_.kernel(), kernel_.code_.candidates());
    const std::int64_t* given_ = nullptr;
    Binding binding_;
    bool is_call_ = false, may_shrink_ = false, among_shared_ = false, is_spread_ = false;
    std::vector<std::int64_t> decided_;  ///< the space that the cut was made for
    emit::Arguments arguments_;
    emit::Tile tile_;
};

std::unique_ptr<runtime::RepeatedKernel> HostKernel::repeat(int threads) const {
    return std::make_unique<Repeated>(*this, threads);
}

std::unique_ptr<const runtime::PartKernel> HostKernel::bind_parts(const std::int64_t* sizes, int threads) const try {
    const CriticalSection section;
    Binding binding;
    decide(sizes, threads, binding, false);
    if (!has_parts(binding)) return nullptr;
    binding.find_code(true);
    return make_parts(std::move(binding));
} catch (const emit::CompilerEnded&) {
    return nullptr;
}

std::shared_ptr<const runtime::SharedKernel> HostKernel::bind_shared(const std::int64_t* sizes, int threads) const try {
    auto fitting = [&](const Shared& shared) {
        return shared.threads == threads && std::equal(shared.sizes.begin(), shared.sizes.end(), sizes);
    };
    if (const Shared* kept = shared_.find(fitting)) return kept->kernel;
    const CriticalSection section;
    auto shared = std::make_unique<Shared>();
    shared->sizes.assign(sizes, sizes + code_.kernel().sizes.count());
    shared->threads = threads;
    Binding binding;
    decide(sizes, threads, binding, false);
    binding.find_code();
    shared->kernel = share(std::move(binding));
    const std::shared_ptr<const runtime::SharedKernel> result = shared->kernel;
    shared_.keep(std::move(shared));
    return result;
} catch (const emit::CompilerEnded&) {
    return nullptr;
}

class HostBackend : public runtime::Backend {
  public:
    explicit HostBackend(const Options& options)
        : target_(std::make_shared<const Target>(options.vector_bits, options.effort)) {}

    std::string identity() const override { return target_->identity(); }

    std::vector<std::pair<std::string, std::string>> description() const override { return target_->description(); }

    double launch_bytes() const override { return runtime::launch_bytes(); }
    bool immediate() const override { return true; }

    std::unique_ptr<runtime::CompiledKernel> compile(const lower::Kernel& kernel) override {
        return std::make_unique<HostKernel>(kernel, target_);
    }

    runtime::KernelTexts texts(const lower::Kernel& kernel) override {
        const KernelCode code(schedule::merge_loops(kernel), target_);
        const std::vector<std::int64_t> sizes(kernel.sizes.count(), schedule::tuning::typical_extent);
        const auto decision = schedule::decide(code.kernel(), code.candidates(), sizes.data(), 1);
        runtime::KernelTexts texts =
            codegen::generator().host_texts(code.kernel(), target_->machine(), code.schedule(decision.choice.way));
        texts.schedule = schedule::print(code.candidates(), decision);
        return texts;
    }

    std::shared_ptr<const runtime::SharedKernel> describe_shared(const lower::Kernel& kernel, const std::int64_t* sizes,
                                                                 int threads) override {
        struct Described {
            Described(const lower::Kernel& of, const std::shared_ptr<const Target>& target) : kernel(of, target) {}
            HostKernel kernel;
            std::shared_ptr<const runtime::SharedKernel> shared;
        };
        auto described = std::make_shared<Described>(kernel, target_);
        described->shared = described->kernel.describe_shared(sizes, threads);
        return {described, described->shared.get()};
    }

  private:
    std::shared_ptr<const Target> target_;
};

}  // namespace

std::unique_ptr<runtime::Backend> make_host_backend(const Options& options) {
    return std::make_unique<HostBackend>(options);
}

}  // namespace sinter::host
