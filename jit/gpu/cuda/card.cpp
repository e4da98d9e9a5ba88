// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/cuda/card.hpp"

#include "jit/generator/generator.hpp"
#include "jit/gpu/cuda/card_branches.hpp"
#include "jit/gpu/cuda/card_events.hpp"
#include "jit/gpu/cuda/card_graph.hpp"
#include "jit/gpu/cuda/card_program.hpp"
#include "jit/gpu/cuda/context.hpp"
#include "jit/gpu/cuda/driver.hpp"
#include "schedule/card/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

namespace sinter::gpu {

namespace {

using cuda::CardContext;
using cuda::Driver;

constexpr int oldest_capability = 75;

/// What the driver says about a card.
struct Properties {
    int number = 0;
    cuda::DeviceId device = 0;
    std::string name;
    codegen::PtxTarget ptx{};
    int multiprocessors = 1, threads_each = 1;  ///< threads that a multiprocessor runs at once
    std::size_t memory_bytes = 0;
    bool has_pools = false;  ///< memory may be taken and given back in the order of a stream
};

/// The best target for a card of this compute capability (times ten) and a driver of this version.
codegen::PtxTarget choose_ptx(int capability, int driver_version) {
    codegen::PtxTarget best{75, 80};
    for (int known : {75, 80, 86, 87, 89, 90})
        if (known <= capability) best.architecture = known;
    const int minor = driver_version % 1000 / 10;
    best.version = driver_version >= 13000 ? 85 : std::min(85, 80 + minor);  // 8.x comes with CUDA 12.x
    return best;
}

void check_capability(const Driver& driver, Properties& card) {
    auto attribute = [&](int which) {
        int value = 0;
        driver.require(driver.device_attribute(&value, which, card.device), "cuDeviceGetAttribute", {.device = card.number});
        return value;
    };
    auto refuse = [&](const std::string& why) {
        throw DeviceError(fmt::format("gpu: device {}, {}, {}", card.number, card.name, why), location());
    };
    const int capability = 10 * attribute(cuda::attribute_major) + attribute(cuda::attribute_minor);
    if (capability < oldest_capability)
        refuse(fmt::format("is of compute capability {}.{}; 7.5 is needed", capability / 10, capability % 10));
    card.ptx = choose_ptx(capability, driver.version());
    card.multiprocessors = attribute(cuda::attribute_multiprocessors);
    card.threads_each = attribute(cuda::attribute_threads_each);
    driver.require(driver.device_memory(&card.memory_bytes, card.device), "cuDeviceTotalMem", {.device = card.number});
    card.has_pools = attribute(cuda::attribute_memory_pools) != 0;
}

Properties find_card(const Driver& driver, int number) {
    int count = 0;
    driver.require(driver.device_count(&count), "cuDeviceGetCount");
    if (number < 0 || number >= count)
        throw DeviceError(fmt::format("gpu: there is no device {}: the driver has {}", number, count), location());
    Properties card;
    card.number = number;
    driver.require(driver.device(&card.device, number), "cuDeviceGet", {.device = number});
    std::array<char, 256> name{};
    driver.require(driver.device_name(name.data(), static_cast<int>(name.size()), card.device), "cuDeviceGetName",
                   {.device = number});
    card.name = name.data();
    check_capability(driver, card);
    return card;
}

cuda::Address address_of(const void* memory) { return reinterpret_cast<cuda::Address>(memory); }

class Card final : public Device {
  public:
    explicit Card(int number)
        : driver_(Driver::get()), card_(find_card(driver_, number)), context_(driver_, number, card_.device) {}

    std::string identity() const override {
        return fmt::format("gpu {} {} driver {} {}", card_.number, card_.name, driver_.version(), architecture());
    }
    std::string name() const override { return fmt::format("gpu {}", card_.number); }
    std::string architecture() const override {
        return fmt::format("sm_{} ptx {} llvm {}", card_.ptx.architecture, card_.ptx.version, SINTER_LLVM_VERSION);
    }
    std::int64_t wanted_blocks() const override { return card_.multiprocessors * schedule::card::tuning::blocks_each; }

    bool has_tensor_cores() const override { return card_.ptx.architecture >= 80; }

