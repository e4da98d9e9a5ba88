// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/cuda/card_program.hpp"

#include "jit/gpu/emit/builtin_names.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <utility>

namespace sinter::gpu {

namespace {

using cuda::CardContext;
using cuda::ErrorLog;

class CardProgram final : public Program {
  public:
    CardProgram(CardContext& context, std::string image, std::string name, int threads_each)
        : context_(context), image_(std::move(image)), name_(std::move(name)), threads_each_(threads_each) {}
    ~CardProgram() override {
        if (!module_) return;
        context_.clean_up(generation_, [&] {
            context_.note(driver().synchronise_stream(context_.stream()));
            context_.note(driver().unload_module(module_));
        });
    }
    CardProgram(const CardProgram&) = delete;
    CardProgram& operator=(const CardProgram&) = delete;

    void launch(const char* kernel, std::int64_t blocks, std::span<void*> parameters) const override {
        cuda::Function* function = find(kernel);
        const CardContext::Current current(context_);
        context_.require(driver().launch_kernel(function, static_cast<unsigned>(blocks), 1, 1, block_threads, 1, 1, 0,
                                                context_.stream(), parameters.data(), nullptr),
                         "cuLaunchKernel", name_);
        context_.started();
    }

    std::string resources(const char* kernel) const override {
        cuda::Function* function = find(kernel);
        const CardContext::Current current(context_);
        auto attribute = [&](int which) {
            int value = 0;
            context_.require(driver().function_attribute(&value, which, function), "cuFuncGetAttribute", kernel);
            return value;
        };
        int blocks = 0;
        context_.require(driver().blocks_at_once(&blocks, function, block_threads, 0),
                         "cuOccupancyMaxActiveBlocksPerMultiprocessor", kernel);
        return fmt::format(
            "{}: {} registers and {} bytes of local memory a thread, {} bytes of shared memory a block, {} "
            "blocks a multiprocessor, occupancy {:.0f} %",
            kernel, attribute(cuda::function_registers), attribute(cuda::function_local_bytes),
            attribute(cuda::function_shared_bytes), blocks, 100.0 * blocks * block_threads / threads_each_);
    }

  private:
    const cuda::Driver& driver() const { return context_.driver(); }

    cuda::Function* find(const char* kernel) const {
        const std::lock_guard lock(mutex_);
        const CardContext::Current current(context_);
        if (!module_ || generation_ != context_.generation()) load();
        cuda::Function*& function = functions_[kernel];
        if (!function) context_.require(driver().get_function(&function, module_, kernel), "cuModuleGetFunction", kernel);
        return function;
    }

    void load() const {
        functions_.clear();
        module_ = nullptr;
        generation_ = context_.generation();
        ErrorLog log;
        const int error = driver().load_module(&module_, image_.c_str(), ErrorLog::count, log.options, log.values);
        context_.require(error, "cuModuleLoadDataEx", name_, log.text);
    }

    CardContext& context_;
    const std::string image_, name_;
    const int threads_each_;
    mutable std::mutex mutex_;
    mutable cuda::Module* module_ = nullptr;
    mutable std::uint64_t generation_ = 0;
    mutable std::map<std::string, cuda::Function*> functions_;
};

}  // namespace

std::string assemble_ptx(CardContext& context, const std::string& ptx, const std::string& name) {
    const cuda::Driver& driver = context.driver();
    const CardContext::Current current(context);
    ErrorLog log;
    cuda::Link* link = nullptr;
    context.require(driver.begin_link(ErrorLog::count, log.options, log.values, &link), "cuLinkCreate", name);
    void* image = nullptr;
    std::size_t bytes = 0;
    const char* call = "cuLinkAddData";
    int error = driver.add_to_link(link, cuda::input_ptx, const_cast<char*>(ptx.c_str()), ptx.size() + 1, name.c_str(), 0,
                                   nullptr, nullptr);
    if (error == cuda::success) {
        call = "cuLinkComplete";
        error = driver.complete_link(link, &image, &bytes);
    }
    const std::string code = error == cuda::success ? std::string(static_cast<const char*>(image), bytes) : std::string();
    driver.end_link(link);
    context.require(error, call, name, log.text);
    return code;
}

std::unique_ptr<Program> load_program(CardContext& context, std::string image, std::string name, int threads_each) {
    return std::make_unique<CardProgram>(context, std::move(image), std::move(name), threads_each);
}

}  // namespace sinter::gpu
