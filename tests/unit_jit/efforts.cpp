// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quick code, and better code that replaces it.
#include "support.hpp"

#include "jit/host/code/way_code.hpp"
#include "jit/host/kernel_code.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

using namespace jit_test;
using namespace sinter;
using codegen::Effort;
using codegen::HostObject;
using host::KernelCode;
using host::WayCode;

namespace {

constexpr double much = 1e12;

const char* const twice =
    "kernel twice\nsize s0 = a0\nbuffer 0 : f32[s0] in\nbuffer 1 : f32[s0] out\nspace s0\n"
    "{x0: i64 -> x1: f32 = load #0 x0; x2 = add x1 x1; store #1 x0 x2;}\n";

/// Makes code for a kernel; remembers with what efforts.
struct Maker {
    explicit Maker(const std::string& text) : kernel(lower::parse(text)), target(0, std::nullopt) {
        const auto candidates = schedule::candidates_of(kernel, target.machine());
        const auto schedule = schedule::schedule_of(kernel, target.machine(), candidates, candidates.ways[0]);
        for (Effort effort : {Effort::quick, Effort::full})
            objects.push_back(codegen::generator().host_object(kernel, target.machine(), schedule, effort));
    }
    WayCode::Make make() {
        return [this](Effort effort) {
            if (effort == Effort::full) ++full;
            if (effort == Effort::quick) ++quick;
            if (fails && effort == Effort::full) throw std::runtime_error("no code");
            return objects[effort == Effort::quick ? 0 : 1];
        };
    }
    lower::Kernel kernel;
    host::Target target;
    std::vector<HostObject> objects;
    std::atomic<int> quick = 0, full = 0;
    bool fails = false;
};

template <class F>
bool comes_true(F f) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!f() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return f();
}

/// A launch that does nothing, at this price.
void work(const WayCode& code, double price) { const WayCode::Working working(code, price); }

}  // namespace

TEST_CASE("quick code differs from better code") {
    const Maker maker(twice);
    CHECK(maker.objects[0].effort == Effort::quick);
    CHECK(maker.objects[1].effort == Effort::full);
    CHECK(maker.objects[0].bytes != maker.objects[1].bytes);
}

TEST_CASE("quick code is replaced after enough work") {
    Maker maker(twice);
    const WayCode code(maker.make(), "twice", std::nullopt, 0);
    const emit::Entry first = code.kernel();
    REQUIRE(first != nullptr);
    work(code, 1);
    CHECK(maker.full == 0);
    work(code, much);
    work(code, 1);
    CHECK(comes_true([&] { return code.kernel() != first; }));
    CHECK(code.finish() == nullptr);
    work(code, much);
    CHECK(maker.quick == 1);
    CHECK(maker.full == 1);
}

TEST_CASE("many small launches are enough work, few are not") {
    Maker maker(twice);
    const WayCode code(maker.make(), "twice", std::nullopt, 0);
    for (int k = 0; k < 10; ++k) work(code, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(maker.full == 0);
    for (int k = 0; k < 100; ++k) work(code, 0);
    CHECK(comes_true([&] { return maker.full == 1; }));
}

TEST_CASE("a launch that takes longer than its price counts as long as it takes") {
    Maker maker(twice);
    const WayCode code(maker.make(), "twice", std::nullopt, 0);
    {
        const WayCode::Working working(code, 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        CHECK(maker.full == 0);
    }
    CHECK(comes_true([&] { return maker.full == 1; }));
}

TEST_CASE("a large first launch has better code at once, and so has every launch where that is wanted") {
    Maker maker(twice);
    const WayCode large(maker.make(), "twice", std::nullopt, much);
    const WayCode wanted(maker.make(), "twice", Effort::full, 0);
    CHECK(maker.quick == 0);
    CHECK(maker.full == 2);
    const WayCode always_quick(maker.make(), "twice", Effort::quick, much);
    work(always_quick, much);
    work(always_quick, much);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(maker.quick == 1);
    CHECK(maker.full == 2);
}

TEST_CASE("where better code cannot be made, quick code stays") {
    Maker maker(twice);
    maker.fails = true;
    const WayCode code(maker.make(), "twice", std::nullopt, 0);
    const emit::Entry first = code.kernel();
    work(code, much), work(code, 1);
    CHECK(comes_true([&] { return maker.full == 1; }));
    Maker other(twice);
    const WayCode next(other.make(), "twice", std::nullopt, 0);
    work(next, much), work(next, 1);
    CHECK(comes_true([&] { return other.full == 1; }));
    CHECK(code.kernel() == first);
}

TEST_CASE("code may be dropped while it waits to be improved, or is being improved") {
    const lower::Kernel kernel = lower::parse(twice);
    const auto target = std::make_shared<const host::Target>(0, std::nullopt);
    for (int k = 0; k < 60; ++k) {
        std::vector<std::unique_ptr<KernelCode>> some;
        for (int j = 0; j < 3; ++j) {
            some.push_back(std::make_unique<KernelCode>(kernel, target));
            work(some.back()->code(0, 0), much);
            work(some.back()->code(0, 0), much);
        }
        std::this_thread::sleep_for(std::chrono::microseconds(300 * (k % 7)));
        while (!some.empty()) some.erase(some.begin() + (k % static_cast<int>(some.size())));
    }
}

TEST_CASE("launches give the same bits while their code is replaced") {
    const lower::Kernel kernel = lower::parse(twice);
    for (int round = 0; round < 20; ++round) {
        const auto backend = host::make_host_backend();
        const auto compiled = backend->compile(kernel);
        const std::vector<std::int64_t> sizes{1000};
        Data data = make_data(kernel, sizes, Fill::small, 7);
        std::atomic<int> wrong = 0;
        std::vector<std::thread> threads;
        for (int t = 0; t < 3; ++t)
            threads.emplace_back([&] {
                std::vector<float> out(1000);
                void* buffers[] = {data.pointers[0], out.data()};
                const auto* in = static_cast<const float*>(data.pointers[0]);
                for (int k = 0; k < 2000; ++k) {
                    runtime::ErrorSlot error;
                    compiled->launch({buffers, sizes.data(), &error, 1});
                    for (std::size_t i = 0; i < out.size(); i += 97) wrong += out[i] != in[i] + in[i];
                }
            });
        for (std::thread& thread : threads) thread.join();
        CHECK(wrong == 0);
    }
}
