// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "counting_backend.hpp"

#include "jit/gpu/gpu.hpp"
#include "run/engine.hpp"

#include <optional>
#include <utility>

namespace {

using namespace sinter;

class CountingLookahead final : public runtime::Lookahead {
  public:
    explicit CountingLookahead(std::unique_ptr<runtime::Lookahead> inner) : inner_(std::move(inner)) {}
    void* flag(std::size_t k) const override { return inner_->flag(k); }
    void* record(std::size_t k) const override { return inner_->record(k); }
    void finish() override { ++counting::waits, inner_->finish(); }
    bool is_set(std::size_t k) const override { return inner_->is_set(k); }
    bool has_failed(std::size_t k, runtime::ErrorSlot& error) const override { return inner_->has_failed(k, error); }

  private:
    std::unique_ptr<runtime::Lookahead> inner_;
};

class CountingKernel final : public runtime::CompiledKernel {
  public:
    explicit CountingKernel(std::unique_ptr<runtime::CompiledKernel> inner) : inner_(std::move(inner)) {}
    void launch(const runtime::Launch& launch) const override { ++counting::launches, inner_->launch(launch); }
    bool may_be_guarded(const std::int64_t* sizes) const override { return inner_->may_be_guarded(sizes); }

  private:
    std::unique_ptr<runtime::CompiledKernel> inner_;
};

/// The emulated device.
class CountingMemory final : public runtime::RemoteMemory {
  public:
    explicit CountingMemory(runtime::RemoteMemory& inner) : inner_(inner) {}

    std::string device() const override { return inner_.device(); }
    bool contains(const void* memory) const override { return inner_.contains(memory); }
    void read(void* to, const void* from, std::size_t bytes) override { ++counting::waits, inner_.read(to, from, bytes); }
    void write(void* to, const void* from, std::size_t bytes) override { inner_.write(to, from, bytes); }

  private:
    runtime::RemoteMemory& inner_;
};

class CountingBackend final : public runtime::Backend {
  public:
    explicit CountingBackend(runtime::HostBackend host) : inner_(gpu::make_emulated_backend(std::move(host))) {
        if (runtime::RemoteMemory* memory = inner_->remote()) memory_.emplace(*memory);
    }
    std::string identity() const override { return "counted " + inner_->identity(); }
    std::unique_ptr<runtime::CompiledKernel> compile(const lower::Kernel& kernel) override {
        return std::make_unique<CountingKernel>(inner_->compile(kernel));
    }
    runtime::KernelTexts texts(const lower::Kernel& kernel) override { return inner_->texts(kernel); }
    bool has_local_buffers() const override { return inner_->has_local_buffers(); }
    bool has_outer_folds() const override { return inner_->has_outer_folds(); }
    double launch_bytes() const override { return inner_->launch_bytes(); }
    BufferRef allocate(std::size_t bytes) override { return inner_->allocate(bytes); }
    BufferRef resident(const BufferRef& array) override { return inner_->resident(array); }
    std::unique_ptr<runtime::Lookahead> look_ahead(std::size_t flags, std::size_t records) override {
        return std::make_unique<CountingLookahead>(inner_->look_ahead(flags, records));
    }
    bool copy(void* to, const void* from, std::size_t bytes) override { return inner_->copy(to, from, bytes); }
    void finish() override { ++counting::waits, inner_->finish(); }
    runtime::RemoteMemory* remote() override { return memory_ ? &*memory_ : nullptr; }

  private:
    std::unique_ptr<runtime::Backend> inner_;
    std::optional<CountingMemory> memory_;
};

}  // namespace

void counting::register_device() {
    runtime::register_backend(runtime::TargetKind::gpu,
                              [](int number, runtime::HostBackend host) -> std::unique_ptr<runtime::Backend> {
                                  if (number == device) return std::make_unique<CountingBackend>(std::move(host));
                                  return gpu::make_gpu_backend(number, std::move(host));
                              });
}
