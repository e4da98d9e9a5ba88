// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/cuda/card.hpp"
#include "jit/gpu/device/code_cache.hpp"
#include "jit/gpu/device/lookahead.hpp"
#include "jit/gpu/device/sequence.hpp"
#include "jit/gpu/device/staging.hpp"
#include "jit/gpu/emulator/emulator.hpp"
#include "jit/gpu/gpu.hpp"
#include "jit/gpu/launch.hpp"
#include "jit/gpu/sort/sort.hpp"
#include "run/engine.hpp"
#include "run/plan/size_values.hpp"

#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <sinter/error.hpp>
#include <string>

namespace sinter::gpu {

namespace {

std::unique_ptr<Program> program_of(Device& device, const lower::Kernel& kernel, const Schedule& schedule) {
    const std::string what = std::to_string(static_cast<int>(schedule.form)) + "\n" + lower::print(kernel);
    return find_or_make(device, what, kernel.name,
                        [&](llvm::Module& module) { return emit_kernels(module, kernel, schedule); });
}

class GpuKernel final : public runtime::CompiledKernel {
  public:
    GpuKernel(const lower::Kernel& kernel, std::shared_ptr<Device> device, std::shared_ptr<Memory> memory,
              std::shared_ptr<Sorter> sorter)
        : kernel_(kernel),
          device_(std::move(device)),
          memory_(std::move(memory)),
          sorter_(std::move(sorter)),
          traits_(traits_of(kernel_)) {}

    void launch(const runtime::Launch& launch) const override { execute(decide(launch.sizes), launch); }

    std::unique_ptr<const runtime::BoundKernel> bind(std::vector<std::int64_t> sizes, int threads) const override;

    std::string schedule(const std::int64_t* sizes, int /*threads*/) const override { return summary(decide(sizes)); }

    /// Sorts have no guard, and what the host does needs none.
    bool may_be_guarded(const std::int64_t* sizes) const override {
        const Form form = decide(sizes).schedule.form;
        return form != Form::host && form != Form::sorted;
    }

    class Bound;

  private:
    Geometry decide(const std::int64_t* sizes) const { return choose(kernel_, traits_, sizes); }

    void execute(const Geometry& geometry, const runtime::Launch& launch) const {
        if (geometry.points <= 0) return;
        if (geometry.schedule.form == Form::host) {
            device_->wait(kernel_.name);
            return on_host().launch(launch);
        }
        launch_kernel(*device_, *memory_, *sorter_, program(geometry.schedule), geometry, kernel_, launch);
    }

    /// Code for a form, made when it is first needed.
    const Program& program(const Schedule& schedule) const {
        const std::lock_guard lock(mutex_);
        auto& program = programs_[static_cast<std::size_t>(schedule.form)];
        if (!program) program = program_of(*device_, kernel_, schedule);
        return *program;
    }

    const CompiledKernel& on_host() const {
        const std::lock_guard lock(mutex_);
        if (!host_) host_ = runtime::Engine::shared().backend(runtime::TargetKind::host).compile(kernel_);
        return *host_;
    }

    const lower::Kernel kernel_;
    std::shared_ptr<Device> device_;
    std::shared_ptr<Memory> memory_;
    std::shared_ptr<Sorter> sorter_;
    Traits traits_;  ///< refers to kernel_
    mutable std::mutex mutex_;
    mutable std::unique_ptr<CompiledKernel> host_;
    mutable std::array<std::unique_ptr<Program>, form_count> programs_;
};

/// How it is launched is decided once.
class GpuKernel::Bound final : public runtime::BoundKernel {
  public:
    Bound(const GpuKernel& kernel, std::vector<std::int64_t> sizes, int threads)
        : kernel_(kernel), sizes_(std::move(sizes)), geometry_(kernel.decide(sizes_.data())), threads_(threads) {}

    void launch(void* const* buffers, runtime::ErrorSlot& error) const override {
        kernel_.execute(geometry_, {buffers, sizes_.data(), &error, threads_});
    }

    bool is_stage() const { return gpu::is_stage(kernel_.kernel_, geometry_); }
    bool is_empty() const { return geometry_.points <= 0; }
    Stage stage(std::vector<std::size_t> buffers) const {
        return {&kernel_.kernel_, sizes_.data(), &geometry_, &kernel_.program(geometry_.schedule), std::move(buffers)};
    }

  private:
    const GpuKernel& kernel_;
    const std::vector<std::int64_t> sizes_;
    const Geometry geometry_;
    const int threads_;
};

std::unique_ptr<const runtime::BoundKernel> GpuKernel::bind(std::vector<std::int64_t> sizes, int threads) const {
    return std::make_unique<const Bound>(*this, std::move(sizes), threads);
}

class GpuBackend final : public runtime::Backend {
  public:
    explicit GpuBackend(std::unique_ptr<Device> device)
        : device_(std::move(device)), memory_(std::make_shared<Memory>(*device_)) {}

    std::string identity() const override { return device_->identity(); }
    /// Some microseconds of a card's memory.
    double launch_bytes() const override { return 4 << 20; }
    bool has_local_buffers() const override { return false; }

    std::unique_ptr<runtime::CompiledKernel> compile(const lower::Kernel& kernel) override {
        return std::make_unique<GpuKernel>(kernel, device_, memory_, sorter_);
    }

