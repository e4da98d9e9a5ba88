// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/card.hpp"

#include "jit/gpu/builtins.hpp"
#include "jit/gpu/driver.hpp"
#include "jit/gpu/nvptx.hpp"

#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>

#include <array>
#include <atomic>
#include <map>
#include <mutex>

namespace sinter::gpu {

namespace {

constexpr int oldest_capability = 75;

/// The card's context, made current for a while.
class Current {
  public:
    Current(const cuda::Driver& driver, cuda::Context* context) : driver_(driver) {
        driver.require(driver.push_context(context), "cuCtxPushCurrent");
    }
    ~Current() {
        cuda::Context* popped = nullptr;
        driver_.pop_context(&popped);
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

  private:
    const cuda::Driver& driver_;
};

/// Where the driver says what is wrong with code.
struct ErrorLog {
    static constexpr unsigned count = 2;
    char text[4096] = {};
    int options[count] = {cuda::option_error_log, cuda::option_error_log_bytes};
    void* values[count] = {text, reinterpret_cast<void*>(sizeof text)};
};

class Card final : public Device {
  public:
    explicit Card(int number) : driver_(cuda::Driver::get()), number_(number) {
        int count = 0;
        driver_.require(driver_.device_count(&count), "cuDeviceGetCount");
        if (number < 0 || number >= count)
            throw DeviceError(fmt::format("gpu: there is no device {}: the driver has {}", number, count),
                              location::current());
        driver_.require(driver_.device(&device_, number), "cuDeviceGet");
        std::array<char, 256> name{};
        driver_.require(driver_.device_name(name.data(), static_cast<int>(name.size()), device_), "cuDeviceGetName");
        name_ = name.data();
        check_capability();
        open_context();
    }

    std::string identity() const override {
        return fmt::format("gpu {} {} driver {} {}", number_, name_, driver_.version(), architecture());
    }
    std::string architecture() const override {
        return fmt::format("{} ptx {} llvm {}", ptx_.name(), ptx_.version, LLVM_VERSION_STRING);
    }
    std::int64_t wanted_blocks() const override {
        constexpr int blocks_each = 16;  // twice what fits, so that early ends are filled
        return multiprocessors_ * blocks_each;
    }

    std::string generate(llvm::Module& module, std::size_t shared_bytes) override {
        return generate_ptx(module, ptx_, shared_bytes);
    }
    bool assembles() const override { return true; }
    std::string assemble(const std::string& ptx, const std::string& name) override;
    std::unique_ptr<Program> load(const std::string& code, const std::string& name) override;
    std::string assembly(llvm::Module& module, std::size_t shared_bytes) override { return generate(module, shared_bytes); }
    void prepare(llvm::Module& module) const override { prepare_for_ptx(module); }

    void* allocate(std::size_t bytes) override {
        const Current current(driver_, context_);
        cuda::Address address = 0;
        const int error = driver_.allocate_managed(&address, bytes, cuda::memory_attach_global);
        if (error == cuda::out_of_memory || error == cuda::invalid_value) return nullptr;
        require(error, "cuMemAllocManaged");
        ++allocations_;
        // Its pages belong here, and need not be asked for one by one. Advice that is not taken does no harm.
        driver_.advise(address, bytes, cuda::advice_preferred_location, device_);
        driver_.prefetch(address, bytes, device_, stream_);
        return reinterpret_cast<void*>(address);
    }
    void release(void* memory) override {
        --allocations_;
        if (lost_) return;  // it goes with the context
        const Current current(driver_, context_);
        driver_.synchronise_stream(stream_);  // what was started may use it
        driver_.free_memory(reinterpret_cast<cuda::Address>(memory));
    }
    void* allocate_pinned(std::size_t bytes) override {
        const Current current(driver_, context_);
        void* memory = nullptr;
        return driver_.allocate_pinned(&memory, bytes, 0) == cuda::success ? memory : nullptr;
    }
    void release_pinned(void* memory) override {
        if (lost_) return;  // it goes with the context
        const Current current(driver_, context_);
        driver_.synchronise_stream(stream_);
        driver_.free_pinned(memory);
    }
    void copy(void* to, const void* from, std::size_t bytes) override {
        const Current current(driver_, context_);
        require(driver_.copy(reinterpret_cast<cuda::Address>(to), reinterpret_cast<cuda::Address>(from), bytes, stream_),
                "cuMemcpyAsync");
        ++started_;
    }
    void clear(void* memory, std::size_t bytes) override {
        const Current current(driver_, context_);
        require(driver_.set(reinterpret_cast<cuda::Address>(memory), 0, bytes, stream_), "cuMemsetD8Async");
        ++started_;
    }
    void wait(const std::string& name) override {
        const std::uint64_t started = started_;
        if (finished_ >= started) return;
        const Current current(driver_, context_);
        require(driver_.synchronise_stream(stream_), "cuStreamSynchronize", name);
        finished_ = started;
    }