    std::string generate(const codegen::CardCode& code) override { return codegen::generator().ptx(code, card_.ptx); }
    bool assembles() const override { return true; }
    std::string assemble(const std::string& ptx, const std::string& name) override {
        return assemble_ptx(context_, ptx, name);
    }
    std::unique_ptr<Program> load(const std::string& code, const std::string& name) override {
        return load_program(context_, code, name, card_.threads_each);
    }
    runtime::KernelTexts texts(const codegen::CardCode& code) override {
        return codegen::generator().card_texts(code, card_.ptx);
    }

    void* allocate(std::size_t bytes) override {
        const CardContext::Current current(context_);
        cuda::Address address = 0;
        const int error = card_.has_pools ? driver_.allocate_in_stream(&address, bytes, context_.memory_stream())
                                          : driver_.allocate(&address, bytes);
        if (error == cuda::out_of_memory || error == cuda::invalid_value) return nullptr;
        context_.require(error, card_.has_pools ? "cuMemAllocAsync" : "cuMemAlloc");
        ++allocations_;
        if (card_.has_pools) await_memory(address);
        return reinterpret_cast<void*>(address);
    }
    void release(void* memory) override {
        --allocations_;
        context_.clean_up(context_.generation(), [&] {
            if (card_.has_pools) return context_.note(driver_.release_in_stream(address_of(memory), context_.stream()));
            context_.note(driver_.synchronise_stream(context_.stream()));  // what was started may use it
            context_.note(driver_.release(address_of(memory)));
        });
    }
    std::size_t memory_bytes() const override { return card_.memory_bytes; }
    void* allocate_pinned(std::size_t bytes) override {
        const CardContext::Current current(context_);
        void* memory = nullptr;
        return driver_.allocate_pinned(&memory, bytes, 0) == cuda::success ? memory : nullptr;
    }
    void release_pinned(void* memory) override {
        context_.clean_up(context_.generation(), [&] {
            context_.note(driver_.synchronise_stream(context_.stream()));
            context_.note(driver_.free_pinned(memory));
        });
    }
    void copy(void* to, const void* from, std::size_t bytes) override {
        const CardContext::Current current(context_);
        context_.require(driver_.copy(address_of(to), address_of(from), bytes, context_.stream()), "cuMemcpyAsync");
        context_.started();
    }
    bool copy_from(const Device& other, void* to, const void* from, std::size_t bytes) override {
        const auto* card = dynamic_cast<const Card*>(&other);
        if (!card || card->lost()) return false;
        context_.copy_from(card->context_, address_of(to), address_of(from), bytes);
        return true;
    }
    void follow(Device& other) override {
        if (auto* card = dynamic_cast<Card*>(&other)) return context_.follow(card->context_);
        Device::follow(other);
    }
    void clear(void* memory, std::size_t bytes) override {
        const CardContext::Current current(context_);
        context_.require(driver_.set(address_of(memory), 0, bytes, context_.stream()), "cuMemsetD8Async");
        context_.started();
    }

    void branch(std::vector<schedule::card::MemoryAccess> touched, const std::function<void()>& start) override {
        const CardContext::Current current(context_);
        branches_.start(std::move(touched), start);
    }
    void wait(const std::string& name) override { context_.wait(name); }
    std::unique_ptr<Recording> record(std::size_t streams, std::size_t events,
                                      const std::function<void(Streams&)>& start) override {
        return record_graph(context_, streams, events, start);
    }
    std::unique_ptr<Mark> mark() override { return mark_stream(context_); }
    std::unique_ptr<runtime::Stopwatch> stopwatch() override { return start_stopwatch(context_); }

    bool lost() const override { return context_.lost(); }
    void renew() override {
        if (!context_.lost()) return;
        if (allocations_ > 0)
            throw DeviceError(fmt::format("gpu: a kernel failed before, and arrays that were on device {} then are still "
                                          "referred to",
                                          card_.number),
                              location());
        context_.renew();
    }
    std::uint64_t generation() const override { return context_.generation(); }

  private:
    /// From now on, all streams may use the memory.
    void await_memory(cuda::Address address) {
        try {
            context_.require(driver_.synchronise_stream(context_.memory_stream()), "cuStreamSynchronize");
        } catch (...) {
            release(reinterpret_cast<void*>(address));
            throw;
        }
    }

    const Driver& driver_;
    const Properties card_;
    CardContext context_;
    CardBranches branches_{context_};
    std::atomic<std::int64_t> allocations_{0};
};

}  // namespace

std::unique_ptr<Device> open_card(int number) { return std::make_unique<Card>(number); }

}  // namespace sinter::gpu
