// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/card.hpp"
#include "jit/gpu/code_cache.hpp"
#include "jit/gpu/emulator.hpp"
#include "jit/gpu/gpu.hpp"
#include "jit/gpu/launch.hpp"
#include "jit/gpu/sort.hpp"
#include "run/engine.hpp"
#include "run/size_values.hpp"

#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/raw_ostream.h>

#include <array>
#include <mutex>
#include <sinter/error.hpp>
#include <string>

namespace sinter::gpu {

namespace {

/// What generated code takes for granted of indices.
void check_sizes(const lower::Kernel& kernel, const std::int64_t* sizes) {
    constexpr std::int64_t limit = std::int64_t{1} << 47;
    for (std::size_t k = 0; k < kernel.sizes.count(); ++k)
        if (sizes[k] <= -limit || sizes[k] >= limit)
            throw Limitation("an extent of 2^47 or more is not supported", location::current());
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

    void launch(const runtime::Launch& launch) const override {
        check_sizes(kernel_, launch.sizes);
        const Geometry geometry = choose(kernel_, traits_, launch.sizes);
        if (geometry.points <= 0) return;
        if (geometry.schedule.form == Form::host) {
            device_->wait(kernel_.name);
            return on_host().launch(launch);
        }
        launch_kernel(*device_, *memory_, *sorter_, program(geometry.schedule), geometry, kernel_, launch);
    }

  private:
    /// Code for a form, made when it is first needed.
    const Program& program(const Schedule& schedule) const {
        const std::lock_guard lock(mutex_);
        auto& program = programs_[static_cast<std::size_t>(schedule.form)];
        if (!program) {
            const std::string what = std::to_string(static_cast<int>(schedule.form)) + "\n" + lower::print(kernel_);
            program = find_or_make(*device_, what, kernel_.name,
                                   [&](llvm::Module& module) { return emit_kernels(module, kernel_, schedule); });
        }
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
        texts.assembly = device_->assembly(module, shared_bytes);
        return texts;
    }

    BufferRef allocate(std::size_t bytes) override { return gpu::allocate(memory_, bytes); }

    /// Memory of the caller's may change between calls: copies of it are not kept.
    BufferRef resident(const BufferRef& array) override {
        if (memory_->contains(array->data)) return array;
        const std::lock_guard lock(mutex_);
        if (array->copy && memory_->contains(array->copy->data)) return array->copy;
        BufferRef copy = allocate(array->bytes);
        if (array->bytes > 0) device_->copy(copy->data, array->data, array->bytes);
        device_->wait("copy of an array");  // the host may be the next to read it
        if (array->reusable) array->copy = copy;
        return copy;
    }

    bool sort(std::span<const runtime::SortColumn> columns, std::size_t keys, bool descending, std::int64_t rows,
              std::int64_t count) override {
        if (count >= Sorter::most_elements) return false;
        sorter_->sort(columns, keys, descending, rows, count);
        return true;
    }

    void finish() override { device_->wait("kernels of this run"); }

  private:
    static constexpr std::int64_t typical_extent = 1024;
    std::shared_ptr<Device> device_;
    std::shared_ptr<Memory> memory_;
    std::shared_ptr<Sorter> sorter_ = std::make_shared<Sorter>(*device_, *memory_);
    std::mutex mutex_;  ///< guards the copies of arrays
};

}  // namespace

std::unique_ptr<runtime::Backend> make_gpu_backend(int number) { return std::make_unique<GpuBackend>(open_card(number)); }

std::unique_ptr<runtime::Backend> make_emulated_backend() { return std::make_unique<GpuBackend>(make_emulator()); }

}  // namespace sinter::gpu