    std::unique_ptr<Mark> mark() override;
    std::unique_ptr<runtime::Stopwatch> stopwatch() override;

    cuda::Event* record_event() {
        const Current current(driver_, context_);
        cuda::Event* event = nullptr;
        require(driver_.create_event(&event, 0), "cuEventCreate");
        require(driver_.record_event(event, stream_), "cuEventRecord");
        return event;
    }
    void wait_for(cuda::Event* event) {
        const Current current(driver_, context_);
        require(driver_.synchronise_event(event), "cuEventSynchronize");
    }
    double seconds_between(cuda::Event* begin, cuda::Event* end) {
        const Current current(driver_, context_);
        float milliseconds = 0;
        require(driver_.elapsed_time(&milliseconds, begin, end), "cuEventElapsedTime");
        return static_cast<double>(milliseconds) * 1e-3;
    }
    void destroy(cuda::Event* event) {
        if (lost_) return;  // it goes with the context
        const Current current(driver_, context_);
        driver_.destroy_event(event);
    }

    bool lost() const override { return lost_; }
    void renew() override {
        const std::lock_guard lock(mutex_);
        if (!lost_) return;
        if (allocations_ > 0)
            throw DeviceError("gpu: a kernel failed before, and arrays that were on the device then are still referred to",
                              location::current());
        driver_.release_context(device_);
        driver_.reset_context(device_);
        ++generation_;
        open_context();
        lost_ = false;
    }

    void launch(cuda::Function* function, std::int64_t blocks, std::span<void*> parameters, const std::string& name) {
        const Current current(driver_, context_);
        require(driver_.launch_kernel(function, static_cast<unsigned>(blocks), 1, 1, block_threads, 1, 1, 0, stream_,
                                      parameters.data(), nullptr),
                "cuLaunchKernel", name);
        ++started_;
    }

    cuda::Module* load_image(const std::string& image, const std::string& name) {
        const Current current(driver_, context_);
        ErrorLog log;
        cuda::Module* module = nullptr;
        const int error = driver_.load_module(&module, image.c_str(), ErrorLog::count, log.options, log.values);
        require(error, "cuModuleLoadDataEx", name, log.text);
        return module;
    }
    cuda::Function* find(cuda::Module* module, const char* kernel) {
        const Current current(driver_, context_);
        cuda::Function* function = nullptr;
        require(driver_.get_function(&function, module, kernel), "cuModuleGetFunction", kernel);
        return function;
    }
    std::string resources(cuda::Function* function, const char* kernel) {
        const Current current(driver_, context_);
        auto attribute = [&](int which) {
            int value = 0;
            require(driver_.function_attribute(&value, which, function), "cuFuncGetAttribute", kernel);
            return value;
        };
        int blocks = 0;
        require(driver_.blocks_at_once(&blocks, function, block_threads, 0), "cuOccupancyMaxActiveBlocksPerMultiprocessor",
                kernel);
        return fmt::format(
            "{}: {} registers and {} bytes of local memory a thread, {} bytes of shared memory a block, {} "
            "blocks a multiprocessor, occupancy {:.0f} %",
            kernel, attribute(cuda::function_registers), attribute(cuda::function_local_bytes),
            attribute(cuda::function_shared_bytes), blocks, 100.0 * blocks * block_threads / threads_each_);
    }
    void unload(cuda::Module* module) {
        const Current current(driver_, context_);
        driver_.synchronise_stream(stream_);
        driver_.unload_module(module);
    }
    /// Changes when a new context makes what was loaded void.
    std::uint64_t generation() const override { return generation_; }

  private:
    int attribute(int which) const {
        int value = 0;
        driver_.require(driver_.device_attribute(&value, which, device_), "cuDeviceGetAttribute");
        return value;
    }

    void check_capability() {
        const int capability = 10 * attribute(cuda::attribute_major) + attribute(cuda::attribute_minor);
        auto refuse = [&](const std::string& why) {
            throw DeviceError(fmt::format("gpu: device {}, {}, {}", number_, name_, why), location::current());
        };
        if (capability < oldest_capability)
            refuse(fmt::format("is of compute capability {}.{}; 7.5 is needed", capability / 10, capability % 10));
        if (attribute(cuda::attribute_concurrent_managed) == 0)
            refuse("cannot share memory with the host while it works, on this system");
        ptx_ = choose_ptx(capability, driver_.version());
        multiprocessors_ = attribute(cuda::attribute_multiprocessors);
        threads_each_ = attribute(cuda::attribute_threads_each);
    }

