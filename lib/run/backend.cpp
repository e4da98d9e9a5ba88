// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/backend.hpp"

namespace sinter::runtime {

namespace {

class Bound final : public BoundKernel {
  public:
    Bound(const CompiledKernel& kernel, std::vector<std::int64_t> sizes, int threads)
        : kernel_(kernel), sizes_(std::move(sizes)), threads_(threads) {}

    void launch(void* const* buffers, ErrorSlot& error) const override {
        kernel_.launch({buffers, sizes_.data(), &error, threads_});
    }

  private:
    const CompiledKernel& kernel_;
    std::vector<std::int64_t> sizes_;
    int threads_;
};

class Repeated final : public RepeatedKernel {
  public:
    Repeated(const CompiledKernel& kernel, int threads) : kernel_(kernel), threads_(threads) {}

    void resize(const std::int64_t* sizes, bool /*among_shared*/) override { sizes_ = sizes; }

    bool launch(void* const* buffers, ErrorSlot& error, const RunControl* control, ThreadUse thread_use) override {
        kernel_.launch({buffers, sizes_, &error, threads_, nullptr, nullptr, control, false, thread_use});
        return false;
    }

  private:
    const CompiledKernel& kernel_;
    const std::int64_t* sizes_ = nullptr;
    int threads_;
};

}  // namespace

std::unique_ptr<const BoundKernel> CompiledKernel::bind(std::vector<std::int64_t> sizes, int threads) const {
    return std::make_unique<Bound>(*this, std::move(sizes), threads);
}

std::unique_ptr<RepeatedKernel> CompiledKernel::repeat(int threads) const {
    return std::make_unique<Repeated>(*this, threads);
}

}  // namespace sinter::runtime
