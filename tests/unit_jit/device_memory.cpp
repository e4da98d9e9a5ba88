// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/device/memory.hpp"
#include "jit/gpu/device/staging.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <utility>
#include <vector>

namespace {

using namespace sinter;

/// Has room for so many allocations.
class SmallDevice final : public gpu::Device {
  public:
    explicit SmallDevice(int limit) : room(limit) {}
    std::string identity() const override { return "small"; }
    std::string name() const override { return "a device"; }
    std::int64_t wanted_blocks() const override { return 1; }
    std::string generate(const codegen::CardCode&) override { return {}; }
    std::unique_ptr<gpu::Program> load(const std::string&, const std::string&) override { return nullptr; }
    runtime::KernelTexts texts(const codegen::CardCode&) override { return {}; }
    void* allocate(std::size_t bytes) override { return room > 0 ? --room, std::malloc(bytes) : nullptr; }
    void release(void* memory) override {
        ++room;
        std::free(memory);
    }
    std::size_t memory_bytes() const override { return std::size_t{1} << 20; }
    void* allocate_pinned(std::size_t) override { return nullptr; }
    void release_pinned(void*) override {}
    std::unique_ptr<gpu::Mark> mark() override { return nullptr; }
    void copy(void* to, const void* from, std::size_t bytes) override {
        std::memcpy(to, from, bytes);
        waited = false;
    }
    void clear(void*, std::size_t) override {}
    void wait(const std::string&) override { waited = true; }
    bool lost() const override { return broken; }
    void renew() override { broken = false; }

    int room;
    bool broken = false, waited = false;
};

}  // namespace

TEST_CASE("device memory is used again") {
    SmallDevice device(2);
    gpu::Memory memory(device);
    void* first = memory.take(1000);
    CHECK(memory.contains(first));
    memory.give_back(first);
    CHECK_FALSE(memory.contains(first));
    CHECK(memory.take(1001) == first);
    CHECK(device.room == 1);
    memory.give_back(first);
}

TEST_CASE("arrays begin within device memory only where it was divided") {
    SmallDevice device(2);
    gpu::Memory memory(device);
    auto *whole = static_cast<std::byte*>(memory.take(1000)), *parts = static_cast<std::byte*>(memory.take(1000));
    memory.divide(parts);
    CHECK(memory.contains(whole));
    CHECK_FALSE(memory.contains(whole + 16));
    CHECK(memory.contains(parts));
    CHECK(memory.contains(parts + 16));
    CHECK_FALSE(memory.contains(parts + 4096));
    memory.give_back(parts);
    CHECK_FALSE(memory.contains(parts + 16));
    CHECK(memory.take(1000) == parts);
    CHECK_FALSE(memory.contains(parts + 16));
    memory.give_back(parts);
    memory.give_back(whole);
}

TEST_CASE("device memory that is kept is given up before there is none") {
    SmallDevice device(2);
    gpu::Memory memory(device);
    void *small = memory.take(10), *large = memory.take(100000);
    memory.give_back(small);
    void* other = memory.take(5000000);
    CHECK_THROWS_AS(memory.take(10), std::bad_alloc);
    memory.give_back(large);
    memory.give_back(other);
}

TEST_CASE("no more than half of a device's memory is kept") {
    SmallDevice device(4);
    gpu::Memory memory(device);
    void *first = memory.take(400000), *second = memory.take(400000);
    memory.give_back(first);
    CHECK(device.room == 2);
    memory.give_back(second);
    CHECK(device.room == 3);
    CHECK(memory.take(400000) == first);
    memory.give_back(first);
}

TEST_CASE("nothing that was kept on a lost device is given out") {
    SmallDevice device(2);
    gpu::Memory memory(device);
    memory.give_back(memory.take(1000));
    device.broken = true;
    memory.give_back(memory.take(1000));
    CHECK_FALSE(device.broken);
    CHECK(device.room == 1);
}

TEST_CASE("without pinned memory the host waits for copies") {
    SmallDevice device(0);
    gpu::Staging staging(device);
    const std::vector<int> from = {1, 2, 3};
    std::vector<int> to(3);
    staging.copy(to.data(), from.data(), sizeof(int) * from.size());
    CHECK(to == from);
    CHECK(device.waited);
}

namespace {

/// Copies when somebody waits, from where it was told to.
class LateDevice final : public gpu::Device {
  public:
    std::string identity() const override { return "late"; }
    std::string name() const override { return "a device"; }
    std::int64_t wanted_blocks() const override { return 1; }
    std::string generate(const codegen::CardCode&) override { return {}; }
    std::unique_ptr<gpu::Program> load(const std::string&, const std::string&) override { return nullptr; }
    runtime::KernelTexts texts(const codegen::CardCode&) override { return {}; }
    void* allocate(std::size_t) override { return nullptr; }
    void release(void*) override {}
    std::size_t memory_bytes() const override { return 0; }
    void* allocate_pinned(std::size_t bytes) override { return std::malloc(bytes); }
    void release_pinned(void* memory) override { std::free(memory); }
    void copy(void* to, const void* from, std::size_t bytes) override {
        copies.push_back([=] { std::memcpy(to, from, bytes); });
    }
    void clear(void*, std::size_t) override {}
    void wait(const std::string&) override {
        for (const auto& copy : std::exchange(copies, {})) copy();
        ++waits;
    }
    std::unique_ptr<gpu::Mark> mark() override {
        struct All final : gpu::Mark {
            explicit All(LateDevice& all) : device(all) {}
            void wait() override { device.wait({}); }
            LateDevice& device;
        };
        return std::make_unique<All>(*this);
    }

    std::vector<std::function<void()>> copies;
    int waits = 0;
};

}  // namespace

TEST_CASE("what is brought to a device may change at once, and small things share pinned memory") {
    LateDevice device;
    gpu::Staging staging(device);
    constexpr std::size_t count = 300;
    std::vector<std::vector<int>> to(count);
    for (std::size_t k = 0; k < count; ++k) {
        // Some are larger than a piece, most are small.
        std::vector<int> from(k % 100 == 99 ? 1500000 : 1 + k * 37 % 9000, static_cast<int>(k));
        to[k].resize(from.size());
        staging.copy(to[k].data(), from.data(), sizeof(int) * from.size());
        std::fill(from.begin(), from.end(), -1);
    }
    CHECK(device.waits < 20);
    device.wait({});
    for (std::size_t k = 0; k < count; ++k) REQUIRE(to[k] == std::vector<int>(to[k].size(), static_cast<int>(k)));
}