    void open_context() {
        driver_.require(driver_.retain_context(&context_, device_), "cuDevicePrimaryCtxRetain");
        const Current current(driver_, context_);
        driver_.require(driver_.create_stream(&stream_, cuda::stream_non_blocking), "cuStreamCreate");
    }

    void require(int error, const char* call, const std::string& kernel = {}, const std::string& log = {}) {
        if (cuda::is_sticky(error)) lost_ = true;
        driver_.require(error, call, kernel, log);
    }

    const cuda::Driver& driver_;
    int number_;
    cuda::DeviceId device_ = 0;
    std::string name_;
    PtxTarget ptx_{};
    int multiprocessors_ = 1, threads_each_ = 1;  ///< threads of a multiprocessor at once
    cuda::Context* context_ = nullptr;
    cuda::Stream* stream_ = nullptr;
    std::mutex mutex_;
    std::atomic<bool> lost_{false};
    std::atomic<std::int64_t> allocations_{0};
    std::atomic<std::uint64_t> generation_{0};
    std::atomic<std::uint64_t> started_{0}, finished_{0};  ///< how much was started, and is known to be done
};

/// An event in the card's stream.
class CardMark final : public Mark {
  public:
    explicit CardMark(Card& card) : card_(card), generation_(card.generation()), event_(card.record_event()) {}
    ~CardMark() override {
        if (generation_ == card_.generation()) card_.destroy(event_);
    }
    CardMark(const CardMark&) = delete;
    CardMark& operator=(const CardMark&) = delete;

    void wait() override { card_.wait_for(event_); }
    cuda::Event* event() const { return event_; }

  private:
    Card& card_;
    std::uint64_t generation_;
    cuda::Event* event_;
};

class CardStopwatch final : public runtime::Stopwatch {
  public:
    explicit CardStopwatch(Card& card) : card_(card), begin_(card) {}
    double seconds() override {
        CardMark end(card_);
        end.wait();
        return card_.seconds_between(begin_.event(), end.event());
    }

  private:
    Card& card_;
    CardMark begin_;
};

std::unique_ptr<Mark> Card::mark() { return std::make_unique<CardMark>(*this); }

std::unique_ptr<runtime::Stopwatch> Card::stopwatch() { return std::make_unique<CardStopwatch>(*this); }

/// Loaded when it is first launched, and again in a new context.
class CardProgram final : public Program {
  public:
    CardProgram(Card& card, std::string image, std::string name)
        : card_(card), image_(std::move(image)), name_(std::move(name)) {}
    ~CardProgram() override {
        if (module_ && generation_ == card_.generation()) card_.unload(module_);
    }

    void launch(const char* kernel, std::int64_t blocks, std::span<void*> parameters) const override {
        card_.launch(find(kernel), blocks, parameters, name_);
    }
    std::string resources(const char* kernel) const override { return card_.resources(find(kernel), kernel); }

  private:
    cuda::Function* find(const char* kernel) const {
        const std::lock_guard lock(mutex_);
        if (!module_ || generation_ != card_.generation()) {
            functions_.clear();
            generation_ = card_.generation();
            module_ = card_.load_image(image_, name_);
        }
        cuda::Function*& function = functions_[kernel];
        if (!function) function = card_.find(module_, kernel);
        return function;
    }

    Card& card_;
    std::string image_, name_;
    mutable std::mutex mutex_;
    mutable cuda::Module* module_ = nullptr;
    mutable std::uint64_t generation_ = 0;
    mutable std::map<std::string, cuda::Function*> functions_;
};

/// By the driver's assembler.
std::string Card::assemble(const std::string& ptx, const std::string& name) {
    const Current current(driver_, context_);
    ErrorLog log;
    cuda::Link* link = nullptr;
    require(driver_.begin_link(ErrorLog::count, log.options, log.values, &link), "cuLinkCreate", name);
    void* image = nullptr;
    std::size_t bytes = 0;
    const char* call = "cuLinkAddData";
    int error = driver_.add_to_link(link, cuda::input_ptx, const_cast<char*>(ptx.c_str()), ptx.size() + 1, name.c_str(), 0,
                                    nullptr, nullptr);
    if (error == cuda::success) {
        call = "cuLinkComplete";
        error = driver_.complete_link(link, &image, &bytes);
    }
    const std::string code = error == cuda::success ? std::string(static_cast<const char*>(image), bytes) : std::string();
    driver_.end_link(link);
    require(error, call, name, log.text);
    return code;
}

std::unique_ptr<Program> Card::load(const std::string& code, const std::string& name) {
    return std::make_unique<CardProgram>(*this, code, name);
}

}  // namespace

std::unique_ptr<Device> open_card(int number) { return std::make_unique<Card>(number); }

}  // namespace sinter::gpu