    runtime::KernelTexts texts(const lower::Kernel& kernel) override {
        std::vector<std::int64_t> sizes(kernel.sizes.count());
        const std::vector<std::int64_t> arguments(sizes.size(), typical_extent);
        runtime::evaluate_kernel_sizes(kernel.sizes, arguments, sizes);
        const Geometry geometry = choose(kernel, traits_of(kernel), sizes.data());
        if (geometry.schedule.form == Form::host)
            return runtime::Engine::shared().backend(runtime::TargetKind::host).texts(kernel);
        llvm::LLVMContext context;
        context.setDiscardValueNames(true);
        llvm::Module module("sinter", context);
        device_->prepare(module);
        const std::size_t shared_bytes = emit_kernels(module, kernel, geometry.schedule);
        runtime::KernelTexts texts;
        llvm::raw_string_ostream ir(texts.llvm_ir);
        module.print(ir, nullptr);
        texts.assembly = resources(kernel, geometry.schedule) + device_->assembly(module, shared_bytes);
        return texts;
    }

    BufferRef allocate(std::size_t bytes) override { return gpu::allocate(memory_, bytes); }

    /// Memory of the caller's may change between calls: copies of it are not kept.
    BufferRef resident(const BufferRef& array) override {
        if (memory_->contains(array->data)) return array;
        const std::lock_guard lock(mutex_);
        if (array->copy && memory_->contains(array->copy->data)) return array->copy;
        if (array->on_device) array->await();  // another one
        BufferRef copy = allocate(array->bytes);
        staging_.copy(copy->data, array->data, array->bytes);
        if (array->reusable) array->copy = copy;
        return copy;
    }

    std::unique_ptr<runtime::Lookahead> look_ahead(std::size_t flags, std::size_t records) override {
        return gpu::look_ahead(*device_, *memory_, flags, records);
    }

    std::unique_ptr<const runtime::Sequence> sequence(std::vector<runtime::SequenceItem> items) override {
        std::vector<Stage> stages;
        for (runtime::SequenceItem& item : items) {
            const auto& kernel = static_cast<const GpuKernel::Bound&>(*item.kernel);
            if (kernel.is_empty()) continue;
            if (!kernel.is_stage()) return nullptr;
            stages.push_back(kernel.stage(std::move(item.buffers)));
        }
        return make_sequence(device_, memory_, std::move(stages));
    }

    bool copy(void* to, const void* from, std::size_t bytes) override {
        if (!memory_->contains(to) || !memory_->contains(from)) return false;
        if (bytes > 0) device_->copy(to, from, bytes);
        return true;
    }

    bool sort(std::span<const runtime::SortColumn> columns, std::size_t keys, bool descending, std::int64_t rows,
              std::int64_t count) override {
        if (count >= Sorter::most_elements) return false;
        sorter_->sort(columns, keys, descending, rows, count);
        return true;
    }

    void finish() override { memory_->await(); }
    /// By a copy: the page stays where the next kernel writes it.
    void read(void* to, const void* from, std::size_t bytes) override {
        if (!memory_->contains(from)) return void(std::memcpy(to, from, bytes));
        device_->copy(to, from, bytes);
        memory_->await();
    }
    std::unique_ptr<runtime::Stopwatch> stopwatch() override { return device_->stopwatch(); }
    double copy_bandwidth() override {
        std::call_once(copy_measured_, [&] { copy_bandwidth_ = measure_copy(); });
        return copy_bandwidth_;
    }

  private:
    /// What the kernels take of the device, as comments of their PTX.
    std::string resources(const lower::Kernel& kernel, const Schedule& schedule) {
        if (!device_->assembles()) return {};
        const auto program = program_of(*device_, kernel, schedule);
        std::string text;
        for (Role role : roles_of(schedule))
            if (const std::string line = program->resources(name_of(role)); !line.empty()) text += "// " + line + "\n";
        return text;
    }

    double measure_copy() {
        if (!device_->stopwatch()) return 0;
        constexpr std::size_t bytes = std::size_t{256} << 20;
        constexpr int rounds = 5;
        auto release = [&](void* memory) { device_->release(memory); };
        using Block = std::unique_ptr<void, decltype(release)>;
        const Block from(device_->allocate(bytes), release), to(device_->allocate(bytes), release);
        double best = 0;
        for (int round = 0; from && to && round < rounds; ++round) {
            const auto watch = device_->stopwatch();
            device_->copy(to.get(), from.get(), bytes);
            best = std::max(best, 2.0 * bytes / watch->seconds());
        }
        return best;
    }

    static constexpr std::int64_t typical_extent = 1024;
    std::shared_ptr<Device> device_;
    std::shared_ptr<Memory> memory_;
    std::shared_ptr<Sorter> sorter_ = std::make_shared<Sorter>(*device_, *memory_);
    std::mutex mutex_;  ///< guards the copies of arrays
    Staging staging_{*device_};
    std::once_flag copy_measured_;
    double copy_bandwidth_ = 0;
};

}  // namespace

std::unique_ptr<runtime::Backend> make_gpu_backend(int number) { return std::make_unique<GpuBackend>(open_card(number)); }

std::unique_ptr<runtime::Backend> make_emulated_backend() { return std::make_unique<GpuBackend>(make_emulator()); }

}  // namespace sinter::gpu
